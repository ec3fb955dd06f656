package gateway_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// Options that show in what comes after the payment, or only on one page.
var laterOptions = []option{
	{"Mapping.ShortAmounts", allDoors, wish{}, nil,
		func(o *owned) { o.mapping.ShortAmounts = true },
		fact(func(t testing.TB, f *front, p store.Payment) any {
			if _, err := f.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4")); err != nil {
				return refused
			}
			return "refunded"
		}), [2]any{refused, "refunded"}, "of a refund"},
	{"Mapping.ShortAmounts", []string{byPage}, wish{amount: "-1", transfer: true}, nil,
		func(o *owned) { o.mapping.ShortAmounts = true }, chosenAmount, [2]any{refused, "10"}, "that the payer chooses"},
	{"Mapping.CascadingStatus", []string{byPage, byHPF, byCard, byAPM}, wish{},
		func(o *owned) { o.second, o.mapping.Cascade = true, true },
		func(o *owned) { o.mapping.CascadingStatus = true }, firstStatus, [2]any{store.Declined, store.Settled}, ""},
	{"Mapping.TermsURL", []string{byPage}, wish{}, nil,
		func(o *owned) { o.mapping.TermsURL = "https://shop.example/terms" }, paidAtAll, [2]any{"paid", refused}, ""},
	{"Mapping.TermsURL", []string{byPage}, wish{}, nil,
		func(o *owned) { o.mapping.TermsURL = "https://shop.example/terms" },
		onForm(func(next *gateway.NextAction) any {
			return next.TermsURL
		}), [2]any{"", "https://shop.example/terms"}, "shown"},
	{"Merchant.Origins", []string{byPage}, wish{}, nil,
		func(o *owned) { o.merchant.Origins = []string{"https://frames.example"} },
		onForm(func(next *gateway.NextAction) any { return len(next.Origins) }), [2]any{0, 1}, ""},
	{"Merchant.Origins", []string{byHPF}, wish{}, nil,
		func(o *owned) { o.merchant.Origins = []string{"https://frames.example"} },
		func(t testing.TB, f *front, _ payDoor, _ wish) any {
			s, err := f.Shop().CreateHosted(t.Context(), kerneltest.HostedRequest("ORD-1"))
			require.NoError(t, err)
			list, err := f.HostedFields().Origins(t.Context(), s.ID)
			require.NoError(t, err)
			return list[0]
		}, [2]any{"https://shop.example", "https://frames.example"}, ""},
	{"Mapping.CryptoSaleSignature", []string{byAPM}, wish{}, nil,
		func(o *owned) { o.mapping.CryptoSaleSignature = store.SignedByEmail }, coinSignature, [2]any{false, true}, ""},
}

// onForm is a part of the form of a session.
func onForm(of func(*gateway.NextAction) any) func(testing.TB, *front, payDoor, wish) any {
	return func(t testing.TB, f *front, _ payDoor, _ wish) any {
		return of(kerneltest.NextActionOf(t, f.Kit, f.Session(t, "ORD-1", "10.00")))
	}
}

// chosenAmount is the payment of a payer who chooses the amount of a transfer and enters it short.
func chosenAmount(t testing.TB, f *front, _ payDoor, _ wish) any {
	r := gatewaytest.Request("ORD-1", "-1")
	r.Operation, r.Extra.Payee = "transfer", &store.Payer{Name: "Jane Roe"}
	in := gateway.Submission{Card: gatewaytest.Settles, PayeeCard: gatewaytest.Settles.PAN, Amount: "10"}
	if _, err := f.PaySession(t.Context(), f.SessionOf(t, r), in); err != nil {
		return refused
	}
	return f.Payment(t, "ORD-1").Order.Amount
}

// firstStatus is the result of a lookup of the first attempt of a cascade, by its protocol.
func firstStatus(t testing.TB, f *front, d payDoor, w wish) any {
	f.Vcard.Next(vcard.SoftDecline("Try elsewhere"))
	require.NoError(t, d.pay(t, f, w))
	first := f.paid(t, d).Cascade
	found, err := f.Shop().Status(t.Context(), gateway.Lookup{PaymentID: first})
	require.NoError(t, err)
	if d.protocol == store.Checkout {
		return found[0].Payment.Status
	}
	path, formula, in := "/post", signature.Card2, signature.Inputs{Email: "doe@example.com", TransID: first,
		Card: "4111111111111111"}
	if d.protocol == store.S2SAPM {
		path, formula = "/post-va", signature.APMTrans
	}
	form := map[string][]string{"action": {"GET_TRANS_STATUS"}, "client_key": {gatewaytest.MerchantKey},
		"trans_id": {first}}
	body, err := f.post(t, path, f.sign(form, formula, in))
	require.NoError(t, err)
	require.Equal(t, body["status"], string(found[0].Payment.Status), "by Go as by the wire")
	return store.Status(body["status"].(string))
}

// coinSignature is whether the callback of a crypto SALE is signed over the e-mail.
func coinSignature(t testing.TB, f *front, _ payDoor, _ wish) any {
	p := kerneltest.Charged(t, f.Kit, "ORD-1", gatewaytest.Settles, kerneltest.GoesBack, func(r *gateway.ChargeRequest) {
		kerneltest.ViaAPM(r)
		r.Method, r.Order.Currency, r.Order.Amount, r.Payer.Email = "helio", "USDT", "1.00", "doe@example.com"
	}).Payment
	in := signature.Inputs{Email: "doe@example.com", TransID: p.ID, OrderID: "ORD-1",
		Status: lastCallbackField(t, f, "status")}
	return lastCallbackField(t, f, "hash") == signature.Sign(signature.APMCryptoCallback, signature.MD5, in,
		gatewaytest.Password)
}

// backOn is a part of the page that the payer sees after the issuer.
func backOn(of func(*gateway.NextAction) any) func(testing.TB, *front, payDoor, wish) any {
	return fact(func(t testing.TB, f *front, _ store.Payment) any {
		t.Helper()
		page := f.ComeBack(t, f.next)
		token, ours := strings.CutPrefix(page, gatewaytest.PublicURL+"/auth/")
		require.True(t, ours, page)
		return of(kerneltest.NextActionOf(t, f.Kit, token))
	})
}

// broughtBack is a parameter of the payer's return to the merchant.
func broughtBack(name string) func(testing.TB, *front, payDoor, wish) any {
	return fact(func(t testing.TB, f *front, _ store.Payment) any {
		t.Helper()
		if f.result != nil {
			params, err := f.HostedFields().ReturnParams(t.Context(), f.result)
			require.NoError(t, err)
			for _, p := range params {
				if p.Name == name {
					return p.Value
				}
			}
			return ""
		}
		u, err := url.Parse(kerneltest.NextActionOf(t, f.Kit, f.token).URL)
		require.NoError(t, err)
		return u.Query().Get(name)
	})
}
