package store

// Payer is who pays, as far as the request or the page told.
type Payer struct {
	Name      string  `json:"name,omitempty"`
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
	HouseNumber      string `json:"house_number,omitempty"`
	Zip              string `json:"zip,omitempty"`
	Phone            string `json:"phone,omitempty"`
	PhoneCountryCode string `json:"phone_country_code,omitempty"`
	District         string `json:"district,omitempty"`
}

// CardFacts is what may be shown of a card.
type CardFacts struct {
	Mask   string `json:"mask"`   // 411111******1111
	Expiry Expiry `json:"expiry"` // MM/YYYY
	Brand  string `json:"brand,omitempty"`
}
