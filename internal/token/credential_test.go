package token_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// registering makes MIDs register stored cards, in this order.
func registering(t testing.TB, kit *gatewaytest.Kit, ids ...string) {
	t.Helper()
	for i, id := range ids {
		require.NoError(t, kit.SaveMID(t.Context(), store.MID{
			ID: id, MerchantID: gatewaytest.MerchantID, Name: "Live", Connector: "vcard", MOTO: true, COF: true, Priority: i}))
	}
}

// usesOf lists the MIDs of the charges of an order, with the reference that each got.
func usesOf(t testing.TB, kit *gatewaytest.Kit, order string) (list []string) {
	t.Helper()
	for _, e := range kit.Charges(t) {
		if e.Order == order {
			list = append(list, e.MID+" "+e.Credential)
		}
	}
	return list
}

// The initiator of a payment, and the sequence number of the card's use. payer_present wins; a MOTO payment is
// initiated by the payer, who is also present when the card is stored.
func TestCardOnFileInitiator(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	registering(t, kit, "live")
	token := kerneltest.TokenOf(t, kit, "ORD-0", gatewaytest.Settles)
	away := func(r *gateway.ChargeRequest) { r.PayerPresent = "N" }
	there := func(r *gateway.ChargeRequest) { r.PayerPresent = "Y" }
	moto := func(r *gateway.ChargeRequest) { r.MOTOType = "phone_moto" }
	debit := func(r *gateway.ChargeRequest) { r.Kind = store.Debit }
	payout := func(r *gateway.ChargeRequest) { r.Kind = store.Credit }
	for _, c := range []struct {
		name   string
		change []func(*gateway.ChargeRequest)
		want   store.COF
		auth   methods.Authentication
	}{
		{"a card of no further use", nil, store.COF{}, methods.AuthPlatform},
		{"the same, payer present", all(there), store.COF{}, methods.AuthPlatform},
		{"a card the merchant has stored", all(away), store.COF{Initiator: "merchant", Source: "unscheduled", Sequence: "subsequent"}, methods.AuthOff},
		{"first of a chain", all(kerneltest.BeginsChain),
			store.COF{Initiator: "cardholder", Source: "recurring", Sequence: "first"}, methods.AuthPlatform},
		{"first of a chain of debits", all(kerneltest.BeginsChain, debit),
			store.COF{Initiator: "cardholder", Source: "recurring", Sequence: "first"}, methods.AuthPlatform},
		{"first of a chain, by telephone", all(kerneltest.BeginsChain, moto),
			store.COF{Initiator: "cardholder", Source: "recurring", Sequence: "first"}, methods.AuthOff},
		{"first of a chain, payer away", all(kerneltest.BeginsChain, away),
			store.COF{Initiator: "merchant", Source: "recurring", Sequence: "first"}, methods.AuthOff},
		{"issue of a token", all(kerneltest.AsksToken),
			store.COF{Initiator: "cardholder", Source: "unscheduled", Sequence: "first"}, methods.AuthPlatform},
		{"token, payer present", all(kerneltest.ByToken(token), there),
			store.COF{Initiator: "cardholder", Source: "unscheduled", Sequence: "subsequent"}, methods.AuthPlatform},
		{"token, not specified", all(kerneltest.ByToken(token)),
			store.COF{Initiator: "cardholder", Source: "unscheduled", Sequence: "subsequent"}, methods.AuthPlatform},
		{"token, payer away", all(kerneltest.ByToken(token), away),
			store.COF{Initiator: "merchant", Source: "unscheduled", Sequence: "subsequent"}, methods.AuthOff},
		{"token, by telephone", all(kerneltest.ByToken(token), moto),
			store.COF{Initiator: "cardholder", Source: "unscheduled", Sequence: "subsequent"}, methods.AuthOff},
		{"payout to a token", all(kerneltest.ByToken(token), payout), store.COF{}, methods.AuthPlatform},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := kerneltest.Charged(t, kit, c.name, gatewaytest.Settles, c.change...)
			use, _, _ := kerneltest.StoredUse(t, kit, c.name)
			require.Equal(t, c.want, use, "at the acquirer")
			if c.want == (store.COF{}) {
				require.Nil(t, r.Payment.COF)
			} else {
				require.Equal(t, &c.want, r.Payment.COF, "in the record, which callbacks and status answers report")
			}
			require.Equal(t, string(c.auth), r.Transaction.Authentication)
		})
	}
}

func all(change ...func(*gateway.ChargeRequest)) []func(*gateway.ChargeRequest) { return change }

// A MID with Card-on-File registers the card of a chain once. Every later payment uses its reference, whether it is
// requested, retried or scheduled.
func TestChainIsRegistered(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	registering(t, kit, "live")
	_, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(1, 2))
	_, none, registers := kerneltest.StoredUse(t, kit, "SUB-1")
	require.True(t, registers)
	require.Empty(t, none)
	reference := kerneltest.Charged(t, kit, "ORD-0", gatewaytest.Settles,
		kerneltest.BeginsChain).Transaction.Facts.Credential
	require.NotEmpty(t, reference, "the answer of another chain, to compare with")

	own := kerneltest.TransactionOf(t, kit, first.Transactions[0].ID).Facts.Credential
	require.NotEqual(t, reference, own)
	kit.Vcard.Next(vcard.SoftDecline("No funds"))
	p := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-2")).Payment
	_, got, registers := kerneltest.StoredUse(t, kit, "ORD-2")
	require.Equal(t, own, got)
	require.False(t, registers)
	r, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
	require.NoError(t, err)
	require.Equal(t, store.Settled, r.Payment.Status, "the acquirer knows the reference")
	require.Equal(t, own, r.Transaction.Credential)
	kerneltest.AdvanceTo(t, kit, "2027-03-20")
	charges := kit.Charges(t)
	for _, e := range charges[len(charges)-2:] {
		require.Equal(t, []any{"SUB-1", own, vcard.StateApproved}, []any{e.Order, e.Credential, e.State})
	}
}

// The same for a card token: charged by Go or S2S, chosen on the page, or charged by Hosted Payment Fields.
func TestTokenIsRegistered(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	registering(t, kit, "live")
	saved := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.ThreeDSPasses, kerneltest.AsksToken)
	kit.ComeBack(t, saved.Redirect)
	token := saved.Payment.CardToken
	own := kerneltest.TransactionOf(t, kit, saved.Transaction.ID).Facts.Credential
	require.NotEmpty(t, own, "registered once the payer is back")
	for order, pays := range map[string]func(t *testing.T){
		"ORD-2": func(t *testing.T) {
			kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles, kerneltest.ByToken(token))
		},
		"ORD-3": func(t *testing.T) {
			kerneltest.Charged(t, kit, "ORD-3", gatewaytest.Settles, kerneltest.ByToken(token), viaCardToken)
		},
		"ORD-4": func(t *testing.T) {
			r := gatewaytest.Request("ORD-4", "10.00")
			r.Extra.CardTokens = []string{token}
			kerneltest.Submit(kit, t, kit.SessionOf(t, r), gateway.Submission{Saved: 1})
		},
	} {
		pays(t)
		use, got, registers := kerneltest.StoredUse(t, kit, order)
		require.Equal(t, own, got, order)
		require.False(t, registers, order)
		require.Equal(t, store.SubsequentUse, use.Sequence, order)
	}
	chain := kerneltest.Charged(t, kit, "ORD-5", gatewaytest.ThreeDSPasses, kerneltest.ByToken(token),
		kerneltest.BeginsChain)
	kit.ComeBack(t, chain.Redirect)
	kerneltest.Recurred(t, kit, kerneltest.LaterOf(chain.Payment, "ORD-6"))
	_, got, _ := kerneltest.StoredUse(t, kit, "ORD-6")
	require.Equal(t, own, got, "a chain that a saved card begins goes by what is known of that card")
}

func viaCardToken(r *gateway.ChargeRequest) {
	kerneltest.ViaCard(r)
	r.PayerPresent = "N"
}

// A reference belongs to one MID. Without Card-on-File none is made or sent; another MID of a cascade registers the
// card again, and each uses its own; a MID that starts to register does so with the next use.
func TestRegisteredByMID(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
	_, reference, registers := kerneltest.StoredUse(t, kit, "ORD-1")
	require.Equal(t, []any{"", false}, []any{reference, registers}, "the MID registers none")

	registering(t, kit, "live", "second")
	kerneltest.SwitchCascading(t, kit, store.Checkout)
	first := kerneltest.Charged(t, kit, "ORD-2", gatewaytest.Settles,
		kerneltest.ByToken(token)).Transaction.Facts.Credential
	require.NotEmpty(t, first)
	kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
	second := kerneltest.Charged(t, kit, "ORD-3", gatewaytest.Settles, kerneltest.ByToken(token))
	require.Equal(t, "second", second.Payment.MIDID)
	require.ElementsMatch(t, []string{"live " + first, "second "}, usesOf(t, kit, "ORD-3"), "registered anew")
	kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
	kerneltest.Charged(t, kit, "ORD-4", gatewaytest.Settles, kerneltest.ByToken(token))
	require.ElementsMatch(t, []string{"live " + first, "second " + second.Transaction.Facts.Credential},
		usesOf(t, kit, "ORD-4"))

	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}))
	kerneltest.Charged(t, kit, "ORD-5", gatewaytest.Settles, kerneltest.ByToken(token))
	use, reference, registers := kerneltest.StoredUse(t, kit, "ORD-5")
	require.Equal(t, []any{store.ByCardholder, "", false}, []any{use.Initiator, reference, registers},
		"switched off, it is not sent")
}

// After a soft decline at the payer's return, the next MID gets its own reference, not the first MID's: with a card
// that was saved by the live key, and with one that was saved by the test key.
func TestRegisteredAfterReturn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, key string }{
		{"live", gatewaytest.MerchantKey}, {"test", gatewaytest.TestKey},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &kerneltest.ScriptedConnector{}
			p.OnPerform = func(op methods.Operation) methods.Answer {
				a := kerneltest.Approves(op)
				a.Facts.Credential = "ntid-" + op.MID.ID
				switch {
				case op.MID.ID != "first" || op.Order.Number == "ORD-1":
					return a
				case op.Order.Number == "ORD-2":
					return methods.SoftDeclined(op, "Try elsewhere")
				}
				return kerneltest.ToBank(op)
			}
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
				return methods.SoftDeclined(op, "Try elsewhere")
			}
			kit := gatewaytest.New(t, p.Option).As(c.key)
			for i, id := range []string{"first", "second"} {
				require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: id, MerchantID: gatewaytest.MerchantID,
					Connector: "vcard", MOTO: true, COF: true, Priority: i - 2, Test: c.name == "test"}))
			}
			kerneltest.SwitchCascading(t, kit, store.Checkout)
			token := kerneltest.TokenOf(t, kit, "ORD-1", gatewaytest.Settles)
			for _, order := range []string{"ORD-2", "ORD-3"} {
				kerneltest.Charged(t, kit, order, gatewaytest.Settles, kerneltest.ByToken(token))
			}
			p.ComeBack(t, kit)
			var sent []string
			for _, op := range p.Sent {
				sent = append(sent, op.Order.Number+" "+op.MID.ID+" "+op.Credential)
			}
			require.Equal(t, []string{"ORD-1 first ", "ORD-2 first ntid-first", "ORD-2 second ", "ORD-3 first ntid-first",
				"ORD-3 second ntid-second"}, sent)
		})
	}
}

// If the answer of an approval was lost, recovery gets its reference; a payment that is never approved leaves none.
func TestRegisteredByRecovery(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	registering(t, kit, "live")
	kit.Vcard.Next(vcard.UnknownAfter())
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain, kerneltest.AsksToken)
	require.Equal(t, store.InDoubt, first.Transaction.Outcome)
	kit.Advance(t, time.Hour)
	own := kerneltest.TransactionOf(t, kit, first.Transaction.ID).Facts.Credential
	require.NotEmpty(t, own)
	kerneltest.Recurred(t, kit, kerneltest.LaterOf(first.Payment, "ORD-2"))
	kerneltest.Charged(t, kit, "ORD-3", gatewaytest.Settles, kerneltest.ByToken(first.Payment.CardToken))
	for _, order := range []string{"ORD-2", "ORD-3"} {
		require.Equal(t, []string{"live " + own}, usesOf(t, kit, order))
	}
}
