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
	// RequireName asks the payer for the cardholder's name when the request brought none.
	RequireName bool `json:"require_name,omitempty"`
	// ExtendedData adds connector_name, rrn, approval_code, gateway_id, merchant_name, mid_name,
	// issuer_country and issuer_bank to callbacks (CO662, Add Extended Data to Callback).
	ExtendedData bool `json:"extended_data,omitempty"`
	// Language of the page when neither request nor browser settles it.
	Language string `json:"language,omitempty"`
}

// DefaultMaxDeclines holds where a mapping names no Maximum count declines.
const DefaultMaxDeclines = 3
