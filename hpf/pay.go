package hpf

import (
	"context"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway"
	rules "github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// payBody is a payment request (SPEC1, "payment request fields"). Unknown fields are ignored, birth_day
// among them. expected_amount and expected_currency are additions of ours: see gateway.HostedPayment.
type payBody struct {
	Name     string              `json:"name"`
	Hosted   strictjson.Flag     `json:"with_hosted_fields"`
	Billing  sessionjson.Address `json:"billing_address"`
	Browser  browserBody         `json:"browser_info"`
	Email    string              `json:"email"`
	Birth    string              `json:"birth_date"`
	Language string              `json:"selected_language"`
	Amount   string              `json:"expected_amount"`
	Currency string              `json:"expected_currency"`
}

// browserBody is browser_info. Its values are texts; numbers and booleans are taken as well, since that is
// what a page measures (decision m).
type browserBody struct {
	ColorDepth     scalar `json:"color_depth"`
	Java           scalar `json:"java_enabled"`
	JavaScript     scalar `json:"java_script_enabled"`
	Language       scalar `json:"language"`
	ScreenHeight   scalar `json:"screen_height"`
	ScreenWidth    scalar `json:"screen_width"`
	TimeZoneOffset scalar `json:"time_zone_offset"`
	UserAgent      scalar `json:"user_agent"`
	Platform       scalar `json:"platform"`
	AcceptHeader   scalar `json:"accept_header"`
	AcceptHeaders  scalar `json:"accept_headers"` // the name in the change history; read when the other is absent
}

// scalar is the text of a string, a number or a boolean.
type scalar string

var errWantText = errors.New("must be a string")

// UnmarshalJSONValue implements strictjson.ValueDecoder.
func (s *scalar) UnmarshalJSONValue(v strictjson.Value) error {
	switch v.Kind() {
	case strictjson.KindText, strictjson.KindNumber, strictjson.KindBool:
		*s = scalar(v.Text())
		return nil
	}
	return errWantText
}

var payDecoder = strictjson.For[payBody](strictjson.Limits{MaxBytes: MaxCreate})

// payAs answers the endpoint of an operation, which has to be the session's.
func payAs(kind store.Kind) func(context.Context, call) (any, error) {
	return func(ctx context.Context, c call) (any, error) {
		body, faults := payDecoder.Decode(c.body)
		list := sessionjson.Faults(faults)
		if sessionjson.CutShort(faults) {
			return nil, gateway.ErrInvalid.Fields(list...)
		}
		request := body.payment(kind)
		request.Malformed = body.check(faults, list)
		r, err := c.gw.PayHosted(ctx, c.token, request)
		if err != nil {
			return nil, err
		}
		return paid(ctx, c.gw, r), nil
	}
}

// check names what this protocol asks for; what a session's fields hold is for the gateway to say.
func (b *payBody) check(faults strictjson.Faults, list []gateway.Fault) []gateway.Fault {
	refuse := func(path, text string) {
		if text != "" && !faults.Has(path) {
			list = append(list, gateway.Fault{Path: path, Text: text})
		}
	}
	if b.Name == "" {
		refuse("name", textBlank)
	}
	switch {
	case !b.Hosted.Set:
		refuse("with_hosted_fields", textBlank)
	case !b.Hosted.On:
		refuse("with_hosted_fields", "must be true")
	}
	for _, attribute := range b.Browser.attributes() {
		refuse("browser_info."+attribute.wire, attributeFault(attribute.value))
	}
	return list
}

const textBlank = "This value should not be blank."

// maxAttribute bounds a browser attribute, in characters; it is stored with the payment.
const maxAttribute = 2048

func attributeFault(value scalar) string {
	if len(value) > maxAttribute {
		return fmt.Sprintf("This value is too long. It should have %d characters or less.", maxAttribute)
	}
	return rules.Printable(string(value))
}

// payment is the body in the words of the gateway.
func (b *payBody) payment(kind store.Kind) gateway.HostedPayment {
	p := gateway.HostedPayment{
		Kind: kind, Name: b.Name, Email: b.Email, BirthDate: b.Birth, Billing: b.Billing.Store(), Language: b.Language,
		Browser: map[string]string{}, ExpectedAmount: b.Amount, ExpectedCurrency: b.Currency,
	}
	for _, attribute := range b.Browser.attributes() {
		if attribute.value != "" && p.Browser[attribute.name] == "" {
			p.Browser[attribute.name] = string(attribute.value)
		}
	}
	return p
}

// attribute is a browser attribute by its name on the wire and the one that connectors know it by.
type attribute struct {
	wire, name string
	value      scalar
}

// attributes are in order of preference.
func (b *browserBody) attributes() []attribute {
	return []attribute{
		{"color_depth", "color_depth", b.ColorDepth},
		{"java_enabled", "java_enabled", b.Java},
		{"java_script_enabled", "javascript_enabled", b.JavaScript},
		{"language", "language", b.Language},
		{"screen_height", "screen_height", b.ScreenHeight},
		{"screen_width", "screen_width", b.ScreenWidth},
		{"time_zone_offset", "timezone_offset", b.TimeZoneOffset},
		{"user_agent", "user_agent", b.UserAgent},
		{"platform", "platform", b.Platform},
		{"accept_header", "accept_headers", b.AcceptHeader},
		{"accept_headers", "accept_headers", b.AcceptHeaders},
	}
}
