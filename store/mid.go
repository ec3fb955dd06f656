package store

// Mode is the payment mode of a MID (SPEC1, "What the service does").
type Mode string

// The three modes. The zero value counts as SMSDMS, as merchants without a mode are migrated.
const (
	SMS    Mode = "SMS"     // authorize and capture together
	DMS    Mode = "DMS"     // authorize, capture later
	SMSDMS Mode = "SMS/DMS" // either
)

// MID is one merchant account at an acquirer: which connector serves it, for which payments, and how.
type MID struct {
	// ID names the MID among those of its merchant; 1 to 64 bytes. (ours; required)
	ID string `json:"id"`
	// MerchantID is the merchant it belongs to. (ours; required)
	MerchantID string `json:"merchant"`
	// Name is mid_name in callbacks. (s2s_card.md, SALE)
	Name string `json:"name"`
	// Connector is the name, in Config.Connectors, of the connector that serves it. (ours; required)
	Connector string `json:"connector"`
	// Disabled takes the MID out of routing. (errors.md, 204002)
	Disabled bool `json:"disabled,omitempty"`
	// Test makes it a MID for test traffic: only the merchant's test key reaches it. (decision r)
	Test bool `json:"test,omitempty"`
	// Mode is the payment mode: SMS, DMS or SMS/DMS. (SPEC1, What the service does; default SMS/DMS)
	Mode Mode `json:"mode,omitempty"`
	// ChannelID is the channel_id that leads here; up to 16 characters. Requests without a channel_id may use this
	// MID too. (SPEC1, channel_id)
	ChannelID string `json:"channel_id,omitempty"`
	// Priority orders the MIDs that can take a payment: the lowest is tried first; of equal ones, the first by ID.
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
	// MOTO allows mail and telephone orders. (SPEC1, moto_type)
	MOTO bool `json:"moto,omitempty"`
	// COF registers stored cards with the acquirer: the cards of card tokens and of chains. (SPEC1, req_token)
	COF bool `json:"cof,omitempty"`
	// ZeroAmount says that the provider accepts transactions of amount zero; the connector has to declare it too.
	// (SPEC1, Amount format)
	ZeroAmount bool `json:"zero_amount,omitempty"`

	// TimeZone (IANA, like Europe/Paris) is the zone of the financial day within which a payment can be voided, and
	// of the days that Limits count. (our reading of SPEC1, States and transitions; default UTC)
	TimeZone string `json:"time_zone,omitempty"`
	// DayEnd is when the financial day ends, "HH:MM" local time.
	// (our reading of SPEC1, States and transitions; default midnight)
	DayEnd string `json:"day_end,omitempty"`

	// Limits bound the amounts that the MID takes in its financial days. (errors.md, 204007 and 204014)
	Limits Limits `json:"limits,omitzero"`
	// AVS says that the acquirer checks the payer's address. The page then asks for the parts of it that the request
	// left out. (our reading of SPEC1, billing_address)
	AVS bool `json:"avs,omitempty"`
	// ThreeDS says that the acquirer starts 3-D Secure with the payer's address. The page then asks for the parts of
	// it that the request left out. (our reading of SPEC1, billing_address)
	ThreeDS bool `json:"three_ds,omitempty"`

	// Descriptor is the text on the payer's statement; up to 20 characters. (methods.md, card)
	Descriptor string `json:"descriptor,omitempty"`
	// LinkTarget is Override Link Target: _blank, _self, _parent or _top; wins over url_target of the request.
	// (SPEC1, url_target; default none: url_target applies)
	LinkTarget string `json:"link_target,omitempty"`

	// Settings are passed to the connector unchanged. docs/methods.md names those that the rules of methods read.
	// (SPEC1 and SPEC2, MID settings)
	Settings map[string]string `json:"settings,omitempty"`
	// Secrets are passed to the connector unchanged, and are kept sealed. (ours)
	Secrets map[string]Secret `json:"secrets,omitempty"`
}

// Limits are the greatest sums that a MID takes, as decimal strings in the currency of the payment. Each currency
// is counted separately.
type Limits struct {
	// Day is the limit of a financial day of the MID. (our reading of errors.md, 204007)
	Day string `json:"day,omitempty"`
	// Month is the limit of a month. (our reading of errors.md, 204014)
	Month string `json:"month,omitempty"`
}
