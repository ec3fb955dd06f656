package vcard_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// FuzzNotification: a notification that this acquirer did not sign changes nothing.
func FuzzNotification(f *testing.F) {
	a, ctx := newAcquirer(f, named), context.Background()
	op := charge(store.OpSale, "k", 2038, 7)
	a.Perform(ctx, op)
	genuine, err := a.Notify(ctx, "k")
	require.NoError(f, err)
	f.Add(genuine.Header["Vcard-Signature"][0], genuine.Body)
	f.Add("", []byte(`{"key":"k","state":"approved"}`))
	f.Fuzz(func(t *testing.T, signature string, body []byte) {
		note := methods.Note{Method: "POST", Header: map[string][]string{"Vcard-Signature": {signature}}, Body: body}
		want := methods.ResultUnverified
		if string(body) == string(genuine.Body) && signature == genuine.Header["Vcard-Signature"][0] {
			want = methods.ResultPending
		}
		require.Equal(t, want, a.Notification(ctx, op, note).Result)
	})
}

// FuzzComplete: whatever a browser sends, nothing is approved before the payer has pressed Confirm.
func FuzzComplete(f *testing.F) {
	a, ctx := newAcquirer(f, named), context.Background()
	op := charge(store.OpSale, "k", 2038, 5)
	reference := a.Perform(ctx, op).Reference
	f.Add("POST", "MD", reference, "PaRes", "Y", `{"identifier":"success@gmail.com"}`)
	f.Fuzz(func(t *testing.T, method, name1, value1, name2, value2, parameters string) {
		back := methods.Return{Method: method, Params: map[string][]string{name1: {value1}, name2: {value2}}}
		require.Equal(t, methods.ResultUnverified, a.Complete(ctx, op, back).Result)
		e, err := a.Entry(ctx, "k")
		require.NoError(t, err)
		require.Equal(t, vcard.StateAway, e.State)
		other := methods.Operation{Kind: store.OpVoid, Key: value1, Parameters: []byte(parameters)}
		require.NotEqual(t, methods.ResultApproved, a.Perform(ctx, other).Result)
	})
}

// FuzzOpenAmount: whatever a payer enters, the amount paid is above zero and is the amount entered.
func FuzzOpenAmount(f *testing.F) {
	for _, text := range []string{"12.34", "0", "0.001", "1e9", "-1", "", "999999999999999.99", "01.00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, ctx, op := newAcquirer(t, named), context.Background(), open(apm(methods.KindCrypto, "helio", ""))
		b, sent := browser{a}, a.Perform(ctx, op)
		to, form := b.read(b.send("GET", details(sent.Display)[vcard.PayHere], nil))
		form.Set("decision", "confirm")
		form.Set("amount", text)
		w := b.send("POST", to, form)
		found, amount := a.Find(ctx, op), store.Amount{}
		if w.Code == http.StatusOK {
			require.NoError(t, amount.UnmarshalText([]byte(text)))
			require.Equal(t, methods.ResultApproved, found.Result)
			require.Equal(t, text, found.Amount.String())
			require.False(t, found.Amount.IsZero())
			return
		}
		require.Equal(t, methods.ResultPending, found.Result)
		require.Zero(t, a.entry("k").Effects)
	})
}

// named gives every fuzzing process the same references.
func named(c *vcard.Config) { c.NewID = func() string { return "reference" } }
