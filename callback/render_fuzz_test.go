package callback_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// FuzzRender writes any text into the fields of a merchant, a payer or an acquirer, in every callback. The body
// reads back with the same names in the same order, holds each text unchanged, and is signed by the formula as a
// merchant computes it.
func FuzzRender(f *testing.F) {
	rows := everyCallback()
	for i := range rows {
		f.Add(uint16(i), "Important gift", i%2 == 0)
	}
	for i, text := range []string{
		"a&hash=0", "a\r\nX-Evil: 1", "\x00", "é=ü;+%2B", "](hash)[", "\xff\xfe", "\u2028<script>", strings.Repeat("😀", 300),
		"straße", "ı\u017fK", " ", "4111111111111111",
	} {
		f.Add(uint16(i*7), text, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, n uint16, text string, sha256 bool) {
		if text == "" {
			t.Skip() // empty values are left out, which another test checks
		}
		c := rows[int(n)%len(rows)]
		plain, e := render(t, event(c)), event(c)
		e.Mapping.SHA256 = e.Mapping.SHA256 || sha256
		slots := written(&e, text)
		body, _, err := callback.Render(e)
		require.NoError(t, err)
		for _, b := range body {
			require.True(t, b > ' ' && b < 0x7f, "a byte that is not of a form: %q", b)
		}
		got := fieldsOf(t, body)
		require.Len(t, got, len(plain))
		for i, field := range plain {
			require.Equal(t, field.Name, got[i].Name)
			if want, ok := slots[field.Name]; ok && field.Value != "" {
				require.Equal(t, want, got[i].Value, field.Name)
			}
		}
		form, err := url.ParseQuery(body)
		require.NoError(t, err)
		require.Equal(t, []string{byHand(t, e, got)}, form["hash"])
		if utf8.ValidString(text) {
			again, _, err := callback.Render(e)
			require.NoError(t, err)
			require.Equal(t, body, again)
		}
	})
}

// written puts a text into the fields of an event, and returns where in the body it has to appear.
func written(e *callback.Event, text string) map[string]string {
	e.Payment.Order.Number, e.Payment.Order.Description = text, text
	payer := &e.Payment.Payer
	for _, slot := range []*string{&payer.Name, &payer.Email, &payer.Address.City, &e.Payment.Identifier} {
		if *slot != "" {
			*slot = text
		}
	}
	if e.Redirect != nil {
		next := *e.Redirect
		next.Params = append([]store.RedirectParam{}, next.Params...)
		next.Params[0].Value = text
		e.Redirect = &next
	}
	slots := map[string]string{"order_number": text, "order_description": text, "customer_name": text,
		"customer_email": text,
		"billing_city":   text, "identifier": text, "redirect_params[PaReq]": text}
	if e.Payment.Protocol != store.Checkout {
		slots["order_id"] = text
	}
	return slots
}
