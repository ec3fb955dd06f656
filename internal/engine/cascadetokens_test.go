package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// Every attempt of a cascade issues a token; only the one that is reported to the merchant stays.
func TestCascadeKeepsOneToken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		script []vcard.Outcome
		tokens int // that stay
		mids   []string
		change []func(*gateway.ChargeRequest)
	}{
		{"second settles", kerneltest.SoftDeclines(1), 1, []string{"second"}, nil},
		{"third settles", kerneltest.SoftDeclines(2), 1, []string{"second", "third"}, nil},
		{"all decline", kerneltest.SoftDeclines(3), 1, []string{"second", "third"}, nil},
		{"no attempt follows", kerneltest.SoftDeclines(1), 1, nil, nil},
		{"S2S CARD", kerneltest.SoftDeclines(2), 1, []string{"second", "third"},
			[]func(*gateway.ChargeRequest){kerneltest.ViaCard}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			kerneltest.AddMIDs(t, kit, c.mids...)
			kerneltest.SwitchCascading(t, kit, store.Checkout)
			kerneltest.SwitchCascading(t, kit, store.S2SCard)
			kit.Vcard.Next(c.script...)
			r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, append(c.change, kerneltest.AsksToken)...)
			require.Equal(t, c.tokens, tokensKept(t, kit))
			list := kerneltest.AttemptsOf(t, kit, "ORD-1")
			require.Len(t, list, min(len(c.mids)+1, len(c.script)+1))
			for _, p := range list[:len(list)-1] {
				require.Empty(t, p.CardToken, "deleted")
			}
			require.Equal(t, store.Settled,
				kerneltest.Charged(t, kit, "ORD-2", methods.Card{}, kerneltest.ByToken(r.Payment.CardToken)).Payment.Status)
		})
	}
}

// A token that was reported stays, and so does one that was used to pay.
func TestCascadeKeepsToldTokens(t *testing.T) {
	t.Parallel()
	t.Run("reported with the redirect", func(t *testing.T) {
		t.Parallel()
		p := kerneltest.FirstAway()
		kit := gatewaytest.New(t, p.Option)
		kerneltest.AddMIDs(t, kit, "second")
		kerneltest.SwitchCascading(t, kit, store.Checkout)
		r := gatewaytest.Request("ORD-1", "10.00")
		r.Extra.ReqToken = true
		kerneltest.Submit(kit, t, kit.SessionOf(t, r), gateway.Submission{Card: gatewaytest.Settles})
		p.ComeBack(t, kit)
		require.Equal(t, 2, tokensKept(t, kit))
		forms := kerneltest.FormsOf(t, kit, "ORD-1")
		require.NotEqual(t, forms[0].Get("card_token"), forms[1].Get("card_token"))
		for i, form := range forms {
			require.Equal(t, store.Settled,
				kerneltest.Charged(t, kit, fmt.Sprintf("ORD-%d", i+2), methods.Card{},
					kerneltest.ByToken(form.Get("card_token"))).Payment.Status)
		}
	})
	t.Run("the first decline of an APM payment", func(t *testing.T) {
		t.Parallel()
		kit := gatewaytest.New(t)
		kerneltest.AddMIDs(t, kit, "second", "third")
		kerneltest.SwitchCascading(t, kit, store.S2SAPM)
		kit.Vcard.Next(kerneltest.SoftDeclines(2)...)
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaAPM, kerneltest.AsksToken,
			func(r *gateway.ChargeRequest) { r.Card = &gatewaytest.Settles })
		require.Equal(t, 2, tokensKept(t, kit), "the first and the last")
	})
	t.Run("paid by token", func(t *testing.T) {
		t.Parallel()
		kit := gatewaytest.New(t)
		token := kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
		kerneltest.AddMIDs(t, kit, "second")
		kerneltest.SwitchCascading(t, kit, store.Checkout)
		kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
		kerneltest.Charged(t, kit, "ORD-2", methods.Card{}, kerneltest.ByToken(token))
		require.Equal(t, 1, tokensKept(t, kit))
		require.Equal(t, token, kerneltest.AttemptsOf(t, kit, "ORD-2")[0].CardToken)
		require.Equal(t, store.Settled,
			kerneltest.Charged(t, kit, "ORD-3", methods.Card{}, kerneltest.ByToken(token)).Payment.Status)
	})
}

// tokensKept counts the stored card tokens.
func tokensKept(t testing.TB, kit *gatewaytest.Kit) (n int) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		n = 0
		for entry := range r.Scan(store.Range{Prefix: store.Key("ct"), Limit: kerneltest.Everything}) {
			require.NoError(t, entry.Err)
			n++
		}
		return nil
	}))
	return n
}
