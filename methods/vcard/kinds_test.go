package vcard_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// apm returns a sale by a method that is not a card.
func apm(kind methods.MethodKind, code, parameters string) methods.Operation {
	op := charge(store.OpSale, "k", 0, 0)
	op.Card, op.Method, op.MethodKind, op.Parameters = nil, code, kind, []byte(parameters)
	op.Order.Description = "Two books"
	op.Payer.Email, op.Payer.Address.Phone = "doe@example.com", "347771112233"
	return op
}

// TestKinds: the result of every kind, and when its time is over.
func TestKinds(t *testing.T) {
	t.Parallel()
	const approved, redirect, show, pending = methods.ResultApproved, methods.ResultRedirect, methods.ResultDisplay,
		methods.ResultPending
	for _, row := range []struct {
		name   string
		op     methods.Operation
		window time.Duration
		want   methods.Result
		lasts  time.Duration
	}{
		{"redirect", apm(methods.KindRedirect, "paypal", ""), 0, redirect, vcard.PayerTime},
		{"voucher", apm(methods.KindVoucher, "vouchstar", ""), 0, redirect, vcard.PayerTime},
		{"ips", apm(methods.KindQR, "ips", ""), time.Minute, show, time.Minute},
		{"qr without a window", apm(methods.KindQR, "pix", ""), 0, show, vcard.QRTime},
		{"qr with another window", apm(methods.KindQR, "pix", ""), time.Hour, show, time.Hour},
		{"details", apm(methods.KindDetails, "sepa", ""), 0, show, vcard.DetailsTime},
		{"cuil", apm(methods.KindDetails, "bank-transfer-cuil", `{"bank_cuil":"20-1"}`), 300 * time.Second, show, 300 * time.Second},
		{"curp", apm(methods.KindDetails, "bank-transfer-curp", `{"bank_curp":"C"}`), 0, show, vcard.DetailsTime},
		{"crypto", apm(methods.KindCrypto, "helio", ""), 0, show, vcard.PayerTime},
		{"confirmation", apm(methods.KindConfirmation, "mpesa", ""), 0, pending, vcard.PayerTime},
		{"link", apm(methods.KindLink, "ptn-email", ""), 0, pending, vcard.PayerTime},
		{"collection with everything sent", apm(methods.KindConfirmation, "mobile-collection",
			`{"bankDetails":{"phoneNumber":"1","otp":"123456"}}`), 0, approved, 0},
		{"wallet", apm(methods.KindWallet, "applepay", ""), 0, approved, 0},
		{"payout method", apm(methods.KindPayout, "withdrawal", ""), 0, approved, 0},
		{"brand vcard", apm(methods.KindRedirect, "vcard", ""), 0, approved, 0},
		{"no kind", apm("", "house-method", ""), 0, approved, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a, ctx, op := newAcquirer(t), context.Background(), row.op
			op.Window = row.window
			got := a.Perform(ctx, op)
			require.Equal(t, row.want, got.Result, got.Reason)
			require.True(t, got.Repeats(op))
			a.restart()
			require.Equal(t, got, a.Perform(ctx, op), "a repeated key has the same answer")
			if row.want == approved {
				require.Equal(t, 1, a.entry("k").Effects)
				return
			}
			if got.Display != nil {
				require.Equal(t, a.clock.Now().Add(row.lasts), got.Display.Until)
			}
			a.clock.Advance(row.lasts - time.Nanosecond)
			found := a.Find(ctx, op)
			require.Equal(t, pending, found.Result)
			require.Nil(t, found.Display)
			require.LessOrEqual(t, found.Again, vcard.PollEvery)
			a.clock.Advance(time.Nanosecond)
			late := a.Find(ctx, op)
			require.Equal(t, methods.ResultDeclined, late.Result)
			require.Equal(t, map[bool]string{true: "Payer did not finish", false: "Not paid in time"}[row.want == redirect],
				late.Reason)
			require.ErrorIs(t, a.Resolve(ctx, "k", vcard.Approve()), vcard.ErrDecided, "a late payment is refused")
			require.Zero(t, a.entry("k").Effects)
		})
	}
}

// TestPayerAbsent: payouts, later payments and failing identifiers redirect no payer and display nothing.
func TestPayerAbsent(t *testing.T) {
	t.Parallel()
	for _, kind := range methods.MethodKinds()[1:] {
		payout, later := apm(kind, "some", ""), apm(kind, "some", "")
		payout.Kind, later.Authentication = store.OpCredit, methods.AuthOff
		paid := methods.ResultApproved
		if kind == methods.KindCrypto {
			paid = methods.ResultPending
		}
		require.Equal(t, paid, newAcquirer(t).Perform(context.Background(), payout).Result, kind)
		require.Equal(t, methods.ResultApproved, newAcquirer(t).Perform(context.Background(), later).Result, kind)
		fails := apm(kind, "some", `{"identifier":"fail@gmail.com"}`)
		require.Equal(t, methods.ResultDeclined, newAcquirer(t).Perform(context.Background(), fails).Result, kind)
	}
}

func details(s *methods.Display) map[string]string {
	all := map[string]string{}
	for _, d := range s.Details {
		all[d.Label] = d.Value
	}
	return all
}

func TestDisplay(t *testing.T) {
	t.Parallel()
	perform := func(op methods.Operation) *methods.Display {
		a := newAcquirer(t, named)
		show := a.Perform(context.Background(), op).Display
		require.NotNil(t, show)
		last := show.Details[len(show.Details)-1]
		require.Equal(t, vcard.PayHere, last.Label)
		require.True(t, strings.HasPrefix(last.Value, "https://acquirer.example/vcard/pay?"), last.Value)
		return show
	}
	ips := apm(methods.KindQR, "ips", "")
	ips.Currency, ips.MID.Descriptor, ips.Order.Description = "EUR", "Demo shop",
		"Two|books\nand a pen, which is more than fits"
	require.Equal(t,
		"K:PR|V:01|C:1|R:000000000000000000|N:Demo shop|I:EUR10,00|S:Two books and a pen, which is more |RO:order-k",
		perform(ips).QR)
	require.Equal(t, "TOLLGATE TEST PAYMENT\nOrder: order-k\nAmount: 10.00 USD\nFor: Two books\nReference: reference",
		perform(apm(methods.KindQR, "pix", "")).QR)

	transfer := apm(methods.KindDetails, "sepa", "")
	shown := perform(transfer)
	require.Empty(t, shown.QR)
	require.Equal(t, vcard.TestAccount, details(shown)["Account"])
	transfer.MID.Settings = map[string]string{vcard.AccountSetting: "2850590940090418135201"}
	shown = perform(transfer)
	require.Equal(t, "2850590940090418135201", details(shown)["Account"])
	require.Equal(t, "10.00 USD", details(shown)["Amount"])
	require.Equal(t, "reference", details(shown)["Reference"])

	coin := perform(apm(methods.KindCrypto, "crypto-wallet", `{"crypto_type":"USDT","network_type":"tron"}`))
	require.Equal(t, "USDT", details(coin)["Asset"])
	require.Equal(t, "tron", details(coin)["Network"])
	require.Equal(t, "tron:"+details(coin)["Address"]+"?amount=10.00", coin.QR)
	require.Len(t, details(coin)["Address"], 36)

	require.Equal(t, "doe@example.com", details(perform(apm(methods.KindLink, "ptn-email", "")))["Link sent to"])
	require.Equal(t, "347771112233", details(perform(apm(methods.KindLink, "ptn-sms", "")))["Link sent to"])
	require.NotEmpty(t, details(perform(apm(methods.KindConfirmation, "mpesa", "")))["To do"])
}

// displayOps returns an operation of each kind that is paid on /pay.
func displayOps() map[string]methods.Operation {
	return map[string]methods.Operation{
		"qr":           apm(methods.KindQR, "ips", ""),
		"details":      apm(methods.KindDetails, "sepa", ""),
		"crypto":       apm(methods.KindCrypto, "helio", ""),
		"confirmation": apm(methods.KindConfirmation, "mpesa", ""),
		"link":         apm(methods.KindLink, "ptn-sms", ""),
	}
}

// payHere presses a button on the page that the display links to.
func (b browser) payHere(a methods.Answer, button string) string {
	link := a.Display.Details[len(a.Display.Details)-1].Value
	to, form := b.read(b.send("GET", link, nil))
	form.Set("decision", button)
	w := b.send("POST", to, form)
	require.Equal(b.a.tb, http.StatusOK, w.Code, w.Body.String())
	again := b.send("POST", to, form)
	require.Equal(b.a.tb, w.Body.String(), again.Body.String(), "the first decision counts")
	require.Equal(b.a.tb, w.Body.String(), b.send("GET", link, nil).Body.String())
	return w.Body.String()
}

func TestPayPage(t *testing.T) {
	t.Parallel()
	for name, op := range displayOps() {
		for button, want := range map[string]methods.Result{"confirm": methods.ResultApproved,
			"fail": methods.ResultDeclined} {
			t.Run(name+" "+button, func(t *testing.T) {
				t.Parallel()
				a, ctx := newAcquirer(t), context.Background()
				sent := a.Perform(ctx, op)
				a.restart()
				page := browser{a}.payHere(sent, button)
				require.Contains(t, page, map[string]string{"confirm": "<h1>Paid", "fail": "<h1>Not paid"}[button])
				require.Contains(t, page, `role="status"`)
				a.clock.Advance(time.Hour)
				found := a.Find(ctx, op)
				require.Equal(t, want, found.Result)
				require.Equal(t, map[string]string{"fail": "Payer refused to pay"}[button], found.Reason)
				require.Equal(t, map[string]int{"confirm": 1}[button], a.entry("k").Effects)
				require.Equal(t, want, a.Perform(ctx, op).Result)
				require.Equal(t, map[string]int{"confirm": 1}[button], a.entry("k").Effects)
			})
		}
	}
}

func TestPayPageIsStrict(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	b := browser{a}
	sent := a.Perform(ctx, apm(methods.KindQR, "ips", ""))
	link := sent.Display.Details[len(sent.Display.Details)-1].Value
	require.NotContains(t, link, "gateway.example", "the return URL is a secret of the gateway")
	w := b.send("GET", link, nil)
	require.Equal(t, "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'self'",
		w.Header().Get("Content-Security-Policy"))
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	require.NotContains(t, w.Body.String(), "<script")
	require.Contains(t, w.Body.String(), "10.00 USD")

	away := a.Perform(ctx, charge(store.OpSale, "bank", 2038, 12))
	u, err := url.Parse(away.Redirect.URL)
	require.NoError(t, err)
	good, err := url.Parse(link)
	require.NoError(t, err)
	for _, query := range []url.Values{
		{}, {"payment": {sent.Reference}}, {"payment": {sent.Reference}, "ticket": {"x"}},
		u.Query(), {"payment": {away.Reference}, "ticket": good.Query()["ticket"]},
	} {
		require.Equal(t, http.StatusNotFound, b.send("GET", "https://acquirer.example/vcard/pay?"+query.Encode(), nil).Code)
		query.Set("decision", "confirm")
		require.Equal(t, http.StatusNotFound, b.send("POST", "https://acquirer.example/vcard/pay/decision", query).Code)
	}
	odd := good.Query()
	odd.Set("decision", "maybe")
	require.Equal(t, http.StatusNotFound, b.send("POST", "https://acquirer.example/vcard/pay/decision", odd).Code)
	require.Equal(t, vcard.StateShown, a.entry("k").State)
	a.clock.Advance(vcard.QRTime)
	require.Contains(t, b.send("GET", link, nil).Body.String(), "Not paid in time")
	odd.Set("decision", "confirm")
	b.send("POST", "https://acquirer.example/vcard/pay/decision", odd)
	require.Zero(t, a.entry("k").Effects)
}

// TestScriptedKinds: a script replaces the kind's behaviour, and a scripted refusal declines at the end.
func TestScriptedKinds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, op := range displayOps() {
		a := newAcquirer(t)
		a.Next(vcard.SoftDecline("scripted"))
		got := a.Perform(ctx, op)
		require.Equal(t, methods.ResultDeclined, got.Result, name)
		require.True(t, got.Soft)

		a = newAcquirer(t)
		a.Next(vcard.UnknownAfter())
		require.Equal(t, methods.ResultUnknown, a.Perform(ctx, op).Result)
		require.Equal(t, methods.ResultPending, a.Find(ctx, op).Result)
		browser{a}.payHere(a.Perform(ctx, op), "confirm")
		require.Equal(t, 1, a.entry("k").Effects)
	}
}

// TestDisplayedHold: an authorization by a displayed method is captured like any other.
func TestDisplayedHold(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := apm(methods.KindQR, "ips", "")
	op.Kind = store.OpAuth
	sent := a.Perform(ctx, op)
	early := a.Perform(ctx, follow(op, store.OpCapture, "early", "10.00"))
	require.Equal(t, "Charge is not approved", early.Reason)
	browser{a}.payHere(sent, "confirm")
	require.True(t, a.entry("k").Captured.IsZero())
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, follow(op, store.OpCapture, "c", "10.00")).Result)
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, follow(op, store.OpRefund, "r", "4.00")).Result)
}
