package vcard_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/methodstest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

func with(year, month int) func(*methods.Operation) {
	return func(op *methods.Operation) { op.Card = card(year, month) }
}

func subject(away int, year int, after bool) methodstest.Subject {
	of := func(c methods.Connector) *acquirer { return c.(*acquirer) }
	return methodstest.Subject{
		New:     func(tb testing.TB) methods.Connector { return newAcquirer(tb) },
		Approve: with(2038, 1),
		Decline: with(2038, 2),
		Away:    with(year, away),
		Payout:  func(op *methods.Operation) { op.Card = &methods.Card{PAN: number("4601541833776519")} },
		Calc:    func(op *methods.Operation) { op.Method, op.MethodKind = "some", methods.KindWallet },
		Open:    func(op *methods.Operation) { op.Method, op.MethodKind = "helio", methods.KindCrypto },
		Pay: func(tb testing.TB, c methods.Connector, op methods.Operation, a methods.Answer, amount store.Amount) {
			b := browser{of(c)}
			to, form := b.read(b.send("GET", details(a.Display)[vcard.PayHere], nil))
			form.Set("decision", "confirm")
			form.Set("amount", amount.String())
			require.Contains(tb, b.send("POST", to, form).Body.String(), "<h1>Paid")
		},
		Payer: func(tb testing.TB, c methods.Connector, op methods.Operation, a methods.Answer) methods.Return {
			_, back := browser{of(c)}.press(a.Redirect, "confirm")
			return back
		},
		Notify: func(tb testing.TB, c methods.Connector, op methods.Operation) methods.Note {
			note, err := of(c).Notify(context.Background(), op.Key)
			require.NoError(tb, err)
			return note
		},
		Stall: func(tb testing.TB, c methods.Connector, op methods.Operation) {
			if after {
				of(c).On(op.Key, vcard.BlockAfter(nil))
				return
			}
			of(c).On(op.Key, vcard.Block(nil))
		},
		Effects: func(tb testing.TB, c methods.Connector, op methods.Operation) int {
			e, err := of(c).Entry(context.Background(), op.Key)
			if errors.Is(err, store.ErrNotFound) {
				return 0
			}
			require.NoError(tb, err)
			return e.Effects
		},
	}
}

func TestContract(t *testing.T) {
	t.Parallel()
	t.Run("3-D Secure", func(t *testing.T) {
		t.Parallel()
		methodstest.Run(t, subject(5, 2038, false))
	})
	t.Run("bank", func(t *testing.T) {
		t.Parallel()
		methodstest.Run(t, subject(12, 2038, true))
	})
	for name, op := range map[string]methods.Operation{
		"QR": apm(methods.KindQR, "ips", ""), "details": apm(methods.KindDetails, "sepa", ""), "asked": collection(""),
		"crypto": apm(methods.KindCrypto, "helio", ""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := subject(5, 2038, false)
			s.Payer = nil // no payer returns from a bank
			s.Payout = func(o *methods.Operation) { o.Method, o.MethodKind = op.Method, op.MethodKind }
			s.Away = func(o *methods.Operation) { o.Method, o.MethodKind = op.Method, op.MethodKind }
			methodstest.Run(t, s)
		})
	}
}
