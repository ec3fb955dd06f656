package store

// Merchant is what the platform's admin panel holds of one merchant. Keys tell live from test traffic
// (decision r); the password signs both directions and is kept sealed, never in this record's bytes.
type Merchant struct {
	ID       string `json:"id"`
	Name     string `json:"name"`               // shown to the payer
	Key      string `json:"key"`                // merchant_key and client_key of live traffic
	TestKey  string `json:"test_key,omitempty"` // reaches test MIDs only
	Password Secret `json:"password,omitzero"`  // shared secret of every signature
	Disabled bool   `json:"disabled,omitempty"`

	// NotificationURL receives callbacks; TestNotificationURL those of test payments when set
	// (callbacks.md, "Target URL"). Without a URL when a payment is made none are sent for it.
	NotificationURL     string `json:"notification_url,omitempty"`
	TestNotificationURL string `json:"test_notification_url,omitempty"`

	// Origins may frame the hosted page, like "https://shop.example" (SPEC1, url_target).
	Origins []string `json:"origins,omitempty"`
	// HTTPSOnly refuses http in the URLs of a session.
	HTTPSOnly bool `json:"https_only,omitempty"`
}
