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
	// ID names the MID among those of its merchant; 1 to 64 bytes. (ours; required)
	ID string `json:"id"`
	// MerchantID is the merchant it belongs to. (ours; required)
	MerchantID string `json:"merchant"`
	// Name is mid_name in callbacks. (s2s_card.md, SALE)
	Name string `json:"name"`
	// Connector is the name in Config.Connectors of what serves it. (ours; required)
	Connector string `json:"connector"`
	// Disabled takes the MID out of routing. (errors.md, 204002)
	Disabled bool `json:"disabled,omitempty"`
	// Test makes it a MID that only the merchant's test key reaches. (decision r)
	Test bool `json:"test,omitempty"`
	// Mode is the payment mode: SMS, DMS or SMS/DMS. (SPEC1, What the service does; default SMS/DMS)
	Mode Mode `json:"mode,omitempty"`
	// ChannelID is the channel_id that leads here; up to 16 characters. Requests without one come here as well.
	// (SPEC1, channel_id)
	ChannelID string `json:"channel_id,omitempty"`
	// Priority orders the MIDs that can take a payment: the lowest is tried first, among equals the first by ID.
	// (ours)
	Priority int `json:"priority,omitempty"`

	// Methods are the codes of the methods it takes. (SPEC1, channel_id; default empty: every method)
	Methods []string `json:"methods,omitempty"`
	// Brands are the card brands it takes, like visa; the page shows them. (errors.md, 204006; default empty: every
	// brand)
	Brands []Brand `json:"brands,omitempty"`
	// Currencies are the codes of the currencies it takes. (errors.md, 204012; default empty: every currency)
	Currencies []string `json:"currencies,omitempty"`
	// Operations are the first operations of payments that it performs: SALE, which stands for AUTH too, DEBIT,
	// TRANSFER and CREDIT. (our reading of errors.md, 204005 and 204013; default empty: every one)
	Operations []Operation `json:"operations,omitempty"`
	// MOTO lets it take mail and telephone orders. (SPEC1, moto_type)
	MOTO bool `json:"moto,omitempty"`
	// COF registers stored cards with the acquirer: those of card tokens and of chains. (SPEC1, req_token)
	COF bool `json:"cof,omitempty"`
	// ZeroAmount says that the provider takes transactions of nothing; the connector has to declare it too.
	// (SPEC1, Amount format)
	ZeroAmount bool `json:"zero_amount,omitempty"`

	// TimeZone (IANA, like Europe/Paris) is that of the financial day within which a payment can be voided, and
	// of the days that Limits count. (our reading of SPEC1, States and transitions; default UTC)
	TimeZone string `json:"time_zone,omitempty"`
	// DayEnd is when the financial day ends, "HH:MM" local time.
	// (our reading of SPEC1, States and transitions; default midnight)
	DayEnd string `json:"day_end,omitempty"`

	// Limits bound what the MID takes in its financial days. (errors.md, 204007 and 204014)
	Limits Limits `json:"limits,omitzero"`
	// AVS says that the acquirer checks the payer's address: the page then asks for what the request left out
	// of it. (our reading of SPEC1, billing_address)
	AVS bool `json:"avs,omitempty"`
	// ThreeDS says that the acquirer starts 3-D Secure with the payer's address: the page then asks for what
	// the request left out of that. (our reading of SPEC1, billing_address)
	ThreeDS bool `json:"three_ds,omitempty"`

	// Descriptor is what the payer's statement says; up to 20 characters. (methods.md, card)
	Descriptor string `json:"descriptor,omitempty"`
	// LinkTarget is Override Link Target: _blank, _self, _parent or _top; wins over url_target of the request.
	// (SPEC1, url_target; default none: url_target holds)
	LinkTarget string `json:"link_target,omitempty"`

	// Settings go to the connector as they are. Those that the rules of methods read are named in
	// docs/methods.md. (SPEC1 and SPEC2, MID settings)
	Settings map[string]string `json:"settings,omitempty"`
	// Secrets go to the connector as they are, and are kept sealed. (ours)
	Secrets map[string]Secret `json:"secrets,omitempty"`
}

// Limits are the greatest sums a MID takes, as decimal strings in the currency of the payment. Each currency
// is counted by itself.
type Limits struct {
	// Day is that of a financial day of the MID. (our reading of errors.md, 204007)
	Day string `json:"day,omitempty"`
	// Month is that of a month. (our reading of errors.md, 204014)
	Month string `json:"month,omitempty"`
}
