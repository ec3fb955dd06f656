package gateway_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// chargeOf is a request for a first operation of 10.00 USD.
func chargeOf(order string, card methods.Card, change ...func(*gateway.ChargeRequest)) gateway.ChargeRequest {
	r := gateway.ChargeRequest{
		MerchantKey: gatewaytest.MerchantKey, Kind: store.Purchase, Card: &card,
		Order: store.Order{Number: order, Amount: "10.00", Currency: "USD", Description: "Important gift"},
		Payer: store.Payer{Name: "John Doe", Email: "doe@example.com", IP: "203.0.113.7"},
	}
	for _, c := range change {
		c(&r)
	}
	return r
}

func held(r *gateway.ChargeRequest)    { r.Hold = true }
func asDebit(r *gateway.ChargeRequest) { r.Kind = store.Debit }

func pay(t testing.TB, kit *gatewaytest.Kit, order string, card methods.Card, change ...func(*gateway.ChargeRequest)) store.Payment {
	t.Helper()
	r, err := kit.Charge(t.Context(), chargeOf(order, card, change...))
	require.NoError(t, err)
	audit(t, kit)
	return r.Payment
}

func of(p store.Payment, amount string) gateway.FollowUp {
	return gateway.FollowUp{MerchantKey: gatewaytest.MerchantKey, PaymentID: p.ID, Amount: amount}
}

// said is what the merchant was told, as type, status and order_status.
func said(t testing.TB, kit *gatewaytest.Kit) (list []string) {
	t.Helper()
	for _, form := range kit.Inbox.Fields(t) {
		list = append(list, form.Get("type")+" "+form.Get("status")+" "+form.Get("order_status"))
	}
	return list
}

// do is one step of a case below: a follow-up, the error it answers, and how everything stands then.
type do struct {
	what   string // capture, refund, void, dispute
	amount string
	script []vcard.Outcome
	err    error

	outcome  store.Outcome
	status   store.Status
	captured string
	refunded string
	told     string // the callback, if any
}

func (d do) run(ctx context.Context, kit *gatewaytest.Kit, p store.Payment) (*gateway.Result, error) {
	switch d.what {
	case "capture":
		return kit.Capture(ctx, of(p, d.amount))
	case "void":
		return kit.Void(ctx, of(p, d.amount))
	case "dispute":
		return kit.Chargeback(ctx, gateway.Dispute{PaymentID: p.ID, Amount: d.amount, Reason: "10.4 Fraud"})
	default:
		return kit.CreditVoid(ctx, of(p, d.amount))
	}
}

var (
	declined = []vcard.Outcome{vcard.Decline("No")}
	waits    = []vcard.Outcome{vcard.Pending()}
	unsure   = []vcard.Outcome{vcard.UnknownBefore()}
)

// The rows of lifecycle.md, "Transitions", and callbacks.md, "Callback sequence and finality".
func TestFollowUps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		card   methods.Card
		change []func(*gateway.ChargeRequest)
		keeps  bool // partial_refund_status: settled
		first  string
		steps  []do
	}{
		{"capture in full, and once", gatewaytest.Settles, hold, false, "sale success pending", []do{
			{"capture", "", nil, nil, store.Success, store.Settled, "10.00", "0", "capture success settled"},
			{"capture", "", nil, gateway.ErrCaptureStatus, "", store.Settled, "10.00", "0", ""},
		}},
		{"capture of a part, and nothing more of it", gatewaytest.Settles, hold, false, "sale success pending", []do{
			{"capture", "10.01", nil, gateway.ErrCaptureAmount, "", store.Pending, "0", "0", ""},
			{"capture", "3.33", nil, nil, store.Success, store.Settled, "3.33", "0", "capture success settled"},
			{"capture", "6.67", nil, gateway.ErrCaptureStatus, "", store.Settled, "3.33", "0", ""},
			{"refund", "3.34", nil, gateway.ErrRefundAmount, "", store.Settled, "3.33", "0", ""},
			{"refund", "", nil, nil, store.Success, store.Refunded, "3.33", "3.33", "refund success refund"},
		}},
		{"capture declined, 03/2038", gatewaytest.CaptureFails, hold, false, "sale success pending", []do{
			{"capture", "", nil, nil, store.Fail, store.Pending, "0", "0", "capture fail pending"},
			{"capture", "5.00", nil, nil, store.Fail, store.Pending, "0", "0", "capture fail pending"},
			{"refund", "", nil, nil, store.Success, store.Reversed, "0", "0", "refund success reversal"},
		}},
		{"capture pending", gatewaytest.Settles, hold, false, "sale success pending", []do{
			{"capture", "", waits, nil, store.Waiting, store.Pending, "0", "0", "capture undefined pending"},
			{"capture", "", nil, gateway.ErrBusy, "", store.Pending, "0", "0", ""},
			{"refund", "", nil, gateway.ErrBusy, "", store.Pending, "0", "0", ""},
		}},
		{"capture unknown", gatewaytest.Settles, hold, false, "sale success pending", []do{
			{"capture", "", unsure, nil, store.InDoubt, store.Pending, "0", "0", "capture undefined pending"},
			{"void", "", nil, gateway.ErrVoid, "", store.Pending, "0", "0", ""},
		}},
		{"capture of a sale", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"capture", "", nil, gateway.ErrCaptureStatus, "", store.Settled, "10.00", "0", ""},
		}},
		{"refund in full", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"refund", "", nil, nil, store.Success, store.Refunded, "10.00", "10.00", "refund success refund"},
			{"refund", "", nil, gateway.ErrRefund, "", store.Refunded, "10.00", "10.00", ""},
			{"refund", "0.01", nil, gateway.ErrRefund, "", store.Refunded, "10.00", "10.00", ""},
			{"dispute", "", nil, gateway.ErrChargeback, "", store.Refunded, "10.00", "10.00", ""},
		}},
		{"refunds in parts", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"refund", "10.01", nil, gateway.ErrRefundAmount, "", store.Settled, "10.00", "0", ""},
			{"refund", "0.01", nil, nil, store.Success, store.Refunded, "10.00", "0.01", "refund success refund"},
			{"refund", "10.00", nil, gateway.ErrRefundAmount, "", store.Refunded, "10.00", "0.01", ""},
			{"refund", "3.33", declined, nil, store.Fail, store.Refunded, "10.00", "0.01", "refund fail refund"},
			{"refund", "3.33", nil, nil, store.Success, store.Refunded, "10.00", "3.34", "refund success refund"},
			{"void", "", nil, gateway.ErrVoid, "", store.Refunded, "10.00", "3.34", ""},
			{"refund", "", nil, nil, store.Success, store.Refunded, "10.00", "10.00", "refund success refund"},
			{"refund", "", nil, gateway.ErrRefund, "", store.Refunded, "10.00", "10.00", ""},
		}},
		{"refunds in parts that keep SETTLED", gatewaytest.Settles, nil, true, "sale success settled", []do{
			{"refund", "4.00", nil, nil, store.Success, store.Settled, "10.00", "4.00", "refund success settled"},
			{"void", "", nil, gateway.ErrVoid, "", store.Settled, "10.00", "4.00", ""},
			{"refund", "5.99", nil, nil, store.Success, store.Settled, "10.00", "9.99", "refund success settled"},
			{"refund", "0.02", nil, gateway.ErrRefundAmount, "", store.Settled, "10.00", "9.99", ""},
			{"refund", "0.01", nil, nil, store.Success, store.Refunded, "10.00", "10.00", "refund success refund"},
		}},
		{"full refund under that option", gatewaytest.Settles, nil, true, "sale success settled", []do{
			{"refund", "10.00", nil, nil, store.Success, store.Refunded, "10.00", "10.00", "refund success refund"},
		}},
		{"refund declined", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"refund", "", declined, nil, store.Fail, store.Settled, "10.00", "0", "refund fail settled"},
			{"void", "", nil, nil, store.Success, store.Voided, "10.00", "0", "void success void"},
		}},
		{"refund pending reserves", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"refund", "6.00", waits, nil, store.Waiting, store.Settled, "10.00", "0", "refund waiting settled"},
			{"refund", "4.01", nil, gateway.ErrRefundAmount, "", store.Settled, "10.00", "0", ""},
			{"void", "", nil, gateway.ErrVoid, "", store.Settled, "10.00", "0", ""},
			{"refund", "", nil, nil, store.Success, store.Refunded, "10.00", "4.00", "refund success refund"},
			{"refund", "", nil, gateway.ErrRefund, "", store.Refunded, "10.00", "4.00", ""},
		}},
		{"refund unknown reserves", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"refund", "10.00", unsure, nil, store.InDoubt, store.Settled, "10.00", "0", "refund undefined settled"},
			{"refund", "0.01", nil, gateway.ErrRefund, "", store.Settled, "10.00", "0", ""},
			{"void", "", nil, gateway.ErrVoid, "", store.Settled, "10.00", "0", ""},
		}},
		{"reversal in full only", gatewaytest.Settles, hold, false, "sale success pending", []do{
			{"refund", "9.99", nil, gateway.ErrReversalPart, "", store.Pending, "0", "0", ""},
			{"refund", "10.01", nil, gateway.ErrReversalAmount, "", store.Pending, "0", "0", ""},
			{"refund", "10.00", declined, nil, store.Fail, store.Pending, "0", "0", "refund fail pending"},
			{"refund", "10.00", nil, nil, store.Success, store.Reversed, "0", "0", "refund success reversal"},
			{"refund", "", nil, gateway.ErrRefund, "", store.Reversed, "0", "0", ""},
			{"capture", "", nil, gateway.ErrCaptureStatus, "", store.Reversed, "0", "0", ""},
			{"dispute", "", nil, gateway.ErrChargeback, "", store.Reversed, "0", "0", ""},
		}},
		{"reversal pending", gatewaytest.Settles, hold, false, "sale success pending", []do{
			{"refund", "", waits, nil, store.Waiting, store.Pending, "0", "0", "refund waiting pending"},
			{"capture", "", nil, gateway.ErrBusy, "", store.Pending, "0", "0", ""},
		}},
		{"void", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"void", "", nil, nil, store.Success, store.Voided, "10.00", "0", "void success void"},
			{"void", "", nil, gateway.ErrVoid, "", store.Voided, "10.00", "0", ""},
			{"refund", "", nil, gateway.ErrRefund, "", store.Voided, "10.00", "0", ""},
			{"dispute", "", nil, gateway.ErrChargeback, "", store.Voided, "10.00", "0", ""},
		}},
		{"void refused, then refund", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"void", "", declined, nil, store.Fail, store.Settled, "10.00", "0", "void fail settled"},
			{"refund", "2.50", nil, nil, store.Success, store.Refunded, "10.00", "2.50", "refund success refund"},
		}},
		{"void pending", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"void", "", waits, nil, store.Waiting, store.Settled, "10.00", "0", "void undefined settled"},
			{"refund", "", nil, gateway.ErrBusy, "", store.Settled, "10.00", "0", ""},
			{"void", "", nil, gateway.ErrBusy, "", store.Settled, "10.00", "0", ""},
		}},
		{"void of a captured part", gatewaytest.Settles, hold, false, "sale success pending", []do{
			{"void", "", nil, gateway.ErrVoid, "", store.Pending, "0", "0", ""},
			{"capture", "4.00", nil, nil, store.Success, store.Settled, "4.00", "0", "capture success settled"},
			{"void", "", nil, nil, store.Success, store.Voided, "4.00", "0", "void success void"},
		}},
		{"void is never of a part", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"void", "9.99", nil, gateway.ErrVoid, "", store.Settled, "10.00", "0", ""},
			{"void", "10.00", nil, nil, store.Success, store.Voided, "10.00", "0", "void success void"},
		}},
		{"debit", gatewaytest.Settles, debits, false, "debit success settled", []do{
			{"capture", "", nil, gateway.ErrCaptureStatus, "", store.Settled, "10.00", "0", ""},
			{"refund", "9.99", nil, gateway.ErrReversalPart, "", store.Settled, "10.00", "0", ""},
			{"refund", "", declined, nil, store.Fail, store.Settled, "10.00", "0", "refund fail settled"},
			{"refund", "", nil, nil, store.Success, store.Reversed, "10.00", "10.00", "refund success reversal"},
			{"refund", "", nil, gateway.ErrRefund, "", store.Reversed, "10.00", "10.00", ""},
		}},
		{"debit voided on its day", gatewaytest.Settles, debits, false, "debit success settled", []do{
			{"void", "9.99", nil, gateway.ErrVoid, "", store.Settled, "10.00", "0", ""},
			{"void", "", declined, nil, store.Fail, store.Settled, "10.00", "0", "void fail settled"},
			{"void", "", nil, nil, store.Success, store.Voided, "10.00", "0", "void success void"},
			{"refund", "", nil, gateway.ErrRefund, "", store.Voided, "10.00", "0", ""},
		}},
		{"debit held, captured in part, voided", gatewaytest.Settles, append(hold, asDebit), false, "debit success pending", []do{
			{"void", "", nil, gateway.ErrVoid, "", store.Pending, "0", "0", ""},
			{"capture", "4.00", nil, nil, store.Success, store.Settled, "4.00", "0", "capture success settled"},
			{"void", "", nil, nil, store.Success, store.Voided, "4.00", "0", "void success void"},
		}},
		{"debit held, captured in part, reversed", gatewaytest.Settles, append(hold, asDebit), false, "debit success pending", []do{
			{"capture", "4.00", nil, nil, store.Success, store.Settled, "4.00", "0", "capture success settled"},
			{"refund", "3.99", nil, gateway.ErrReversalPart, "", store.Settled, "4.00", "0", ""},
			{"refund", "10.00", nil, gateway.ErrReversalAmount, "", store.Settled, "4.00", "0", ""},
			{"refund", "", nil, nil, store.Success, store.Reversed, "4.00", "4.00", "refund success reversal"},
		}},
		{"dispute", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"dispute", "10.01", nil, gateway.ErrDisputeAmount, "", store.Settled, "10.00", "0", ""},
			{"dispute", "", nil, nil, store.Success, store.Disputed, "10.00", "0", "chargeback success chargeback"},
			{"dispute", "", nil, gateway.ErrChargeback, "", store.Disputed, "10.00", "0", ""},
			{"refund", "", nil, gateway.ErrRefund, "", store.Disputed, "10.00", "0", ""},
			{"void", "", nil, gateway.ErrVoid, "", store.Disputed, "10.00", "0", ""},
		}},
		{"dispute of everything after a refund of a part", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"refund", "4.00", nil, nil, store.Success, store.Refunded, "10.00", "4.00", "refund success refund"},
			{"dispute", "10.01", nil, gateway.ErrDisputeAmount, "", store.Refunded, "10.00", "4.00", ""},
			{"dispute", "10.00", nil, nil, store.Success, store.Disputed, "10.00", "4.00", "chargeback success chargeback"},
			{"refund", "", nil, gateway.ErrRefund, "", store.Disputed, "10.00", "4.00", ""},
		}},
		{"dispute of everything that was captured", gatewaytest.Settles, hold, false, "sale success pending", []do{
			{"capture", "5.00", nil, nil, store.Success, store.Settled, "5.00", "0", "capture success settled"},
			{"refund", "4.00", nil, nil, store.Success, store.Refunded, "5.00", "4.00", "refund success refund"},
			{"dispute", "5.01", nil, gateway.ErrDisputeAmount, "", store.Refunded, "5.00", "4.00", ""},
			{"dispute", "5.00", nil, nil, store.Success, store.Disputed, "5.00", "4.00", "chargeback success chargeback"},
		}},
		{"dispute of what is left", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"refund", "4.00", nil, nil, store.Success, store.Refunded, "10.00", "4.00", "refund success refund"},
			{"dispute", "", nil, nil, store.Success, store.Disputed, "10.00", "4.00", "chargeback success chargeback"},
		}},
		{"dispute of a debit", gatewaytest.Settles, debits, false, "debit success settled", []do{
			{"dispute", "", nil, nil, store.Success, store.Disputed, "10.00", "0", "chargeback success chargeback"},
		}},
		{"nothing follows a decline", gatewaytest.Declines, nil, false, "sale fail decline", []do{
			{"capture", "", nil, gateway.ErrCaptureStatus, "", store.Declined, "0", "0", ""},
			{"refund", "", nil, gateway.ErrRefund, "", store.Declined, "0", "0", ""},
			{"void", "", nil, gateway.ErrVoid, "", store.Declined, "0", "0", ""},
			{"dispute", "", nil, gateway.ErrChargeback, "", store.Declined, "0", "0", ""},
		}},
		{"amounts that are none", gatewaytest.Settles, nil, false, "sale success settled", []do{
			{"refund", "0.00", nil, gateway.ErrInvalid, "", store.Settled, "10.00", "0", ""},
			{"refund", "-1.00", nil, gateway.ErrInvalid, "", store.Settled, "10.00", "0", ""},
			{"refund", "1", nil, gateway.ErrInvalid, "", store.Settled, "10.00", "0", ""},
			{"refund", "1e0", nil, gateway.ErrInvalid, "", store.Settled, "10.00", "0", ""},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := audited(t)
			require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{
				MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, PartialRefundSettled: c.keeps,
			}))
			p := pay(t, kit, "ORD-1", c.card, c.change...)
			kit.Work(t)
			told := []string{c.first}
			require.Equal(t, told, said(t, kit))
			for i, step := range c.steps {
				step.check(t, kit, p, i)
				kit.Work(t)
				if step.told != "" {
					told = append(told, step.told)
				}
				require.Equal(t, told, said(t, kit), "step %d", i)
			}
			if len(c.steps) > 0 {
				kit.Advance(t, 72*time.Hour) // pending and unknown ones are decided by then
				settleAll(t, kit)
				quiet(t, kit)
			}
		})
	}
}

var (
	hold   = []func(*gateway.ChargeRequest){held}
	debits = []func(*gateway.ChargeRequest){asDebit}
)

func (d do) check(t *testing.T, kit *gatewaytest.Kit, p store.Payment, i int) {
	t.Helper()
	kit.Vcard.Next(d.script...)
	before := len(kit.Charges(t))
	r, err := d.run(t.Context(), kit, p)
	if d.err != nil {
		require.ErrorIs(t, err, d.err, "step %d", i)
		require.Len(t, kit.Charges(t), before, "step %d: a refusal reaches nobody", i)
	} else {
		require.NoError(t, err, "step %d", i)
		require.Equal(t, d.outcome, r.Transaction.Outcome, "step %d: %s", i, r.Transaction.Reason)
		require.NotEqual(t, p.Transactions[0], r.Transaction.ID, "a follow-up has an id of its own")
	}
	now := kit.Payment(t, "ORD-1")
	require.Equal(t, d.status, now.Status, "step %d", i)
	require.Zero(t, now.Captured.Cmp(store.MustAmount(d.captured)), "step %d: captured %s", i, now.Captured)
	require.Zero(t, now.Refunded.Cmp(store.MustAmount(d.refunded)), "step %d: refunded %s", i, now.Refunded)
	audit(t, kit)
}

// settleAll has the acquirer decide what it left pending, and recovery learn of it.
func settleAll(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	for _, e := range kit.Charges(t) {
		if e.State == vcard.StatePending {
			require.NoError(t, kit.Vcard.Resolve(t.Context(), e.Key, vcard.Approve()))
		}
	}
	kit.Advance(t, 72*time.Hour)
}

// A follow-up of another merchant, or of nothing, tells nothing.
func TestFollowUpOfNobody(t *testing.T) {
	t.Parallel()
	kit := audited(t)
	for _, what := range []string{"capture", "refund", "void", "dispute"} {
		for _, id := range []string{"", "nothing", "x\x00y"} {
			_, err := do{what: what}.run(t.Context(), kit, store.Payment{ID: id})
			require.ErrorIs(t, err, gateway.ErrNoPayment, "%s %q", what, id)
		}
	}
}

// A refund that runs while the issuer disputes moves its money and no status.
func TestDisputeWhileRefundRuns(t *testing.T) {
	t.Parallel()
	kit := audited(t)
	p := pay(t, kit, "ORD-1", gatewaytest.Settles)
	kit.Vcard.Next(vcard.Pending())
	_, err := kit.CreditVoid(t.Context(), of(p, "4.00"))
	require.NoError(t, err)
	r, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID})
	require.NoError(t, err)
	require.Equal(t, "6.00", r.Transaction.Amount.String(), "what is refunded is not disputed as well")
	settleAll(t, kit)
	now := kit.Payment(t, "ORD-1")
	require.Equal(t, store.Disputed, now.Status)
	require.Equal(t, "4.00", now.Refunded.String())
	quiet(t, kit)
}

// A connector that is gone refuses for certain; the payment stands as it was.
func TestFollowUpWithoutConnector(t *testing.T) {
	t.Parallel()
	kit := audited(t)
	p := pay(t, kit, "ORD-1", gatewaytest.Settles)
	other := kit.Twin(t, func(c *gateway.Config) { c.Connectors = map[string]methods.Connector{"other": kit.Vcard} })
	r, err := other.CreditVoid(t.Context(), of(p, ""))
	require.NoError(t, err)
	require.Equal(t, store.Fail, r.Transaction.Outcome)
	require.Equal(t, store.Settled, r.Payment.Status)
	require.True(t, r.Payment.Reserved.IsZero())
	require.False(t, errors.Is(err, gateway.ErrInternal))
	quiet(t, kitAfterWork(t, kit))
}

func kitAfterWork(t testing.TB, kit *gatewaytest.Kit) *gatewaytest.Kit {
	t.Helper()
	kit.Work(t)
	return kit
}
