package store

import (
	"strings"
	"unicode"
)

// Payer is the payer, as far as the request or the page named them. Checkout has one name, S2S its parts; each
// form is made of the other.
type Payer struct {
	Name       string `json:"name,omitempty"`
	FirstName  string `json:"first_name,omitempty"`
	MiddleName string `json:"middle_name,omitempty"`
	LastName   string `json:"last_name,omitempty"`

	Email     string  `json:"email,omitempty"`
	BirthDate string  `json:"birth_date,omitempty"` // yyyy-mm-dd
	IP        string  `json:"ip,omitempty"`
	Address   Address `json:"address,omitzero"`
}

// Address is a billing address (SPEC1, billing_address).
type Address struct {
	Country          string `json:"country,omitempty"` // ISO 3166-1 alpha-2
	State            string `json:"state,omitempty"`
	City             string `json:"city,omitempty"`
	Address          string `json:"address,omitempty"`
	Address2         string `json:"address2,omitempty"` // S2S only
	HouseNumber      string `json:"house_number,omitempty"`
	Zip              string `json:"zip,omitempty"`
	Phone            string `json:"phone,omitempty"`
	PhoneCountryCode string `json:"phone_country_code,omitempty"`
	District         string `json:"district,omitempty"`
}

// FullName returns the name in one piece: as it was sent, or made of its parts.
func (p Payer) FullName() string {
	if p.Name != "" {
		return p.Name
	}
	if isWord(p.FirstName) && isWord(p.LastName) { // most names
		return p.FirstName + " " + p.LastName
	}
	return strings.Join(strings.Fields(p.FirstName+" "+p.LastName), " ")
}

func isWord(text string) bool { return text != "" && strings.IndexFunc(text, unicode.IsSpace) < 0 }

// Parts returns the first and the last name: as they were sent, or Name cut before its last word.
func (p Payer) Parts() (first, last string) {
	if p.FirstName != "" || p.LastName != "" {
		return p.FirstName, p.LastName
	}
	i := strings.LastIndexByte(p.Name, ' ')
	if i < 0 {
		return p.Name, ""
	}
	return p.Name[:i], p.Name[i+1:]
}

// WalletFacts is what is known of a wallet's token (checkout.md, "Callback parameters").
type WalletFacts struct {
	Wallet  string `json:"wallet"`             // googlepay or applepay
	PANType string `json:"pan_type,omitempty"` // dpan or fpan
}

// COF is how a stored card is used (SPEC1, version history: Card-on-File). The zero value is a card that is not
// stored.
type COF struct {
	Initiator string `json:"initiator,omitempty"` // ByCardholder or ByMerchant
	Source    string `json:"source,omitempty"`    // Recurring or Unscheduled
	Sequence  string `json:"sequence,omitempty"`  // FirstUse or SubsequentUse
}

// The values of COF are ours: SPEC1 names the attributes only.
const (
	ByCardholder  = "cardholder"  // the payer is present
	ByMerchant    = "merchant"    // the payer is absent: a later payment of a chain, or payer_present=N
	Recurring     = "recurring"   // a payment of a chain, scheduled or not
	Unscheduled   = "unscheduled" // a card token, or a card that the merchant stored
	FirstUse      = "first"       // the payer agrees to the card being stored
	SubsequentUse = "subsequent"
)

// CardFacts are the parts of a card that may be shown.
type CardFacts struct {
	Mask   string `json:"mask"`   // 411111******1111
	Expiry Expiry `json:"expiry"` // MM/YYYY
	Brand  string `json:"brand,omitempty"`
}
