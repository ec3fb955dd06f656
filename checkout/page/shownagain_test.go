package page_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// drawn returns the skeleton of a page, the same with and without faults beside its fields.
func drawn(t *testing.T, body string) string {
	t.Helper()
	return strings.NewReplacer("(li(a href))", "", " aria-invalid", "", " autofocus", "").Replace(skeleton(t, body))
}

// A payer's answer to a question is shown again as text, on the form and after the start.
func TestHostileAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		next gateway.NextAction
		path string
		form func(text string) url.Values
	}{
		"on the form": {methodAction(papara()), "", func(text string) url.Values {
			form := paparaForm()
			form.Set("ask.papara.member.id", text) // only digits are valid
			form.Set("ask.papara.Email", text)
			form.Set("ask.papara.login_otp", text)
			return form
		}},
		"after the start": {askAction(), "/answer", func(text string) url.Values {
			return url.Values{"answer.sms_OTP": {text}, "answer.national_id": {text}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			send := func(text string) string {
				w := call(&kernel{next: c.next}, "POST", "/auth/"+token+c.path, c.form(text).Encode())
				require.Equal(t, 422, w.Code, "%q", text)
				requireCleanHeaders(t, w.Header())
				return bodyOf(w)
			}
			require.Contains(t, send("Plain"), `value="Plain"`, "it is shown again")
			plain := drawn(t, send("Plain"))
			for _, text := range hostile {
				body := send("P" + text)
				require.True(t, plain == drawn(t, body), "%q", text)
				require.NotContains(t, readable(t, body), "\u202e")
			}
		})
	}
}

// A hostile URL of the merchant never becomes more than a link.
func TestHostileLinks(t *testing.T) {
	t.Parallel()
	trees := map[string]string{}
	for _, text := range append([]string{"plain"}, hostile...) {
		target := "https://shop.example/?x=" + text
		for name, next := range map[string]gateway.NextAction{
			"leave": with(func(t *gateway.NextAction) { t.Kind, t.URL, t.Target = gateway.ActionReturn, target, "_top" }),
			"terms": with(func(t *gateway.NextAction) { t.TermsURL = target }),
			"forward": with(func(t *gateway.NextAction) {
				t.Kind, t.Redirect = gateway.ActionRedirect, &store.Redirect{Method: "GET", URL: target,
					Params: []store.RedirectParam{{Name: text, Value: text}}}
			}),
		} {
			w := show(t, next)
			requireCleanHeaders(t, w.Header())
			if text != "plain" && !strings.Contains(bodyOf(w), `href="https://shop.example/`) {
				continue // not a URL: another page, or the same one without a link
			}
			if trees[name] == "" {
				trees[name] = skeleton(t, bodyOf(w))
			}
			require.True(t, trees[name] == skeleton(t, bodyOf(w)), "%s: %q", name, text)
		}
	}
	require.Len(t, trees, 3)
}

// The same through the kernel: every text that it accepts in a session, custom_data and method names included, and
// every result of the acquirer.
func TestHostileSessions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]way{
		"form": {"card", "USD", false}, "declined": {"card", "USD", true}, "details": {"sepa", "EUR", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			plain, ok := c.page(t, kit, "Plain")
			require.True(t, ok)
			taken := 0
			for _, text := range hostile {
				body, ok := c.page(t, kit, "P"+text)
				if !ok {
					continue // the kernel refuses this text
				}
				taken++
				require.True(t, skeleton(t, plain) == skeleton(t, body), "%q", text)
			}
			require.GreaterOrEqual(t, taken, 50)
		})
	}
}

// way is a method, and whether the form is submitted.
type way struct {
	code, currency string
	submit         bool
}

// page returns what the payer sees of a session with a text in every field that accepts one. ok is false when the
// kernel refuses it.
func (c way) page(t *testing.T, kit *gatewaytest.Kit, text string) (body string, ok bool) {
	t.Helper()
	merchant := store.Merchant{
		ID: gatewaytest.MerchantID, Name: text, Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password),
	}
	if kit.SaveMerchant(t.Context(), merchant) != nil {
		return "", false
	}
	custom, err := json.Marshal(map[string]string{"note": text})
	require.NoError(t, err)
	r := gatewaytest.Request(text, "10.00")
	r.Order.Description, r.Order.Currency, r.CustomData, r.Language = text, c.currency, custom, text
	if r.Methods = []string{c.code}; len(text) <= 32 {
		r.Billing.District, r.Billing.City = text, text
	}
	session, err := kit.Shop().CreateSession(t.Context(), r)
	if err != nil {
		require.ErrorIs(t, err, gateway.ErrInvalid)
		return "", false
	}
	token := strings.TrimPrefix(session.RedirectURL, gatewaytest.PublicURL+"/auth/")
	if c.submit {
		kit.Pay(t, token, gatewaytest.Declines)
	}
	w := httptest.NewRecorder()
	page.Handler(kit, page.Options{}).ServeHTTP(w, httptest.NewRequest("GET", "/auth/"+token, nil))
	require.Equal(t, 200, w.Code)
	requireCleanHeaders(t, w.Header())
	return bodyOf(w), true
}
