// Package sessionjson reads the bodies of session requests, which Checkout and Hosted Payment Fields have in
// common, into the gateway's types. It also has the other things that the two protocols spell alike.
package sessionjson

import (
	"encoding/json"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// MaxBytes bounds the body of a request that creates (decision aj).
const MaxBytes = 1 << 20

// Address is billing_address and payee_billing_address. Language belongs only to billing_address.
type Address struct {
	Country          string `json:"country"`
	State            string `json:"state"`
	City             string `json:"city"`
	Address          string `json:"address"`
	HouseNumber      string `json:"house_number"`
	Zip              string `json:"zip"`
	Phone            string `json:"phone"`
	PhoneCountryCode string `json:"phone_country_code"`
	District         string `json:"district"`
	Language         string `json:"language"`
}

// Store returns the address as records have it.
func (a *Address) Store() store.Address {
	return store.Address{
		Country: a.Country, State: a.State, City: a.City, Address: a.Address, HouseNumber: a.HouseNumber,
		Zip: a.Zip, Phone: a.Phone, PhoneCountryCode: a.PhoneCountryCode, District: a.District,
	}
}

// usualObject is the size of most free-form objects, in bytes.
const usualObject = 256

// Object returns a free-form object as JSON, nil when it was not sent or is empty (decision ap).
func Object(o strictjson.Object) json.RawMessage {
	if o.Len() == 0 {
		return nil
	}
	return o.AppendJSON(make([]byte, 0, usualObject))
}

// Faults converts the decoder's faults, the first one of each field.
func Faults(faults strictjson.Faults) []gateway.Fault {
	list := make([]gateway.Fault, 0, len(faults))
	for i, fault := range faults {
		if !faults[:i].Has(fault.Path) {
			list = append(list, gateway.Fault{Path: strings.ToValidUTF8(fault.Path, "?"), Text: fault.Text})
		}
	}
	return list
}
