package vcard_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

func coin(parameters string) methods.Operation {
	op := apm(methods.KindCrypto, "helio", parameters)
	op.Currency = "BTC"
	return op
}

// open returns a payment whose payer chooses the amount.
func open(op methods.Operation) methods.Operation {
	op.AmountOpen, op.Amount = true, store.Amount{}
	return op
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, network, parameters, want, code string }{
		{"none", "", "", vcard.TestNetwork, "ERC20"},
		{"named", "TRC20", `{"network_type":"tron"}`, "TRC20", "TRC20"},
		{"by the method", "", `{"network_type":"tron"}`, "tron", "tron"},
		{"in the form of an address", "a:b?amount=1/é", "", "a:b?amount=1/é", "a:b%3Famount=1%2F%C3%A9"},
		{"too long", strings.Repeat("n", 60), "", strings.Repeat("n", 50), strings.Repeat("n", 50)},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a, ctx, op := newAcquirer(t), context.Background(), coin(row.parameters)
			op.CryptoNetwork = row.network
			sent := a.Perform(ctx, op)
			require.Equal(t, methods.ResultDisplay, sent.Result)
			address := sent.Facts.CryptoAddress
			require.Equal(t, store.Facts{CryptoAddress: address, CryptoNetwork: row.want}, sent.Facts)
			require.Equal(t, row.code+":"+address+"?amount=10.00", sent.Display.QR)
			require.Equal(t, []string{row.want, address, "10.00 BTC"},
				[]string{details(sent.Display)["Network"], details(sent.Display)["Address"], details(sent.Display)["Amount"]})
			require.Equal(t, sent.Facts, a.Find(ctx, op).Facts)
			require.NoError(t, a.Pay(ctx, "k", store.Amount{}))
			paid := a.Find(ctx, op)
			require.Equal(t, methods.ResultApproved, paid.Result)
			require.Equal(t, []string{address, row.want}, []string{paid.Facts.CryptoAddress, paid.Facts.CryptoNetwork})
			require.NotEmpty(t, paid.Facts.RRN)
		})
	}
}

func TestOpenAmount(t *testing.T) {
	t.Parallel()
	a, ctx, op := newAcquirer(t), context.Background(), open(coin(""))
	sent := a.Perform(ctx, op)
	require.Equal(t, methods.ResultDisplay, sent.Result, sent.Reason)
	require.True(t, sent.Repeats(op))
	require.NotContains(t, sent.Display.QR, "amount")
	require.Equal(t, "Any amount in BTC", details(sent.Display)["Amount"])
	b, link := browser{a}, details(sent.Display)[vcard.PayHere]
	page := b.send("GET", link, nil)
	require.Contains(t, page.Body.String(), `<label for="amount">Amount in BTC</label>`)
	require.NotContains(t, page.Body.String(), "<dl>", "no amount is shown")
	to, form := b.read(page)
	form.Set("decision", "confirm")
	for _, wrote := range []string{"", "0", "0.00", "-1", "1e3", "1,5", " 1", "1.", "x\"><script>", "1234567890123456",
		"0.1234567890123456789"} {
		form.Set("amount", wrote)
		w := b.send("POST", to, form)
		require.Equal(t, http.StatusUnprocessableEntity, w.Code, wrote)
		require.Contains(t, w.Body.String(), `role="alert">Enter an amount above zero, like 1.</p>`)
		require.Contains(t, w.Body.String(), `aria-invalid="true"`)
		require.NotContains(t, w.Body.String(), "<script>")
		require.Equal(t, vcard.StateShown, a.entry("k").State)
	}
	form.Set("amount", "0.00150")
	require.Contains(t, b.send("POST", to, form).Body.String(), "0.00150 BTC")
	form.Set("amount", "7")
	require.Contains(t, b.send("POST", to, form).Body.String(), "0.00150 BTC", "the first decision counts")
	a.restart()
	paid := a.Find(ctx, op)
	require.Equal(t, methods.ResultApproved, paid.Result)
	require.Equal(t, "0.00150", paid.Amount.String())
	note, err := a.Notify(ctx, "k")
	require.NoError(t, err)
	require.Equal(t, paid, a.Notification(ctx, op, note))
	require.Equal(t, paid, a.Perform(ctx, op), "a repeated key has the same answer")
	known := op
	known.AmountOpen, known.Amount = false, store.MustAmount("0.0015")
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, known).Result, "the gateway knows the amount meanwhile")
	known.Amount = store.MustAmount("0.0016")
	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, known).Result)
	require.Equal(t, 1, a.entry("k").Effects)
	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, follow(known, store.OpRefund, "above", "0.0016")).Result)
	require.Equal(t, methods.ResultApproved, a.Perform(ctx, follow(known, store.OpRefund, "all", "0.0015")).Result)
}

func TestOpenRefused(t *testing.T) {
	t.Parallel()
	a, ctx, op := newAcquirer(t), context.Background(), open(coin(""))
	page := browser{a}.payHere(a.Perform(ctx, op), "fail")
	require.Contains(t, page, "<h1>Not paid")
	require.Equal(t, methods.ResultDeclined, a.Find(ctx, op).Result)
	require.ErrorIs(t, a.Pay(ctx, "k", store.MustAmount("1")), vcard.ErrDecided)

	// an open amount is not zero
	late := newAcquirer(t, func(c *vcard.Config) { c.Capabilities = &methods.Capabilities{} })
	late.Perform(ctx, op)
	late.clock.Advance(vcard.PayerTime)
	require.Equal(t, "Not paid in time", late.Find(ctx, op).Reason)
}

// TestOpenIsPositive: an open amount that is approved is above zero, however it is approved.
func TestOpenIsPositive(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for currency, unit := range map[string]string{"USD": "1.00", "JPY": "1", "KWD": "1.000", "BTC": "1"} {
		op := open(coin(""))
		op.Currency = currency
		for name, approve := range map[string]func(a *acquirer){
			"resolved": func(a *acquirer) { a.Perform(ctx, op); require.NoError(t, a.Resolve(ctx, "k", vcard.Approve())) },
			"scripted": func(a *acquirer) { a.Next(vcard.Approve()); a.Perform(ctx, op) },
			"late":     func(a *acquirer) { a.Next(vcard.Late(time.Second)); a.Perform(ctx, op); a.clock.Advance(time.Second) },
			"noted": func(a *acquirer) {
				a.Perform(ctx, op)
				_, err := a.BankNote(ctx, "k", vcard.BankACSC)
				require.NoError(t, err)
			},
		} {
			a := newAcquirer(t)
			approve(a)
			got := a.Find(ctx, op)
			require.Equal(t, methods.ResultApproved, got.Result, name)
			require.Equal(t, unit, got.Amount.String(), name)
			require.Equal(t, unit, a.entry("k").Captured.String(), name)
		}
	}
}

// TestOpenEverywhere: for every method the payer is asked for the amount, if a payer is present.
func TestOpenEverywhere(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, kind := range methods.MethodKinds() {
		for _, code := range []string{"some", "vcard"} {
			a, op := newAcquirer(t), open(apm(kind, code, ""))
			sent := a.Perform(ctx, op)
			require.NotNil(t, sent.Display, kind)
			require.Equal(t, "Any amount in USD", details(sent.Display)["Amount"], kind)
			require.ErrorIs(t, a.Pay(ctx, "k", store.MustAmount("1.005")), store.ErrAmount, "finer than the currency")
			require.ErrorIs(t, a.Pay(ctx, "k", store.Amount{}), store.ErrAmount)
			require.NoError(t, a.Pay(ctx, "k", store.MustAmount("12.34")))
			require.Equal(t, "12.34", a.Find(ctx, op).Amount.String(), kind)

			op.Authentication = methods.AuthOff
			require.Equal(t, "Nobody is there to choose the amount", newAcquirer(t).Perform(ctx, op).Reason)
		}
	}
	card := open(charge(store.OpSale, "k", 2038, 1))
	require.Equal(t, "Nobody is there to choose the amount", newAcquirer(t).Perform(ctx, card).Reason)
	fails := open(coin(""))
	fails.Identifier = "fail@gmail.com"
	require.Equal(t, "Declined by processing", newAcquirer(t).Perform(ctx, fails).Reason)
	require.ErrorIs(t, newAcquirer(t).Pay(ctx, "k", store.MustAmount("1")), store.ErrNotFound)
}

// TestCryptoPayout: the network takes its time to confirm.
func TestCryptoPayout(t *testing.T) {
	t.Parallel()
	a, ctx, op := newAcquirer(t), context.Background(), coin("")
	op.Kind, op.CryptoNetwork, op.ReturnURL = store.OpCredit, "TRC20", ""
	sent := a.Perform(ctx, op)
	require.Equal(t, methods.ResultPending, sent.Result)
	require.Equal(t, store.Facts{CryptoNetwork: "TRC20"}, sent.Facts, "the address is the payee's")
	a.clock.Advance(vcard.PendingFor - time.Nanosecond)
	require.Equal(t, methods.ResultPending, a.Find(ctx, op).Result)
	a.clock.Advance(time.Nanosecond)
	paid := a.Find(ctx, op)
	require.Equal(t, methods.ResultApproved, paid.Result)
	require.Equal(t, "TRC20", paid.Facts.CryptoNetwork)
	require.Equal(t, 1, a.entry("k").Effects)
	for _, fail := range []func(*methods.Operation){
		func(op *methods.Operation) { op.Identifier = "fail@gmail.com" },
		func(op *methods.Operation) { op.Payer.Email = "fail@gmail.com" },
	} {
		refused := op
		fail(&refused)
		require.Equal(t, methods.ResultDeclined, newAcquirer(t).Perform(ctx, refused).Result)
	}
}
