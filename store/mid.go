package store

// Mode is the payment mode of a MID (SPEC1, "What the service does").
type Mode string

// The three modes. The zero value counts as SMSDMS, as merchants without a mode are migrated.
const (
	SMS    Mode = "SMS"     // authorize and capture together
	DMS    Mode = "DMS"     // authorize, capture later
	SMSDMS Mode = "SMS/DMS" // either
)

// MID is one merchant account at an acquirer: which connector serves it, for what, and how.
type MID struct {
	ID         string `json:"id"`
	MerchantID string `json:"merchant"`
	Name       string `json:"name"`
	Connector  string `json:"connector"` // a name of Config.Connectors
	Disabled   bool   `json:"disabled,omitempty"`
	Test       bool   `json:"test,omitempty"` // reached by the merchant's test key only
	Mode       Mode   `json:"mode,omitempty"`
	ChannelID  string `json:"channel_id,omitempty"` // up to 16 characters
	Priority   int    `json:"priority,omitempty"`   // lower is tried first

	Methods    []string `json:"methods,omitempty"`    // empty: every method
	Currencies []string `json:"currencies,omitempty"` // empty: every currency
	MOTO       bool     `json:"moto,omitempty"`
	ZeroAmount bool     `json:"zero_amount,omitempty"` // the provider takes zero-value transactions

	// TimeZone (IANA) and DayEnd give the financial day within which a payment can be voided: it ends
	// at DayEnd, "HH:MM" local time. The zero value is midnight UTC.
	TimeZone string `json:"time_zone,omitempty"`
	DayEnd   string `json:"day_end,omitempty"`

	// Limits bound what the MID takes in a day, a week that begins on Monday and a month of its financial
	// days; decimal strings in the currency of the payment, each currency counted by itself.
	Limits Limits `json:"limits,omitzero"`
	// AVS and ThreeDS say that the acquirer checks the payer's address, or starts 3-D Secure with it: the
	// page then asks for what the request left out (SPEC1, billing_address).
	AVS     bool `json:"avs,omitempty"`
	ThreeDS bool `json:"three_ds,omitempty"`

	Descriptor string `json:"descriptor,omitempty"` // on the payer's statement, up to 20 characters
	// LinkTarget is Override Link Target: _blank, _self, _parent or _top; wins over url_target.
	LinkTarget string `json:"link_target,omitempty"`

	// Settings and Secrets go to the connector as they are; Secrets are kept sealed.
	Settings map[string]string `json:"settings,omitempty"`
	Secrets  map[string]Secret `json:"secrets,omitempty"`
}

// Limits are the greatest sums of a MID; an empty one is none.
type Limits struct {
	Day   string `json:"day,omitempty"`
	Week  string `json:"week,omitempty"`
	Month string `json:"month,omitempty"`
}
