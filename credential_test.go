package gateway_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// registering has MIDs register stored cards, in this order.
func registering(t testing.TB, kit *gatewaytest.Kit, ids ...string) {
	t.Helper()
	for i, id := range ids {
		require.NoError(t, kit.SaveMID(t.Context(), store.MID{
			ID: id, MerchantID: gatewaytest.MerchantID, Name: "Live", Connector: "vcard", MOTO: true, COF: true, Priority: i}))
	}
}

// storedUse is what the acquirer was told of the one charge of an order: how a stored card is used, by what
// reference, and whether the card is to be registered.
func storedUse(t testing.TB, kit *gatewaytest.Kit, order string) (use store.COF, credential string, registers bool) {
	t.Helper()
	for _, e := range kit.Charges(t) {
		if e.Order == order {
			return e.COF, e.Credential, e.Registers
		}
	}
	require.Fail(t, "no charge of "+order)
	return use, "", false
}

// usesOf are the MIDs of the charges of an order, with the reference each was sent with.
func usesOf(t testing.TB, kit *gatewaytest.Kit, order string) (list []string) {
	t.Helper()
	for _, e := range kit.Charges(t) {
		if e.Order == order {
			list = append(list, e.MID+" "+e.Credential)
		}
	}
	return list
}

// Who begins a payment, and the how manieth use of the card it is. payer_present wins; MOTO is the payer's own
// doing, and who stores his card is there.
func TestCardOnFileInitiator(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	registering(t, kit, "live")
	token := tokenOf(t, kit, "ORD-0", gatewaytest.Settles)
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
		{"first of a chain", all(inits), store.COF{Initiator: "cardholder", Source: "recurring", Sequence: "first"}, methods.AuthPlatform},
		{"first of a chain of debits", all(inits, debit), store.COF{Initiator: "cardholder", Source: "recurring", Sequence: "first"}, methods.AuthPlatform},
		{"first of a chain, by telephone", all(inits, moto), store.COF{Initiator: "cardholder", Source: "recurring", Sequence: "first"}, methods.AuthOff},
		{"first of a chain, payer away", all(inits, away), store.COF{Initiator: "merchant", Source: "recurring", Sequence: "first"}, methods.AuthOff},
		{"issue of a token", all(asks), store.COF{Initiator: "cardholder", Source: "unscheduled", Sequence: "first"}, methods.AuthPlatform},
		{"token, payer present", all(byToken(token), there), store.COF{Initiator: "cardholder", Source: "unscheduled", Sequence: "subsequent"}, methods.AuthPlatform},
		{"token, nothing said", all(byToken(token)), store.COF{Initiator: "cardholder", Source: "unscheduled", Sequence: "subsequent"}, methods.AuthPlatform},
		{"token, payer away", all(byToken(token), away), store.COF{Initiator: "merchant", Source: "unscheduled", Sequence: "subsequent"}, methods.AuthOff},
		{"token, by telephone", all(byToken(token), moto), store.COF{Initiator: "cardholder", Source: "unscheduled", Sequence: "subsequent"}, methods.AuthOff},
		{"payout to a token", all(byToken(token), payout), store.COF{}, methods.AuthPlatform},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := charged(t, kit, c.name, gatewaytest.Settles, c.change...)
			use, _, _ := storedUse(t, kit, c.name)
			require.Equal(t, c.want, use, "at the acquirer")
			if c.want == (store.COF{}) {
				require.Nil(t, r.Payment.COF)
			} else {
				require.Equal(t, &c.want, r.Payment.COF, "in the record, which callbacks and status answers tell")
			}
			require.Equal(t, string(c.auth), r.Transaction.Authentication)
		})
	}
}

func all(change ...func(*gateway.ChargeRequest)) []func(*gateway.ChargeRequest) { return change }

// A MID with Card-on-File registers the card of a chain once; every later payment goes by its reference, be it
// asked for, tried again or scheduled.
func TestChainIsRegistered(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	registering(t, kit, "live")
	_, first := subscribed(t, kit, days(1, 2))
	_, none, registers := storedUse(t, kit, "SUB-1")
	require.True(t, registers)
	require.Empty(t, none)
	reference := charged(t, kit, "ORD-0", gatewaytest.Settles, inits).Transaction.Facts.Credential
	require.NotEmpty(t, reference, "the answer of another chain, to compare with")

	own := transactionOf(t, kit, first.Transactions[0]).Facts.Credential
	require.NotEqual(t, reference, own)
	kit.Vcard.Next(vcard.SoftDecline("No funds"))
	p := recurred(t, kit, later(first, "ORD-2")).Payment
	_, got, registers := storedUse(t, kit, "ORD-2")
	require.Equal(t, own, got)
	require.False(t, registers)
	r, err := kit.Retry(t.Context(), again(p))
	require.NoError(t, err)
	require.Equal(t, store.Settled, r.Payment.Status, "the acquirer knows the reference")
	require.Equal(t, own, r.Transaction.Credential)
	to(t, kit, "2027-03-20")
	charges := kit.Charges(t)
	for _, e := range charges[len(charges)-2:] {
		require.Equal(t, []any{"SUB-1", own, vcard.StateApproved}, []any{e.Order, e.Credential, e.State})
	}
}

// The same of a card token: charged by Go or S2S, chosen on the page, or charged by Hosted Payment Fields.
func TestTokenIsRegistered(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	registering(t, kit, "live")
	saved := charged(t, kit, "ORD-1", gatewaytest.ThreeDSPasses, asks)
	kit.ComeBack(t, saved.Next)
	token := saved.Payment.CardToken
	own := transactionOf(t, kit, saved.Transaction.ID).Facts.Credential
	require.NotEmpty(t, own, "registered once the payer is back")
	for order, pays := range map[string]func(t *testing.T){
		"ORD-2": func(t *testing.T) { charged(t, kit, "ORD-2", gatewaytest.Settles, byToken(token)) },
		"ORD-3": func(t *testing.T) { charged(t, kit, "ORD-3", gatewaytest.Settles, byToken(token), viaCardToken) },
		"ORD-4": func(t *testing.T) {
			r := gatewaytest.Request("ORD-4", "10.00")
			r.Extra.CardTokens = []string{token}
			submit(kit, t, kit.SessionOf(t, r), gateway.Submission{Saved: 1})
		},
	} {
		pays(t)
		use, got, registers := storedUse(t, kit, order)
		require.Equal(t, own, got, order)
		require.False(t, registers, order)
		require.Equal(t, store.SubsequentUse, use.Sequence, order)
	}
	chain := charged(t, kit, "ORD-5", gatewaytest.ThreeDSPasses, byToken(token), inits)
	kit.ComeBack(t, chain.Next)
	recurred(t, kit, later(chain.Payment, "ORD-6"))
	_, got, _ := storedUse(t, kit, "ORD-6")
	require.Equal(t, own, got, "a chain that a saved card begins goes by what is known of that card")
}

func viaCardToken(r *gateway.ChargeRequest) {
	viaCard(r)
	r.PayerPresent = "N"
}

// A reference is of one MID: without Card-on-File none is made or sent, another MID of a cascade registers the
// card anew and each goes by its own, and a MID that begins to register does so with the next use.
func TestRegisteredByMID(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := tokenOf(t, kit, "ORD-1", gatewaytest.Settles)
	_, reference, registers := storedUse(t, kit, "ORD-1")
	require.Equal(t, []any{"", false}, []any{reference, registers}, "the MID registers none")

	registering(t, kit, "live", "second")
	cascading(t, kit, store.Checkout)
	first := charged(t, kit, "ORD-2", gatewaytest.Settles, byToken(token)).Transaction.Facts.Credential
	require.NotEmpty(t, first)
	kit.Vcard.Next(soft(1)...)
	second := charged(t, kit, "ORD-3", gatewaytest.Settles, byToken(token))
	require.Equal(t, "second", second.Payment.MIDID)
	require.ElementsMatch(t, []string{"live " + first, "second "}, usesOf(t, kit, "ORD-3"), "registered anew")
	kit.Vcard.Next(soft(1)...)
	charged(t, kit, "ORD-4", gatewaytest.Settles, byToken(token))
	require.ElementsMatch(t, []string{"live " + first, "second " + second.Transaction.Facts.Credential}, usesOf(t, kit, "ORD-4"))

	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}))
	charged(t, kit, "ORD-5", gatewaytest.Settles, byToken(token))
	use, reference, registers := storedUse(t, kit, "ORD-5")
	require.Equal(t, []any{store.ByCardholder, "", false}, []any{use.Initiator, reference, registers}, "switched off, it is not sent")
}

// What comes back from the issuer is declined softly: the next MID gets the reference that it gave itself.
func TestRegisteredAfterReturn(t *testing.T) {
	t.Parallel()
	p := &puppet{}
	p.perform = func(op methods.Operation) methods.Answer {
		a := approves(op)
		a.Facts.Credential = "ntid-" + op.MID.ID
		switch {
		case op.MID.ID != "live" || op.Order.Number == "ORD-1":
			return a
		case op.Order.Number == "ORD-2":
			return methods.SoftDeclined(op, "Try elsewhere")
		}
		return toBank(op)
	}
	p.complete = func(op methods.Operation, _ methods.Return) methods.Answer {
		return methods.SoftDeclined(op, "Try elsewhere")
	}
	kit := gatewaytest.New(t, p.option)
	registering(t, kit, "live", "second")
	cascading(t, kit, store.Checkout)
	token := tokenOf(t, kit, "ORD-1", gatewaytest.Settles)
	for _, order := range []string{"ORD-2", "ORD-3"} {
		charged(t, kit, order, gatewaytest.Settles, byToken(token))
	}
	p.comeBack(t, kit)
	var sent []string
	for _, op := range p.sent {
		sent = append(sent, op.Order.Number+" "+op.MID.ID+" "+op.Credential)
	}
	require.Equal(t, []string{"ORD-1 live ", "ORD-2 live ntid-live", "ORD-2 second ", "ORD-3 live ntid-live", "ORD-3 second ntid-second"}, sent)
}

// An approval whose answer was lost brings its reference when recovery learns of it; and a payment that nobody
// takes leaves none.
func TestRegisteredByRecovery(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	registering(t, kit, "live")
	kit.Vcard.Next(vcard.UnknownAfter())
	first := charged(t, kit, "ORD-1", gatewaytest.Settles, inits, asks)
	require.Equal(t, store.InDoubt, first.Transaction.Outcome)
	kit.Advance(t, time.Hour)
	own := transactionOf(t, kit, first.Transaction.ID).Facts.Credential
	require.NotEmpty(t, own)
	recurred(t, kit, later(first.Payment, "ORD-2"))
	charged(t, kit, "ORD-3", gatewaytest.Settles, byToken(first.Payment.CardToken))
	for _, order := range []string{"ORD-2", "ORD-3"} {
		require.Equal(t, []string{"live " + own}, usesOf(t, kit, order))
	}
}
