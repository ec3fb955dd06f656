package page_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// declinedAction returns a form after an attempt that was declined.
func declinedAction(change func(*gateway.NextAction)) gateway.NextAction {
	return with(func(t *gateway.NextAction) {
		t.Declined, t.NeedName, t.TermsURL = "Insufficient funds", true, "https://shop.example/terms"
		t.Methods = []gateway.MethodChoice{
			{Code: "card", Name: "Card", Kind: methods.KindCard, Fields: []gateway.PayerField{{Path: "billing_address.city", Required: true}, {Path: "billing_address.country", Required: true}}},
			papara(),
		}
		t.Kept = &gateway.Kept{Method: "card", Expiry: "01/2038", Terms: true,
			Fields: map[string]string{"customer.name": "Jane Doe", "billing_address.city": "Bonn",
				"billing_address.country": "DE"}}
		change(t)
	})
}

func TestDeclineIsShown(t *testing.T) {
	t.Parallel()
	const retry, other = "Please check the details and try again, use another card or ask your bank.",
		"Please try again or pay another way."
	saved := []gateway.SavedCard{{Mask: "411111******1111", Expiry: "01/2038"},
		{Mask: "555555******4444", Expiry: "01/2038"}}
	for _, c := range []struct {
		name     string
		change   func(*gateway.NextAction)
		has, not []string
	}{
		{"card", func(*gateway.NextAction) {}, []string{retry, `value="01/38"`, `value="Jane Doe"`, `value="Bonn"`, `<option value="DE" selected>`,
			`name="terms" type="checkbox" value="yes" required aria-describedby="terms-error" data-error="Please agree to the Terms and Conditions." checked`,
			`id="method-0" name="method" value="card" checked`}, []string{other, "4111"}},
		{"another method", func(t *gateway.NextAction) { t.Kept.Method, t.Kept.Expiry = "papara", "" },
			[]string{other, `value="papara" checked`}, []string{retry, `value="01/38"`}},
		{"a method that is gone", func(t *gateway.NextAction) { t.Kept.Method = "gone" }, []string{other, `value="card" checked`}, []string{`value="Bonn"`}},
		{"a saved card", func(t *gateway.NextAction) { t.Kept.Saved, t.Kept.Expiry, t.Cards = 2, "", saved },
			[]string{retry, `id="saved-2" name="saved" value="2" data-digits="3" checked`}, nil},
		{"another card than a saved one", func(t *gateway.NextAction) { t.Cards = saved }, []string{`id="saved-0" name="saved" value="0" checked`, `value="01/38"`}, nil},
		{"a saved card that was deleted", func(t *gateway.NextAction) { t.Kept.Saved, t.Kept.Expiry, t.Cards = 1, "", []gateway.SavedCard{{}} },
			[]string{retry}, []string{`class="kept"`}},
		{"a transfer", func(t *gateway.NextAction) {
			t.Operation, t.NeedAmount, t.Order.Amount, t.Kept.Amount = store.Transfer, true, "-1", "25.50"
		}, []string{`value="25.50"`}, nil},
		{"nothing kept", func(t *gateway.NextAction) { t.Kept = nil }, []string{retry}, []string{`value="01/38"`, `value="Bonn"`}},
		{"a number in the wrong field", func(t *gateway.NextAction) { t.Kept.Fields["billing_address.city"] = "4111111111111111" }, nil, []string{"4111"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			body := bodyOf(show(t, declinedAction(c.change)))
			for _, want := range c.has {
				require.Contains(t, body, want)
			}
			for _, no := range append(c.not, `value="123"`) {
				require.NotContains(t, body, no)
			}
		})
	}
}

// The accepted brands are shown before a number is typed.
func TestAcceptedBrands(t *testing.T) {
	t.Parallel()
	list := regexp.MustCompile(`(?s)<ul class="accepted" aria-label="([^"]*)">(.*?)</ul>`)
	for _, c := range []struct {
		name   string
		change func(*gateway.NextAction)
		want   string
	}{
		{"every brand", func(*gateway.NextAction) {}, "Visa, Mastercard, American Express, Diners Club, Discover, JCB, UnionPay, Maestro"},
		{"some", func(t *gateway.NextAction) { t.Methods[0].Brands = []store.Brand{store.Visa, store.Mir} }, "Visa, Mir"},
		{"of two methods", func(t *gateway.NextAction) {
			t.Methods[0].Brands = []store.Brand{store.Visa}
			t.Methods = append(t.Methods, gateway.MethodChoice{Code: "cards", Name: "Cards", Kind: methods.KindCard,
				Brands: []store.Brand{store.JCB, store.Visa}})
		}, "Visa, JCB"},
		{"in German", func(t *gateway.NextAction) { t.Language, t.Methods[0].Brands = "de", []store.Brand{store.Visa} }, "Visa"},
		{"no card", func(t *gateway.NextAction) { t.Methods = t.Methods[1:] }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			next := declinedAction(c.change)
			found := list.FindStringSubmatch(bodyOf(show(t, next)))
			if c.want == "" {
				require.Nil(t, found)
				return
			}
			require.Equal(t, map[string]string{"": "Accepted cards", "de": "Akzeptierte Karten"}[next.Language], found[1])
			var names []string
			for _, name := range regexp.MustCompile(`alt="([^"]*)"|<span>([^<]*)</span>`).FindAllStringSubmatch(found[2], -1) {
				names = append(names, name[1]+name[2])
			}
			require.Equal(t, c.want, strings.Join(names, ", "))
		})
	}
}
