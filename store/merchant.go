package store

import "time"

//go:generate go test . -run ^TestOptionsPage$ -rewrite

// Merchant is what the platform's admin panel holds of one merchant. Keys tell live from test traffic (decision
// r). The password signs in both directions; it is sealed and never in this record's bytes.
//
// The comment of every field in the configuration records says what the field does. Its last parentheses name the
// document it is from and the default. docs/options.md is made of these comments.
type Merchant struct {
	// ID names the merchant in every other record; 1 to 64 bytes. (ours; required)
	ID string `json:"id"`
	// Name is shown to the payer; up to 255 characters. (ours)
	Name string `json:"name"`
	// Key is merchant_key, and client_key on S2S, of live traffic; up to 255 bytes.
	// (SPEC1, Checkout session request; required)
	Key string `json:"key"`
	// TestKey is the key of test traffic, which reaches test MIDs only. (decision r; default none: no test traffic)
	TestKey string `json:"test_key,omitempty"`
	// Password is the shared secret of every signature; at least 16 characters. (SPEC1, Authentication; required)
	Password Secret `json:"password,omitzero"`
	// NextPassword signs requests beside Password until RotatesAt. From then on it alone signs, callbacks too. At least
	// 16 characters, and never this merchant's before. (ours; default none)
	NextPassword Secret `json:"next_password,omitzero"`
	// NextKey is accepted beside Key until RotatesAt, and from then on in its place. (ours; default none: Key stays)
	NextKey string `json:"next_key,omitempty"`
	// NextTestKey is the same for TestKey. (ours; default none: TestKey stays)
	NextTestKey string `json:"next_test_key,omitempty"`
	// RotatesAt is when the next password and keys take the place of the present ones, whether or not the merchant is
	// saved again. Required with any of them. (ours; default never)
	RotatesAt time.Time `json:"rotates_at,omitzero"`
	// Disabled refuses every request of the merchant. (ours)
	Disabled bool `json:"disabled,omitempty"`

	// NotificationURL receives callbacks: an http or https URL, or a target of Config.Sinks, like queue:orders. A payment
	// that is made while there is no URL sends none. (callbacks.md, "Target URL")
	NotificationURL string `json:"notification_url,omitempty"`
	// TestNotificationURL receives the callbacks of test payments. (decision ak; default NotificationURL)
	TestNotificationURL string `json:"test_notification_url,omitempty"`

	// Origins may frame the hosted page, like "https://shop.example". Without any, a session with url_target _parent or
	// _top may be framed by the origins of its own URLs (decision bl), and others by no site.
	// (our reading of SPEC1, url_target)
	Origins []string `json:"origins,omitempty"`
	// HTTPSOnly refuses http in every URL of the merchant's requests and records: session URLs, callback and return
	// URLs on S2S, notification URLs, origins, terms. (ours)
	HTTPSOnly bool `json:"https_only,omitempty"`
}
