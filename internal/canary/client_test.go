package canary

import (
	"encoding/json"
	"maps"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// card is a payer's card. Its number and code are two of the canaries.
type card struct{ number, code string }

// The canaries: five networks' numbers, codes of four digits.
var cards = []card{
	{"4601541833776519", "9371"}, {"5555555555554444", "8264"}, {"378282246310005", "7195"}, {"4012888888881881", "6482"}, {"2223003122003222", "5938"},
}

// email is every payer's.
const email = "doe@example.com"

// next is another card each time.
func (f *flows) next() card {
	f.used++
	return cards[f.used%len(cards)]
}

type object = map[string]any

func text(o any) string {
	bits, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(bits)
}

// ask posts JSON and requires status 200.
func (f *flows) ask(method, path string, body object, headers ...string) map[string]any {
	f.t.Helper()
	w := f.call(method, path, "application/json", text(body), headers...)
	require.Equal(f.t, 200, w.Code, w.Body.String())
	answer := map[string]any{}
	require.NoError(f.t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer
}

// purchase is a signed session request, with changes.
func (f *flows) purchase(order string, changes object) object {
	body := object{
		"merchant_key": gatewaytest.MerchantKey, "operation": "purchase", "success_url": "https://shop.example/success",
		"cancel_url": "https://shop.example/cancel",
		"return_url": "https://shop.example/return",
		"order":      object{"number": order, "amount": "10.00", "currency": "USD", "description": "Important gift"},
		"customer":   object{"email": email},
	}
	maps.Copy(body, changes)
	told := body["order"].(object)
	body["hash"] = signature.Sign(signature.CheckoutSession, signature.MD5, signature.Inputs{
		OrderNumber: told["number"].(string), Amount: told["amount"].(string), Currency: "USD",
		Description: told["description"].(string),
	}, gatewaytest.Password)
	return body
}

// link is the path of a payment page.
func (f *flows) link(order string, changes object) string {
	f.t.Helper()
	answer := f.ask("POST", "/api/v1/session", f.purchase(order, changes))
	return strings.TrimPrefix(answer["redirect_url"].(string), gatewaytest.PublicURL)
}

// hidden finds the hidden fields of a form.
var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// submit types a card into the page.
func (f *flows) submit(link string, c card, expiry string, changes ...string) *httptest.ResponseRecorder {
	f.t.Helper()
	form := url.Values{"card_number": {strings.Join(grouped(c.number, " ")[:1], "")}, "expiry": {expiry}, "cvv": {c.code},
		"name": {"John Doe"}}
	for _, m := range hidden.FindAllStringSubmatch(f.call("GET", link, "", "").Body.String(), -1) {
		form.Set(m[1], m[2])
	}
	for i := 0; i+1 < len(changes); i += 2 {
		form.Set(changes[i], changes[i+1])
	}
	w := f.call("POST", link, "application/x-www-form-urlencoded", form.Encode())
	f.call("GET", link, "", "")
	return w
}

// pay is submit of a valid card.
func (f *flows) pay(link string, c card, expiry string) {
	f.t.Helper()
	w := f.submit(link, c, expiry)
	require.Equal(f.t, 303, w.Code, w.Body.String())
	f.Work(f.t)
}

// back confirms at the issuer's page, if there is a link to it.
func (f *flows) back(link string) {
	f.t.Helper()
	next, err := f.NextAction(f.t.Context(), strings.TrimPrefix(link, "/auth/"))
	require.NoError(f.t, err)
	require.NotNil(f.t, next.Redirect)
	target, brought := f.Away(f.t, next.Redirect, "confirm")
	path := strings.TrimPrefix(target, gatewaytest.PublicURL)
	f.call("POST", path, "application/x-www-form-urlencoded", url.Values(brought.Params).Encode())
	f.call("GET", link, "", "")
	f.Work(f.t)
}

// sale returns the fields of an S2S request with a card.
func (f *flows) sale(action, order string, c card, month string, pairs ...string) url.Values {
	form := url.Values{}
	for name, value := range map[string]string{
		"action": action, "client_key": gatewaytest.MerchantKey, "order_id": order, "order_amount": "10.00",
		"order_currency":    "USD",
		"order_description": "Product", "card_number": c.number, "card_exp_month": month, "card_exp_year": "2038",
		"card_cvv2":        c.code,
		"payer_first_name": "John", "payer_last_name": "Doe", "payer_email": email, "payer_phone": "199999999",
		"payer_ip":     "123.123.123.123",
		"term_url_3ds": "http://client.site.com/return.php",
	} {
		form.Set(name, value)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
		if pairs[i+1] == "" {
			form.Del(pairs[i])
		}
	}
	return form
}

// post signs a form and sends it; it requires the result, if one is given.
func (f *flows) post(formula signature.Formula, in signature.Inputs, form url.Values, result string) map[string]any {
	f.t.Helper()
	form.Set("hash", signature.Sign(formula, signature.MD5, in, gatewaytest.Password))
	w := f.call("POST", "/post", "application/x-www-form-urlencoded", form.Encode())
	answer := map[string]any{}
	require.NoError(f.t, json.Unmarshal(w.Body.Bytes(), &answer))
	if result != "" {
		require.Equal(f.t, result, answer["result"], w.Body.String())
	}
	f.Work(f.t)
	return answer
}

// charge is post of a sale by Formula 1.
func (f *flows) charge(form url.Values, result string) map[string]any {
	f.t.Helper()
	number := form.Get("card_number")
	if number == "" {
		number = form.Get("payer_card_number")
	}
	in, formula := signature.Inputs{Email: email, Card: number, CardToken: form.Get("card_token")}, signature.Card1
	if number == "" && in.CardToken != "" {
		formula = signature.Card1Token
	}
	return f.post(formula, in, form, result)
}

// follow is a request about an S2S payment with a card.
func (f *flows) follow(action string, payment any, c card, result string, pairs ...string) {
	f.t.Helper()
	id := payment.(string)
	form := url.Values{"action": {action}, "client_key": {gatewaytest.MerchantKey}, "trans_id": {id}}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	f.post(signature.Card2, signature.Inputs{Email: email, TransID: id, Card: c.number}, form, result)
}
