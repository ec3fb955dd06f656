package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// Card data that comes with a card token pays, and the request is signed by the formula of either (decision ao).
// The token is ignored, even if it is invalid or another merchant's.
func TestCardTokenBesideCard(t *testing.T) {
	t.Parallel()
	const other = "5555555555554444"
	token := times(64, "a")
	for _, at := range []string{"SALE", "AUTH", "DEBIT", "CREDIT2CARD"} {
		of := map[string]signature.Formula{"card": signature.Card1, "token": signature.Card1Token}
		if at == "CREDIT2CARD" {
			of = map[string]signature.Formula{"card": signature.Card5, "token": signature.Card5Token}
		}
		sign := func(q *request, formula signature.Formula, card, token string) {
			q.body["hash"] = signature.Sign(formula, signature.MD5,
				signature.Inputs{Email: q.body.at("payer_email"), Card: card, CardToken: token}, gatewaytest.Password)
		}
		for name, formula := range of {
			t.Run(at+" signed by the "+name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				q := w.fresh(at, "card_number", other, "card_token", token)
				sign(q, formula, other, token)
				require.NoError(t, w.takes(q))
				p := w.Payment(t, w.newest())
				require.Equal(t, "555555******4444", p.Card.Mask)
				require.Contains(t, []store.Status{store.Settled, store.Pending}, p.Status)

				wrong := w.fresh(at, "card_number", other, "card_token", token)
				sign(wrong, formula, pan, times(64, "b"))
				w.refusedWith(fails(0, 100000, hashS2S), wrong, w.send(wrong))
			})
		}
		t.Run(at+" without a token", func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			q := w.fresh(at)
			sign(q, of["token"], "", "")
			w.refusedWith(fails(0, 100000, hashS2S), q, w.send(q))
		})
	}
	t.Run("CARD2CARD knows no token", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		q := w.fresh("CARD2CARD", "card_token", token)
		q.body["hash"] = signature.Sign(signature.Card1Token, signature.MD5,
			signature.Inputs{Email: email, CardToken: token}, gatewaytest.Password)
		w.refusedWith(fails(0, 100000, hashS2S), q, w.send(q))
	})
}
