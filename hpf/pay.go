package hpf

import (
	"context"
	"errors"

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

// browserBody is browser_info. Its values are texts; numbers and booleans are accepted too, because that is what a
// page measures (decision m).
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
	AcceptHeaders  scalar `json:"accept_headers"` // the name in the change history; used when the other is absent
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

// payAs serves the endpoint of one operation, which has to be the session's.
func payAs(kind store.Kind) func(context.Context, call) (any, error) {
	return func(ctx context.Context, c call) (any, error) {
		body, faults, whole := payDecoder.Read(c.body)
		list := sessionjson.Faults(faults)
		if !whole {
			return nil, gateway.ErrInvalid.Fields(list...)
		}
		request := body.payment(kind)
		request.Malformed = append(list, payFields.Faults(&body, faults.Has)...)
		r, err := c.gw.HostedFields().Pay(ctx, c.token, request)
		if err != nil {
			return nil, err
		}
		return paid(ctx, c.gw, r), nil
	}
}

// payFields are the fields that this protocol checks; the gateway checks the session's own.
var payFields = newPayFields()

func newPayFields() *rules.Table[*payBody] {
	list := []rules.Field[*payBody]{
		{Path: "name", Value: func(b *payBody) string { return b.Name }, Needed: rules.Always[*payBody](), Lines: true},
		{Path: "with_hosted_fields", Check: hostedFault, Needed: rules.Always[*payBody](), Form: rules.Form{Choices: []string{"true", "Y"}}},
	}
	for _, a := range attributes {
		list = append(list, rules.Field[*payBody]{
			Path: "browser_info." + a.wire, Value: func(b *payBody) string { return string(a.value(&b.Browser)) },
			Rules: []rules.Rule[*payBody]{rules.Plain[*payBody](isAttribute)},
		})
	}
	return &rules.Table[*payBody]{Fields: list}
}

func hostedFault(b *payBody) []gateway.Fault {
	switch {
	case !b.Hosted.Set:
		return []gateway.Fault{{Path: "with_hosted_fields", Text: rules.TextBlank}}
	case !b.Hosted.On:
		return []gateway.Fault{{Path: "with_hosted_fields", Text: rules.TextTrue}}
	}
	return nil
}

// maxAttribute bounds a browser attribute, in bytes; it is stored with the payment.
const maxAttribute = 2048

var isAttribute = rules.ValueRule{Form: rules.Form{Max: maxAttribute, Words: rules.TextSize(maxAttribute)},
	Check: func(value string) string {
		return rules.Sound(len(value) <= maxAttribute, rules.TextLong(maxAttribute))
	}}

// payment converts the body into a request of the gateway.
func (b *payBody) payment(kind store.Kind) gateway.HostedPayment {
	p := gateway.HostedPayment{
		Kind: kind, Name: b.Name, Email: b.Email, BirthDate: b.Birth, Billing: b.Billing.Store(), Language: b.Language,
		Browser: map[string]string{}, ExpectedAmount: b.Amount, ExpectedCurrency: b.Currency,
	}
	for _, a := range attributes {
		if value := string(a.value(&b.Browser)); value != "" && p.Browser[a.name] == "" {
			p.Browser[a.name] = value
		}
	}
	return p
}

// attributes are the browser attributes: their names in the protocol, in order of preference, and their names for
// connectors.
var attributes = []struct {
	wire, name string
	value      func(*browserBody) scalar
}{
	{"color_depth", "color_depth", func(b *browserBody) scalar { return b.ColorDepth }},
	{"java_enabled", "java_enabled", func(b *browserBody) scalar { return b.Java }},
	{"java_script_enabled", "javascript_enabled", func(b *browserBody) scalar { return b.JavaScript }},
	{"language", "language", func(b *browserBody) scalar { return b.Language }},
	{"screen_height", "screen_height", func(b *browserBody) scalar { return b.ScreenHeight }},
	{"screen_width", "screen_width", func(b *browserBody) scalar { return b.ScreenWidth }},
	{"time_zone_offset", "timezone_offset", func(b *browserBody) scalar { return b.TimeZoneOffset }},
	{"user_agent", "user_agent", func(b *browserBody) scalar { return b.UserAgent }},
	{"platform", "platform", func(b *browserBody) scalar { return b.Platform }},
	{"accept_header", "accept_headers", func(b *browserBody) scalar { return b.AcceptHeader }},
	{"accept_headers", "accept_headers", func(b *browserBody) scalar { return b.AcceptHeaders }},
}
