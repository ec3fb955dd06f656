package store

// Protocol is one of the ways a merchant talks to the platform.
type Protocol string

// The protocols of the specification. Hosted Payment Fields share the Checkout mapping.
const (
	Checkout Protocol = "checkout"
	S2SCard  Protocol = "s2s_card"
	S2SAPM   Protocol = "s2s_apm"
)

// Protocols lists every protocol.
func Protocols() []Protocol { return []Protocol{Checkout, S2SCard, S2SAPM} }

// Mapping is the Protocol Mapping of a merchant: which protocol it may use, and how. Each option is
// off by default, which is the platform's default.
type Mapping struct {
	MerchantID string   `json:"merchant"`
	Protocol   Protocol `json:"protocol"`
	Disabled   bool     `json:"disabled,omitempty"`

	// MaxDeclines is how many declined attempts a session takes before the payer is sent to
	// cancel_url (SPEC1, Limits). 0 means 3, our own default.
	MaxDeclines int `json:"max_declines,omitempty"`
	// SHA256 signs with SHA-256 in place of MD5 (checkout.md, "Hash formulas").
	SHA256 bool `json:"sha256,omitempty"`
	// PartialRefundSettled keeps SETTLED until everything is refunded (decision n; the
	// option partial_refund_status: settled).
	PartialRefundSettled bool `json:"partial_refund_settled,omitempty"`
	// RequireName asks the payer for the cardholder's name when the request brought none; AnyName takes
	// names in letters other than the Latin ones (SPEC1, customer.name).
	RequireName bool `json:"require_name,omitempty"`
	AnyName     bool `json:"any_name,omitempty"`
	// Required names the payer fields that S2S requests cannot do without: payer_address, payer_country,
	// payer_city, payer_zip (SPEC1, version history 6.7.0).
	Required []string `json:"required,omitempty"`
	// Language of the page when the request names none (SPEC1, billing_address.language).
	Language string `json:"language,omitempty"`
	// TermsURL shows the Terms and Conditions checkbox on the page, with a link to this text; the payer
	// has to tick it. SPEC1 only names the option: the reading is ours.
	TermsURL string `json:"terms_url,omitempty"`
	// MemoryRedirect is the redirect mode Memory Storage. SPEC1 only names it; our reading: where the payer
	// has to go is kept in the memory of the process that was told and never in the store. A payer who
	// reloads after a restart waits for the outcome instead of being sent again.
	MemoryRedirect bool `json:"memory_redirect,omitempty"`

	// Cascade tries the next MID after a soft decline; CascadingStatus answers a lookup by id with the
	// newest attempt of its cascade (callbacks.md, "Cascading"; Cascading Context for Get Status).
	Cascade         bool `json:"cascade,omitempty"`
	CascadingStatus bool `json:"cascading_status,omitempty"`
	// PreRouting limits the methods of a session that names none: the first rule that fits decides
	// (SPEC1, methods). Without rules, or when none fits, every method of the MIDs is shown.
	PreRouting []PreRoute `json:"pre_routing,omitempty"`

	// ReturnExtras are Return additional parameters: what success_url and cancel_url carry beyond the four,
	// of ReturnExtraNames.
	ReturnExtras []string `json:"return_extras,omitempty"`
	// Add is what callbacks and status answers tell beyond what they always do.
	Add Additions `json:"add,omitzero"`
}

// PreRoute is one rule of pre-routing. An empty condition holds for everything.
type PreRoute struct {
	Currencies []string `json:"currencies,omitempty"`
	Countries  []string `json:"countries,omitempty"` // of the payer's billing address, alpha-2
	Min        string   `json:"min,omitempty"`       // least and greatest amount, inclusive, decimal strings
	Max        string   `json:"max,omitempty"`
	Methods    []string `json:"methods"` // the codes that are left
}

// Additions are the switches of Protocol Mapping that add to callbacks and status answers (SPEC1,
// "Events"; CO662). Names are those of the fields they add.
type Additions struct {
	Card     bool `json:"card,omitempty"`          // card, card_expiration_date in status answers; callbacks always have them
	Brand    bool `json:"brand,omitempty"`         // brand
	ARN      bool `json:"arn,omitempty"`           // ARN: empty in callbacks where there is none, left out of status answers
	COF      bool `json:"cof,omitempty"`           // initiator, source, sequence
	Payer    bool `json:"payer,omitempty"`         // the 15 payer fields (decision ae)
	Method   bool `json:"method,omitempty"`        // checkout_payment_method
	ThreeDS  bool `json:"three_ds,omitempty"`      // the nine result attributes of 3-D Secure
	Browser  bool `json:"browser,omitempty"`       // the ten browser_* attributes
	Extended bool `json:"extended_data,omitempty"` // connector_name, rrn, approval_code, gateway_id, ... (Add Extended Data to Callback)
}

// ReturnExtraNames lists what ReturnExtras may hold.
func ReturnExtraNames() []string {
	return []string{"payment_method", "brand", "card", "order_status", "amount", "currency"}
}

// DefaultMaxDeclines holds where a mapping names no Maximum count declines.
const DefaultMaxDeclines = 3
