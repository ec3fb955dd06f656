package page_test

import (
	"encoding/json"
	"errors"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func applePay(fields ...gateway.PayerField) gateway.MethodChoice {
	return gateway.MethodChoice{Code: "applepay", Name: "Apple Pay", Kind: methods.KindWallet, Fields: fields,
		Wallet: &gateway.WalletRequest{Apple: &gateway.AppleRequest{
			CountryCode: "DE", CurrencyCode: "EUR", MerchantCapabilities: []string{"supports3DS"},
			SupportedNetworks: []string{"visa"}, Label: `The "Shop" <b>`, Amount: "1284.50",
		}}}
}

func googlePay(environment store.WalletEnvironment, merchant string) gateway.MethodChoice {
	return gateway.MethodChoice{Code: "googlepay", Name: "Google Pay", Kind: methods.KindWallet,
		Wallet: &gateway.WalletRequest{Google: &gateway.GoogleRequest{
			Environment: environment, MerchantID: merchant, Gateway: "tollgate", GatewayMerchantID: "key-1",
			AuthMethods: []string{"PAN_ONLY"},
			Networks:    []string{"VISA"}, CurrencyCode: "EUR", Amount: "1284.50",
		}}}
}

const (
	googleSources = "connect-src 'self' https://google.com/pay https://pay.google.com; "
	cannotPay     = "This browser cannot pay with this method here."
)

func TestWalletsAreShown(t *testing.T) {
	t.Parallel()
	bare := gateway.MethodChoice{Code: "applepay", Name: "Apple Pay", Kind: methods.KindWallet}
	for _, c := range []struct {
		name     string
		next     gateway.NextAction
		google   bool
		has, not []string
	}{
		{
			name: "beside a card", next: methodAction(applePay(), googlePay(store.WalletTest, ""), card()), google: true,
			has: []string{
				`<div class="wallets" id="wallets" hidden>`, `data-wallet="apple" data-code="applepay"`,
				`data-wallet="google" data-code="googlepay"`,
				`<button class="wallet-button" type="button">Pay with Apple Pay</button>`,
				`<button class="wallet-button" type="button">Pay with Google Pay</button>`,
				`<span>or pay by card</span>`, `<h2>Card details</h2>`, `<input type="hidden" name="method" value="card">`,
				"/page/assets/wallet.",
			},
			not: []string{`type="radio"`, cannotPay, "<noscript>", `value="applepay"`},
		},
		{
			name: "beside other methods", next: methodAction(card(), applePay(), ips()),
			has: []string{`<span>or pay another way</span>`, `id="method-0" name="method" value="card" checked>`,
				`id="method-2" name="method" value="ips">`},
			not: []string{`id="method-1"`},
		},
		{
			name: "first of all, and the next is preset", next: methodAction(applePay(), ips(), card()),
			has: []string{`id="method-1" name="method" value="ips" checked>`, `id="method-2" name="method" value="card">`},
		},
		{
			name: "alone", next: methodAction(applePay()),
			has: []string{`<p class="notice" id="no-wallet" hidden>` + cannotPay, "<noscript><p class=\"notice\">" + cannotPay,
				"Pay with Apple Pay</button>"},
			not: []string{`class="button"`, `class="or"`, "card_number", `type="hidden" name="method"`},
		},
		{
			name: "nothing to ask it with, and alone", next: methodAction(bare),
			has: []string{`<p class="notice" id="no-wallet">` + cannotPay}, not: []string{`class="button"`, "<noscript>",
				"wallet.", `id="wallets"`},
		},
		{
			name: "nothing to ask it with, beside a card", next: methodAction(bare, card()),
			has: []string{`class="button"`}, not: []string{cannotPay, `id="wallets"`, "/page/assets/wallet."},
		},
		{
			name: "the amount is not known yet", next: with(func(t *gateway.NextAction) {
				t.NeedAmount, t.Methods = true, []gateway.MethodChoice{applePay(), card()}
			}), not: []string{`id="wallets"`},
		},
		{
			name: "the payer has to enter the city", next: methodAction(applePay(gateway.PayerField{Path: "billing_address.city",
				Required: true}), card()),
			has: []string{
				`<div class="owed" id="wallet-0-owed" role="group" aria-label="Apple Pay" hidden>`,
				`name="payer.applepay.billing_address.city"`,
				`aria-expanded="false" aria-controls="wallet-0-owed"`,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := show(t, c.next)
			body := bodyOf(w)
			require.Equal(t, 200, w.Code, body)
			for _, text := range c.has {
				require.Equal(t, 1, strings.Count(body, text), text)
			}
			for _, text := range c.not {
				require.NotContains(t, body, text)
			}
			require.Equal(t, c.google, strings.Contains(w.Header().Get("Content-Security-Policy"), googleSources))
			require.Contains(t, w.Header().Get("Permissions-Policy"), "payment=(self)")
			require.NotContains(t, body, "://", "nothing of others is loaded")
		})
	}
}

func TestRequestsToWallets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		choice gateway.MethodChoice
		want   string
	}{
		{"Apple Pay", applePay(), `{"countryCode":"DE","currencyCode":"EUR","merchantCapabilities":["supports3DS"],"supportedNetworks":["visa"],
			"total":{"label":"The \"Shop\" <b>","amount":"1284.50","type":"final"}}`},
		{"Google Pay in production", googlePay("", "BCR2"), `{"environment":"PRODUCTION","apiVersion":2,"apiVersionMinor":0,"merchantInfo":{"merchantId":"BCR2","merchantName":"Northwind Ceramics"},
			"allowedPaymentMethods":[{"type":"CARD","parameters":{"allowedAuthMethods":["PAN_ONLY"],"allowedCardNetworks":["VISA"]},
			"tokenizationSpecification":{"type":"PAYMENT_GATEWAY","parameters":{"gateway":"tollgate","gatewayMerchantId":"key-1"}}}],
			"transactionInfo":{"currencyCode":"EUR","totalPriceStatus":"FINAL","totalPrice":"1284.50"}}`},
		{"Google Pay in test", googlePay(store.WalletTest, ""), `{"environment":"TEST","apiVersion":2,"apiVersionMinor":0,"merchantInfo":{"merchantName":"Northwind Ceramics"},
			"allowedPaymentMethods":[{"type":"CARD","parameters":{"allowedAuthMethods":["PAN_ONLY"],"allowedCardNetworks":["VISA"]},
			"tokenizationSpecification":{"type":"PAYMENT_GATEWAY","parameters":{"gateway":"tollgate","gatewayMerchantId":"key-1"}}}],
			"transactionInfo":{"currencyCode":"EUR","totalPriceStatus":"FINAL","totalPrice":"1284.50"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := attributes(t, bodyOf(show(t, methodAction(c.choice))), "data-code", c.choice.Code)
			require.JSONEq(t, c.want, got["data-ask"])
			if c.choice.Wallet.Google != nil {
				require.Equal(t, []string{"Northwind Ceramics", "EUR", "1284.50"}, []string{got["data-label"],
					got["data-currency"], got["data-sum"]})
			}
		})
	}
}

func TestWalletsInArabic(t *testing.T) {
	t.Parallel()
	body := bodyOf(show(t, in("ar", methodAction(applePay(), card()))))
	require.Contains(t, body, ">ادفع باستخدام \u2068Apple Pay\u2069</button>")
}

// appleToken is a token as a page sends it.
const appleToken = ` {"paymentData":{"data":"x"}} `

func walletForm(change ...string) url.Values {
	form := url.Values{"attempt": {"2"}, "method": {"applepay"}, "wallet_token": {appleToken},
		"browser_javascript_enabled": {"true"}}
	for i := 0; i+1 < len(change); i += 2 {
		form.Set(change[i], change[i+1])
	}
	return form
}

func TestWalletTokenIsSent(t *testing.T) {
	t.Parallel()
	declined, leave := formAction(), formAction()
	declined.Declined, declined.Attempt = "no", 3
	leave.Kind = gateway.ActionReturn
	ends := func(status gateway.ReturnStatus) gateway.NextAction {
		leave := leave
		leave.Status = status
		return leave
	}
	waits := formAction()
	waits.Kind = gateway.ActionPoll
	for _, c := range []struct {
		name   string
		after  gateway.NextAction
		result string
	}{
		{"paid", ends(gateway.ReturnPaid), "success"},
		{"not known yet", ends(gateway.ReturnUndefined), "success"},
		{"on to the bank", waits, "success"},
		{"declined", declined, "fail"},
		{"declined for good", ends(gateway.ReturnDeclined), "fail"},
		{"expired", ends(gateway.ReturnExpired), "fail"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &kernel{next: methodAction(card(), applePay()), after: &c.after}
			form := walletForm("card_number", "4111 1111 1111 1111", "cvv", "123")
			w := call(k, "POST", "/auth/"+token, form.Encode(), "Accept", "application/json")
			require.Equal(t, 200, w.Code)
			require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			require.JSONEq(t, `{"result":"`+c.result+`"}`, bodyOf(w))
			require.Len(t, k.paid, 1)
			require.Equal(t, "applepay", k.paid[0].Method)
			require.Equal(t, strings.TrimSpace(appleToken), k.paid[0].WalletToken)
			require.Equal(t, methods.Card{}, k.paid[0].Card)
			require.Equal(t, "true", k.paid[0].Browser["javascript_enabled"])
		})
	}
	k := &kernel{next: methodAction(card(), applePay())}
	require.Equal(t, 303, call(k, "POST", "/auth/"+token, walletForm().Encode()).Code, "a form is sent on to the page")
	form := goodForm()
	form.Set("wallet_token", appleToken)
	form.Set("method", "card")
	require.Equal(t, 303, call(k, "POST", "/auth/"+token, form.Encode()).Code)
	require.Empty(t, k.paid[1].WalletToken, "a card has none")
}

func TestWalletTokenIsSentOnce(t *testing.T) {
	t.Parallel()
	waits := methodAction(applePay())
	waits.Kind = gateway.ActionPoll
	for _, next := range []gateway.NextAction{waits, methodAction(applePay())} {
		k := &kernel{next: next}
		w := call(k, "POST", "/auth/"+token, walletForm("attempt", "1").Encode(), "Accept", "application/json")
		require.Equal(t, 200, w.Code)
		require.Empty(t, k.paid)
	}
}

func TestWalletFaults(t *testing.T) {
	t.Parallel()
	city := gateway.PayerField{Path: "billing_address.city", Required: true}
	refusedToken := gateway.ErrInvalid.Fields(gateway.Fault{Path: "wallet_token", Text: "is not valid"})
	for _, c := range []struct {
		name   string
		form   url.Values
		payErr error
		status int
		want   string
		paid   int
	}{
		{"no token", walletForm("wallet_token", ""), nil, 422, `{"result":"fail","faults":[{"field":"","text":"Please choose how to pay."}]}`, 0},
		{"no object", walletForm("wallet_token", `"x"`), nil, 422, `{"result":"fail","faults":[{"field":"","text":"Please choose how to pay."}]}`, 0},
		{"half a token", walletForm("wallet_token", `{"a":`), nil, 422, `{"result":"fail","faults":[{"field":"","text":"Please choose how to pay."}]}`, 0},
		{"a long one", walletForm("wallet_token", `{"a":"`+strings.Repeat("a", 32<<10)+`"}`), nil, 422, `{"result":"fail","faults":[{"field":"","text":"Please choose how to pay."}]}`, 0},
		{"a field that is owed", walletForm("payer.applepay.billing_address.city", ""), nil, 422,
			`{"result":"fail","faults":[{"field":"payer-1-0","text":"City is required."}]}`, 0},
		{"a token that is not believed", walletForm(), refusedToken, 422,
			`{"result":"fail","faults":[{"field":"","text":"This payment cannot be made this way. Please try another way to pay."}]}`, 1},
		{"a field that is refused", walletForm(), gateway.ErrInvalid.Fields(gateway.Fault{Path: city.Path, Text: "no"}), 422,
			`{"result":"fail","faults":[{"field":"payer-1-0","text":"Please enter a valid City"}]}`, 1},
		{"our own fault", walletForm(), errors.New("hunter2"), 500, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &kernel{next: methodAction(card(), applePay(city)), payErr: c.payErr}
			if !c.form.Has("payer.applepay.billing_address.city") {
				c.form.Set("payer.applepay.billing_address.city", "Oslo")
			}
			w := call(k, "POST", "/auth/"+token, c.form.Encode(), "Accept", "application/json")
			require.Equal(t, c.status, w.Code)
			require.Len(t, k.paid, c.paid)
			if c.want != "" {
				require.JSONEq(t, c.want, bodyOf(w))
			}
			require.NotContains(t, bodyOf(w), "hunter2")
			for _, body := range []string{bodyOf(w), bodyOf(call(k, "POST", "/auth/"+token, c.form.Encode()))} {
				require.NotContains(t, html.UnescapeString(body), "paymentData", "a token is never shown again")
			}
		})
	}
	foreign := call(&kernel{next: methodAction(applePay())}, "POST", "/auth/"+token, walletForm().Encode(), "Accept",
		"application/json", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, foreign.Code)
	require.False(t, json.Valid(foreign.Body.Bytes()))
}

// A form without a method pays with the first one that the form's own button can pay.
func TestNoMethodIsNoWallet(t *testing.T) {
	t.Parallel()
	k := &kernel{next: methodAction(applePay(), card())}
	require.Equal(t, 303, call(k, "POST", "/auth/"+token, goodForm().Encode()).Code)
	require.Equal(t, "card", k.paid[0].Method)
	alone := &kernel{next: methodAction(applePay())}
	require.Equal(t, 422, call(alone, "POST", "/auth/"+token, goodForm().Encode()).Code)
	require.Empty(t, alone.paid)
}
