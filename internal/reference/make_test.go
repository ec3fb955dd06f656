package reference_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/internal/reference"
)

// make is a sample of a call that has none: each field that it may need, with the value that another sample of the page
// has for it; a required one that none has gets one of its own form.
func (p page) make(c contract.Call) sample {
	s := sample{call: c.Name, made: true, signed: map[string]string{"payer_email": ofPayment["payer_email"]}}
	if p.protocol != contract.S2SAPM {
		s.signed = ofPayment
	}
	if c.Token {
		s.token = "{" + p.samples[0].call + ".token}"
	}
	for _, f := range c.Fields {
		if slices.Contains([]string{"hash", "client_key", "merchant_key"}, f.Path) || f.Requirement == contract.Optional {
			continue
		}
		value := p.example(c, f)
		if value == "" && f.Requirement == contract.Required {
			value = formed(f)
		}
		if value != "" {
			s.values = append(s.values, [2]string{f.Path, value})
		}
	}
	return s
}

// example is the value of a field in the other samples. A request with an amount makes a payment, under an order number
// of its own; any other is about the first payment of the page.
func (p page) example(c contract.Call, f contract.Field) string {
	pays := slices.ContainsFunc(c.Fields, func(f contract.Field) bool {
		return f.Path == "order_amount" || f.Path == "order.amount"
	})
	switch {
	case f.Path == "action":
		return c.Action
	case pays && (f.Path == "order_id" || f.Path == "order.number"):
		return c.Name + "-1"
	case f.Path == "trans_id" || f.Path == "payment_id":
		return "{" + p.samples[0].call + "." + f.Path + "}"
	}
	for _, s := range p.samples {
		for _, pair := range s.values {
			if pair[0] == f.Path {
				return pair[1]
			}
		}
	}
	return ""
}

// formats are values of the formats that forms name.
var formats = map[string]string{"uri": "https://shop.example/", "email": "doe@example.com", "date": "2027-03-10"}

// formed is a value of the form of a field, as far as its description tells one.
func formed(f contract.Field) string {
	shortest := 1
	for _, form := range f.Forms {
		switch {
		case len(form.Choices) > 0:
			return form.Choices[0]
		case form.Format != "":
			return formats[form.Format]
		}
		shortest = max(shortest, form.Min)
	}
	return strings.Repeat("1", shortest)
}

// Calls whose own sample is taken away get one that the gateway takes.
func TestMadeSamples(t *testing.T) {
	t.Parallel()
	for i, names := range []string{
		"status refund", "", "AUTH CREDIT2CARD GET_TRANS_STATUS GET_TRANS_STATUS_BY_ORDER GET_TRANS_DETAILS VOID CREDITVOID " +
			"SCHEDULE_INFO PAUSE_SCHEDULE CREATE_SCHEDULE",
		"GET_TRANS_STATUS GET_TRANS_DETAILS DEBIT2VIRTUAL CREDITVOID",
	} {
		for name := range strings.FieldsSeq(names) {
			t.Run(pages()[i].file+" "+name, func(t *testing.T) {
				t.Parallel()
				p := pages()[i]
				p.samples = slices.DeleteFunc(slices.Clone(p.samples), func(s sample) bool { return s.call == name })
				s := newStage(t, p.calls)
				for _, c := range p.calls {
					var made reference.Sample
					for _, sample := range p.of(c) {
						made = s.play(sample)
					}
					if c.Name == name {
						require.Equal(t, 200, made.Status, "%s\n%s", made.Command, made.Answer)
						return
					}
				}
				require.Fail(t, "no such call")
			})
		}
	}
}
