package sessionjson

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

// checkoutBody is the request of Checkout.
type checkoutBody struct {
	common
	Customer customer `json:"customer"`
}

// hostedBody is the request of Hosted Payment Fields: Checkout does not read its additional fields.
type hostedBody struct {
	common
	ReturnURL string `json:"return_url"`
	Customer  struct {
		customer
		IP string `json:"ip"`
	} `json:"customer"`
}

var (
	checkoutDecoder = strictjson.For[checkoutBody](strictjson.Limits{MaxBytes: MaxBytes})
	hostedDecoder   = strictjson.For[hostedBody](strictjson.Limits{MaxBytes: MaxBytes})
)

// Checkout reads the body of a session request. Faults of its fields are put into the request, for the gateway to
// report with its own. It returns gateway.ErrInvalid for a body that could not be read to its end.
func Checkout(text []byte) (merchantKey string, r gateway.SessionRequest, err error) {
	body, faults, whole := checkoutDecoder.Read(text)
	r, err = read(faults, whole, func() gateway.SessionRequest { return body.request(body.Customer) })
	return body.MerchantKey, r, err
}

// Hosted is Checkout for the token request of Hosted Payment Fields (hpf.md, "Token request").
func Hosted(text []byte) (merchantKey string, r gateway.SessionRequest, err error) {
	body, faults, whole := hostedDecoder.Read(text)
	r, err = read(faults, whole, func() gateway.SessionRequest {
		r := body.request(body.Customer.customer)
		r.ReturnURL, r.Customer.IP = body.ReturnURL, body.Customer.IP
		return r
	})
	return body.MerchantKey, r, err
}

func read(faults strictjson.Faults, whole bool,
	request func() gateway.SessionRequest) (gateway.SessionRequest, error) {
	malformed := Faults(faults)
	if !whole {
		return gateway.SessionRequest{}, gateway.ErrInvalid.Fields(malformed...)
	}
	r := request()
	r.Malformed = malformed
	return r, nil
}
