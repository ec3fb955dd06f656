package vcard_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// TestPayer opens every page and presses every button, with a restart at each step.
func TestPayer(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name        string
		year, month int
		button      string
		want        methods.Result
		reason      string
	}{
		{"05 confirm", 2038, 5, "confirm", methods.ResultApproved, ""},
		{"05 fail", 2038, 5, "fail", methods.ResultDeclined, "3-D Secure authentication failed"},
		{"06 confirm", 2038, 6, "confirm", methods.ResultDeclined, "Declined by processing"},
		{"06 fail", 2038, 6, "fail", methods.ResultDeclined, "3-D Secure authentication failed"},
		{"12/2038 confirm", 2038, 12, "confirm", methods.ResultApproved, ""},
		{"12/2038 cancel", 2038, 12, "fail", methods.ResultDeclined, "Payer cancelled at the bank"},
		{"12/2039 confirm", 2039, 12, "confirm", methods.ResultDeclined, "Declined by processing"},
		{"12/2039 cancel", 2039, 12, "fail", methods.ResultDeclined, "Payer cancelled at the bank"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a, ctx := newAcquirer(t), context.Background()
			op := charge(store.OpAuth, "k", row.year, row.month)
			sent := a.Perform(ctx, op)
			require.Equal(t, sent, a.Perform(ctx, op), "asking again sends to the same page")
			a.restart()
			target, back := browser{a}.press(sent.Redirect, row.button)
			require.True(t, strings.HasPrefix(target, "https://gateway.example/return/k?"), target)
			require.Contains(t, target, "secret=k", "the return URL's own query is kept")
			a.restart()
			// The first decision counts, whatever is pressed next.
			_, again := browser{a}.press(sent.Redirect, map[string]string{"confirm": "fail", "fail": "confirm"}[row.button])
			require.Equal(t, back, again)
			op.Continuation = sent.Continuation
			got := a.Complete(ctx, op, back)
			require.Equal(t, row.want, got.Result)
			require.Equal(t, row.reason, got.Reason)
			require.True(t, got.Repeats(op))
			require.Equal(t, got, a.Complete(ctx, op, back))
			a.restart()
			found := a.Find(ctx, op)
			require.Equal(t, row.want, found.Result)
		})
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	next := a.Perform(ctx, charge(store.OpSale, "k", 2038, 5)).Redirect
	require.True(t, next.ThreeDS)
	require.Equal(t, "https://acquirer.example/vcard/acs", next.URL)
	require.Equal(t, "POST", next.Method)
	names := []string{next.Params[0].Name, next.Params[1].Name, next.Params[2].Name}
	require.Equal(t, []string{"PaReq", "MD", "TermUrl"}, names)
	require.Equal(t, "https://gateway.example/return/k?secret=k", next.Params[2].Value)

	next = a.Perform(ctx, charge(store.OpSale, "b", 2038, 12)).Redirect
	require.False(t, next.ThreeDS)
	require.Equal(t, "GET", next.Method)
	require.True(t, strings.HasPrefix(next.URL, "https://acquirer.example/vcard/bank?"))

	lost := charge(store.OpSale, "lost", 2038, 5)
	lost.ReturnURL = ""
	require.Equal(t, methods.ResultDeclined, a.Perform(ctx, lost).Result)
}

// TestAbandoned: a payer who comes back too late finds the payment declined, at the acquirer and at the gateway.
func TestAbandoned(t *testing.T) {
	t.Parallel()
	for _, month := range []int{5, 12} {
		a, ctx := newAcquirer(t), context.Background()
		op := charge(store.OpSale, "k", 2038, month)
		sent := a.Perform(ctx, op)
		a.clock.Advance(vcard.PayerTime)
		require.Equal(t, "Payer did not finish", a.Find(ctx, op).Reason)
		_, back := browser{a}.press(sent.Redirect, "confirm")
		require.Equal(t, "Payer did not finish", a.Complete(ctx, op, back).Reason)
		require.Zero(t, a.entry("k").Effects)
	}
}

// TestLostReturn: a bank has the money when the payer confirms; an issuer only permits to capture it.
func TestLostReturn(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		month int
		want  methods.Result
	}{{12, methods.ResultApproved}, {5, methods.ResultPending}} {
		a, ctx := newAcquirer(t), context.Background()
		op := charge(store.OpSale, "k", 2038, row.month)
		browser{a}.press(a.Perform(ctx, op).Redirect, "confirm")
		require.Equal(t, row.want, a.Find(ctx, op).Result)
	}
}

// The pages show whose payment it is and with which card, but of the number only its end.
func TestPagesNameMerchantAndCard(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	for _, month := range []int{5, 12} {
		op := charge(store.OpSale, "k"+string(rune('0'+month)), 2038, month)
		op.Merchant = "Honey <&> Sons"
		sent := a.Perform(ctx, op)
		a.restart() // the ledger has it
		page := browser{a}.open(sent.Redirect).Body.String()
		require.Contains(t, page, "<dt>Merchant</dt><dd><bdi>Honey &lt;&amp;&gt; Sons</bdi></dd>")
		require.Contains(t, page, "<dt>Card</dt><dd>•••• 1111</dd>")
		require.NotContains(t, page, "411111")
	}
}

func TestPagesAreStrict(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	b := browser{a}
	for _, month := range []int{5, 12} {
		sent := a.Perform(ctx, charge(store.OpSale, "k"+string(rune('0'+month)), 2038, month))
		w := b.open(sent.Redirect)
		require.Equal(t, http.StatusOK, w.Code)
		csp := w.Header().Get("Content-Security-Policy")
		require.Contains(t, csp, "default-src 'none'")
		require.NotContains(t, csp, "unsafe")
		require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
		require.Equal(t, "no-referrer", w.Header().Get("Referrer-Policy"))
		page := w.Body.String()
		require.Contains(t, page, `<html lang="en">`)
		require.Contains(t, page, "10.00 USD")
		require.Contains(t, page, ">Confirm</button>")
		require.NotContains(t, page, "<script>")
		require.NotContains(t, page, " style=")
		require.NotContains(t, page, " onclick=")
	}
	for _, file := range []string{"style.css", "forward.js"} {
		require.Equal(t, http.StatusOK, b.send("GET", "https://acquirer.example/vcard/"+file, nil).Code)
	}
	for _, path := range []string{"", "ask.html", "acs", "acs/decision", "pages/ask.html"} {
		require.NotEqual(t, http.StatusOK, b.send("GET", "https://acquirer.example/vcard/"+path, nil).Code, path)
	}
	require.Contains(t, b.send("GET", "https://acquirer.example/vcard/bank", nil).Body.String(), `role="alert"`)
}

// TestForgedVisits: a page does nothing for a browser without the acquirer's token.
func TestForgedVisits(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	b := browser{a}
	op := charge(store.OpSale, "k", 2038, 5)
	to, good := b.read(b.open(a.Perform(ctx, op).Redirect))
	_, other := b.read(b.open(a.Perform(ctx, charge(store.OpSale, "other", 2038, 5)).Redirect))
	for _, row := range []struct{ name, field, value string }{
		{"no request", "PaReq", ""},
		{"another's request", "PaReq", other.Get("PaReq")},
		{"another's reference", "MD", other.Get("MD")},
		{"another return URL", "TermUrl", "https://evil.example/"},
		{"no decision", "decision", ""},
		{"an odd decision", "decision", "maybe"},
	} {
		form := url.Values{"decision": {"confirm"}}
		for name := range good {
			form.Set(name, good.Get(name))
		}
		form.Set(row.field, row.value)
		require.Equal(t, http.StatusNotFound, b.send("POST", to, form).Code, row.name)
		require.Empty(t, a.entry("k").Payer, row.name)
	}
	require.Equal(t, http.StatusBadRequest, b.send("POST", to, url.Values{"MD": {strings.Repeat("x", 70_000)}}).Code)
}

func TestForgedReturns(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op, other := charge(store.OpSale, "k", 2038, 5), charge(store.OpSale, "other", 2038, 5)
	sent, sentOther := a.Perform(ctx, op), a.Perform(ctx, other)
	_, good := browser{a}.press(sent.Redirect, "confirm")
	_, foreign := browser{a}.press(sentOther.Redirect, "confirm")
	param := func(name string, values ...string) methods.Return {
		r := methods.Return{Method: "POST", Params: map[string][]string{}}
		for k, v := range good.Params {
			r.Params[k] = v
		}
		r.Params[name] = values
		return r
	}
	for _, back := range []methods.Return{
		{}, {Method: "POST"}, {Method: "GET", Params: good.Params}, foreign,
		param("MD", foreign.Params["MD"]...), param("PaRes", foreign.Params["PaRes"]...),
		param("MD"), param("PaRes", "Y"), param("MD", sent.Reference, sent.Reference),
	} {
		got := a.Complete(ctx, op, back)
		require.Equal(t, methods.ResultUnverified, got.Result)
		require.Equal(t, vcard.StateAway, a.entry("k").State)
	}
	swapped := op
	swapped.Continuation = sentOther.Continuation
	require.Equal(t, methods.ResultUnverified, a.Complete(ctx, swapped, good).Result)
	require.Equal(t, methods.ResultApproved, a.Complete(ctx, op, good).Result)
}
