package engine_test

import (
	"errors"
	"strings"
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

var (
	waits  = []vcard.Outcome{vcard.Pending()}
	unsure = []vcard.Outcome{vcard.UnknownBefore()}
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
		steps  []kerneltest.Step
	}{
		{"capture in full, and once", gatewaytest.Settles, kerneltest.Holds, false, "sale success pending", []kerneltest.Step{
			{What: "capture", Outcome: store.Success, Status: store.Settled, Captured: "10.00", Refunded: "0", Told: "capture success settled"},
			{What: "capture", Err: gateway.ErrCaptureStatus, Status: store.Settled, Captured: "10.00", Refunded: "0"},
		}},
		{"capture of a part, and nothing more of it", gatewaytest.Settles, kerneltest.Holds, false, "sale success pending",
			[]kerneltest.Step{
				{What: "capture", Amount: "10.01", Err: gateway.ErrCaptureAmount, Status: store.Pending, Captured: "0", Refunded: "0"},
				{What: "capture", Amount: "3.33", Outcome: store.Success, Status: store.Settled, Captured: "3.33", Refunded: "0", Told: "capture success settled"},
				{What: "capture", Amount: "6.67", Err: gateway.ErrCaptureStatus, Status: store.Settled, Captured: "3.33", Refunded: "0"},
				{What: "refund", Amount: "3.34", Err: gateway.ErrRefundAmount, Status: store.Settled, Captured: "3.33", Refunded: "0"},
				{What: "refund", Outcome: store.Success, Status: store.Refunded, Captured: "3.33", Refunded: "3.33", Told: "refund success refund"},
			}},
		{"capture declined, 03/2038", gatewaytest.CaptureFails, kerneltest.Holds, false, "sale success pending",
			[]kerneltest.Step{
				{What: "capture", Outcome: store.Fail, Status: store.Pending, Captured: "0", Refunded: "0", Told: "capture fail pending"},
				{What: "capture", Amount: "5.00", Outcome: store.Fail, Status: store.Pending, Captured: "0", Refunded: "0", Told: "capture fail pending"},
				{What: "refund", Outcome: store.Success, Status: store.Reversed, Captured: "0", Refunded: "0", Told: "refund success reversal"},
			}},
		{"capture pending", gatewaytest.Settles, kerneltest.Holds, false, "sale success pending", []kerneltest.Step{
			{What: "capture", Script: waits, Outcome: store.Waiting, Status: store.Pending, Captured: "0", Refunded: "0", Told: "capture undefined pending"},
			{What: "capture", Err: gateway.ErrBusy, Status: store.Pending, Captured: "0", Refunded: "0"},
			{What: "refund", Err: gateway.ErrBusy, Status: store.Pending, Captured: "0", Refunded: "0"},
		}},
		{"capture unknown", gatewaytest.Settles, kerneltest.Holds, false, "sale success pending", []kerneltest.Step{
			{What: "capture", Script: unsure, Outcome: store.InDoubt, Status: store.Pending, Captured: "0", Refunded: "0", Told: "capture undefined pending"},
			{What: "void", Err: gateway.ErrVoid, Status: store.Pending, Captured: "0", Refunded: "0"},
		}},
		{"capture of a sale", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "capture", Err: gateway.ErrCaptureStatus, Status: store.Settled, Captured: "10.00", Refunded: "0"},
		}},
		{"refund in full", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "refund", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "10.00", Told: "refund success refund"},
			{What: "refund", Err: gateway.ErrRefund, Status: store.Refunded, Captured: "10.00", Refunded: "10.00"},
			{What: "refund", Amount: "0.01", Err: gateway.ErrRefund, Status: store.Refunded, Captured: "10.00", Refunded: "10.00"},
			{What: "dispute", Err: gateway.ErrChargeback, Status: store.Refunded, Captured: "10.00", Refunded: "10.00"},
		}},
		{"refunds in parts", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "refund", Amount: "10.01", Err: gateway.ErrRefundAmount, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "refund", Amount: "0.01", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "0.01", Told: "refund success refund"},
			{What: "refund", Amount: "10.00", Err: gateway.ErrRefundAmount, Status: store.Refunded, Captured: "10.00", Refunded: "0.01"},
			{What: "refund", Amount: "3.33", Script: kerneltest.Declined, Outcome: store.Fail, Status: store.Refunded,
				Captured: "10.00", Refunded: "0.01", Told: "refund fail refund"},
			{What: "refund", Amount: "3.33", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "3.34", Told: "refund success refund"},
			{What: "void", Err: gateway.ErrVoid, Status: store.Refunded, Captured: "10.00", Refunded: "3.34"},
			{What: "refund", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "10.00", Told: "refund success refund"},
			{What: "refund", Err: gateway.ErrRefund, Status: store.Refunded, Captured: "10.00", Refunded: "10.00"},
		}},
		{"refunds in parts that keep SETTLED", gatewaytest.Settles, nil, true, "sale success settled", []kerneltest.Step{
			{What: "refund", Amount: "4.00", Outcome: store.Success, Status: store.Settled, Captured: "10.00", Refunded: "4.00", Told: "refund success settled"},
			{What: "void", Err: gateway.ErrVoid, Status: store.Settled, Captured: "10.00", Refunded: "4.00"},
			{What: "refund", Amount: "5.99", Outcome: store.Success, Status: store.Settled, Captured: "10.00", Refunded: "9.99", Told: "refund success settled"},
			{What: "refund", Amount: "0.02", Err: gateway.ErrRefundAmount, Status: store.Settled, Captured: "10.00", Refunded: "9.99"},
			{What: "refund", Amount: "0.01", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "10.00", Told: "refund success refund"},
		}},
		{"full refund under that option", gatewaytest.Settles, nil, true, "sale success settled", []kerneltest.Step{
			{What: "refund", Amount: "10.00", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "10.00", Told: "refund success refund"},
		}},
		{"refund declined", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "refund", Script: kerneltest.Declined, Outcome: store.Fail, Status: store.Settled, Captured: "10.00",
				Refunded: "0", Told: "refund fail settled"},
			{What: "void", Outcome: store.Success, Status: store.Voided, Captured: "10.00", Refunded: "0", Told: "void success void"},
		}},
		{"refund pending reserves", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "refund", Amount: "6.00", Script: waits, Outcome: store.Waiting, Status: store.Settled, Captured: "10.00", Refunded: "0", Told: "refund waiting settled"},
			{What: "refund", Amount: "4.01", Err: gateway.ErrRefundAmount, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "void", Err: gateway.ErrVoid, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "refund", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "4.00", Told: "refund success refund"},
			{What: "refund", Err: gateway.ErrRefund, Status: store.Refunded, Captured: "10.00", Refunded: "4.00"},
		}},
		{"refund unknown reserves", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "refund", Amount: "10.00", Script: unsure, Outcome: store.InDoubt, Status: store.Settled, Captured: "10.00", Refunded: "0", Told: "refund undefined settled"},
			{What: "refund", Amount: "0.01", Err: gateway.ErrRefund, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "void", Err: gateway.ErrVoid, Status: store.Settled, Captured: "10.00", Refunded: "0"},
		}},
		{"reversal in full only", gatewaytest.Settles, kerneltest.Holds, false, "sale success pending", []kerneltest.Step{
			{What: "refund", Amount: "9.99", Err: gateway.ErrReversalPart, Status: store.Pending, Captured: "0", Refunded: "0"},
			{What: "refund", Amount: "10.01", Err: gateway.ErrReversalAmount, Status: store.Pending, Captured: "0", Refunded: "0"},
			{What: "refund", Amount: "10.00", Script: kerneltest.Declined, Outcome: store.Fail, Status: store.Pending,
				Captured: "0", Refunded: "0", Told: "refund fail pending"},
			{What: "refund", Amount: "10.00", Outcome: store.Success, Status: store.Reversed, Captured: "0", Refunded: "0", Told: "refund success reversal"},
			{What: "refund", Err: gateway.ErrRefund, Status: store.Reversed, Captured: "0", Refunded: "0"},
			{What: "capture", Err: gateway.ErrCaptureStatus, Status: store.Reversed, Captured: "0", Refunded: "0"},
			{What: "dispute", Err: gateway.ErrChargeback, Status: store.Reversed, Captured: "0", Refunded: "0"},
		}},
		{"reversal pending", gatewaytest.Settles, kerneltest.Holds, false, "sale success pending", []kerneltest.Step{
			{What: "refund", Script: waits, Outcome: store.Waiting, Status: store.Pending, Captured: "0", Refunded: "0", Told: "refund waiting pending"},
			{What: "capture", Err: gateway.ErrBusy, Status: store.Pending, Captured: "0", Refunded: "0"},
		}},
		{"void", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "void", Outcome: store.Success, Status: store.Voided, Captured: "10.00", Refunded: "0", Told: "void success void"},
			{What: "void", Err: gateway.ErrVoid, Status: store.Voided, Captured: "10.00", Refunded: "0"},
			{What: "refund", Err: gateway.ErrRefund, Status: store.Voided, Captured: "10.00", Refunded: "0"},
			{What: "dispute", Err: gateway.ErrChargeback, Status: store.Voided, Captured: "10.00", Refunded: "0"},
		}},
		{"void refused, then refund", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "void", Script: kerneltest.Declined, Outcome: store.Fail, Status: store.Settled, Captured: "10.00",
				Refunded: "0", Told: "void fail settled"},
			{What: "refund", Amount: "2.50", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "2.50", Told: "refund success refund"},
		}},
		{"void pending", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "void", Script: waits, Outcome: store.Waiting, Status: store.Settled, Captured: "10.00", Refunded: "0", Told: "void undefined settled"},
			{What: "refund", Err: gateway.ErrBusy, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "void", Err: gateway.ErrBusy, Status: store.Settled, Captured: "10.00", Refunded: "0"},
		}},
		{"void of a captured part", gatewaytest.Settles, kerneltest.Holds, false, "sale success pending", []kerneltest.Step{
			{What: "void", Err: gateway.ErrVoid, Status: store.Pending, Captured: "0", Refunded: "0"},
			{What: "capture", Amount: "4.00", Outcome: store.Success, Status: store.Settled, Captured: "4.00", Refunded: "0", Told: "capture success settled"},
			{What: "void", Outcome: store.Success, Status: store.Voided, Captured: "4.00", Refunded: "0", Told: "void success void"},
		}},
		{"void is never of a part", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "void", Amount: "9.99", Err: gateway.ErrVoid, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "void", Amount: "10.00", Outcome: store.Success, Status: store.Voided, Captured: "10.00", Refunded: "0", Told: "void success void"},
		}},
		{"debit", gatewaytest.Settles, kerneltest.Debits, false, "debit success settled", []kerneltest.Step{
			{What: "capture", Err: gateway.ErrCaptureStatus, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "refund", Amount: "9.99", Err: gateway.ErrReversalPart, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "refund", Script: kerneltest.Declined, Outcome: store.Fail, Status: store.Settled, Captured: "10.00",
				Refunded: "0", Told: "refund fail settled"},
			{What: "refund", Outcome: store.Success, Status: store.Reversed, Captured: "10.00", Refunded: "10.00", Told: "refund success reversal"},
			{What: "refund", Err: gateway.ErrRefund, Status: store.Reversed, Captured: "10.00", Refunded: "10.00"},
		}},
		{"debit voided on its day", gatewaytest.Settles, kerneltest.Debits, false, "debit success settled", []kerneltest.Step{
			{What: "void", Amount: "9.99", Err: gateway.ErrVoid, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "void", Script: kerneltest.Declined, Outcome: store.Fail, Status: store.Settled, Captured: "10.00",
				Refunded: "0", Told: "void fail settled"},
			{What: "void", Outcome: store.Success, Status: store.Voided, Captured: "10.00", Refunded: "0", Told: "void success void"},
			{What: "refund", Err: gateway.ErrRefund, Status: store.Voided, Captured: "10.00", Refunded: "0"},
		}},
		{"debit held, captured in part, voided", gatewaytest.Settles, append(kerneltest.Holds, kerneltest.AsDebit), false,
			"debit success pending", []kerneltest.Step{
				{What: "void", Err: gateway.ErrVoid, Status: store.Pending, Captured: "0", Refunded: "0"},
				{What: "capture", Amount: "4.00", Outcome: store.Success, Status: store.Settled, Captured: "4.00", Refunded: "0", Told: "capture success settled"},
				{What: "void", Outcome: store.Success, Status: store.Voided, Captured: "4.00", Refunded: "0", Told: "void success void"},
			}},
		{"debit held, captured in part, reversed", gatewaytest.Settles, append(kerneltest.Holds, kerneltest.AsDebit), false,
			"debit success pending", []kerneltest.Step{
				{What: "capture", Amount: "4.00", Outcome: store.Success, Status: store.Settled, Captured: "4.00", Refunded: "0", Told: "capture success settled"},
				{What: "refund", Amount: "3.99", Err: gateway.ErrReversalPart, Status: store.Settled, Captured: "4.00", Refunded: "0"},
				{What: "refund", Amount: "10.00", Err: gateway.ErrReversalAmount, Status: store.Settled, Captured: "4.00", Refunded: "0"},
				{What: "refund", Outcome: store.Success, Status: store.Reversed, Captured: "4.00", Refunded: "4.00", Told: "refund success reversal"},
			}},
		{"dispute", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "dispute", Amount: "10.01", Err: gateway.ErrDisputeAmount, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "dispute", Outcome: store.Success, Status: store.Disputed, Captured: "10.00", Refunded: "0", Told: "chargeback success chargeback"},
			{What: "dispute", Err: gateway.ErrChargeback, Status: store.Disputed, Captured: "10.00", Refunded: "0"},
			{What: "refund", Err: gateway.ErrRefund, Status: store.Disputed, Captured: "10.00", Refunded: "0"},
			{What: "void", Err: gateway.ErrVoid, Status: store.Disputed, Captured: "10.00", Refunded: "0"},
		}},
		{"dispute of everything after a refund of a part", gatewaytest.Settles, nil, false, "sale success settled",
			[]kerneltest.Step{
				{What: "refund", Amount: "4.00", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "4.00", Told: "refund success refund"},
				{What: "dispute", Amount: "10.01", Err: gateway.ErrDisputeAmount, Status: store.Refunded, Captured: "10.00", Refunded: "4.00"},
				{What: "dispute", Amount: "10.00", Outcome: store.Success, Status: store.Disputed, Captured: "10.00", Refunded: "4.00", Told: "chargeback success chargeback"},
				{What: "refund", Err: gateway.ErrRefund, Status: store.Disputed, Captured: "10.00", Refunded: "4.00"},
			}},
		{"dispute of everything that was captured", gatewaytest.Settles, kerneltest.Holds, false, "sale success pending",
			[]kerneltest.Step{
				{What: "capture", Amount: "5.00", Outcome: store.Success, Status: store.Settled, Captured: "5.00", Refunded: "0", Told: "capture success settled"},
				{What: "refund", Amount: "4.00", Outcome: store.Success, Status: store.Refunded, Captured: "5.00", Refunded: "4.00", Told: "refund success refund"},
				{What: "dispute", Amount: "5.01", Err: gateway.ErrDisputeAmount, Status: store.Refunded, Captured: "5.00", Refunded: "4.00"},
				{What: "dispute", Amount: "5.00", Outcome: store.Success, Status: store.Disputed, Captured: "5.00", Refunded: "4.00", Told: "chargeback success chargeback"},
			}},
		{"dispute of what is left", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "refund", Amount: "4.00", Outcome: store.Success, Status: store.Refunded, Captured: "10.00", Refunded: "4.00", Told: "refund success refund"},
			{What: "dispute", Outcome: store.Success, Status: store.Disputed, Captured: "10.00", Refunded: "4.00", Told: "chargeback success chargeback"},
		}},
		{"dispute of a debit", gatewaytest.Settles, kerneltest.Debits, false, "debit success settled", []kerneltest.Step{
			{What: "dispute", Outcome: store.Success, Status: store.Disputed, Captured: "10.00", Refunded: "0", Told: "chargeback success chargeback"},
		}},
		{"nothing follows a decline", gatewaytest.Declines, nil, false, "sale fail decline", []kerneltest.Step{
			{What: "capture", Err: gateway.ErrCaptureStatus, Status: store.Declined, Captured: "0", Refunded: "0"},
			{What: "refund", Err: gateway.ErrRefund, Status: store.Declined, Captured: "0", Refunded: "0"},
			{What: "void", Err: gateway.ErrVoid, Status: store.Declined, Captured: "0", Refunded: "0"},
			{What: "dispute", Err: gateway.ErrChargeback, Status: store.Declined, Captured: "0", Refunded: "0"},
		}},
		{"invalid amounts", gatewaytest.Settles, nil, false, "sale success settled", []kerneltest.Step{
			{What: "refund", Amount: "0.00", Err: gateway.ErrInvalid, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "refund", Amount: "-1.00", Err: gateway.ErrInvalid, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "refund", Amount: "1", Err: gateway.ErrInvalid, Status: store.Settled, Captured: "10.00", Refunded: "0"},
			{What: "refund", Amount: "1e0", Err: gateway.ErrInvalid, Status: store.Settled, Captured: "10.00", Refunded: "0"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{
				MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, PartialRefundSettled: c.keeps,
			}))
			p := kerneltest.Pay(t, kit, "ORD-1", c.card, c.change...)
			kit.Work(t)
			told := []string{c.first}
			require.Equal(t, told, kerneltest.CallbackStatuses(t, kit))
			for i, step := range c.steps {
				step.Check(t, kit, p, i)
				kit.Work(t)
				if step.Told != "" {
					told = append(told, step.Told)
				}
				require.Equal(t, told, kerneltest.CallbackStatuses(t, kit), "step %d", i)
			}
			if len(c.steps) > 0 {
				kit.Advance(t, 72*time.Hour) // pending and unknown ones are decided by then
				settleAll(t, kit)
				kerneltest.Quiet(t, kit)
			}
		})
	}
}

// settleAll makes the acquirer decide its pending operations, and recovery learn the results.
func settleAll(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	for _, e := range kit.Charges(t) {
		if e.State == vcard.StatePending {
			require.NoError(t, kit.Vcard.Resolve(t.Context(), e.Key, vcard.Approve()))
		}
	}
	kit.Advance(t, 72*time.Hour)
}

// A follow-up of another merchant's payment, or of none, reveals nothing.
func TestFollowUpOfNobody(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	for _, what := range []string{"capture", "refund", "void", "dispute"} {
		for _, id := range []string{"", "nothing", "x\x00y"} {
			_, err := kerneltest.Step{What: what}.Run(t.Context(), kit, store.Payment{ID: id})
			require.ErrorIs(t, err, gateway.ErrNoPayment, "%s %q", what, id)
		}
	}
	for _, id := range []string{"", "nothing", "x\x00y", strings.Repeat("x", store.MaxKey)} {
		_, err := kit.Operator().Transactions(t.Context(), id)
		require.ErrorIs(t, err, gateway.ErrNoPayment, id)
		_, err = kit.Operator().Callbacks(t.Context(), id)
		require.ErrorIs(t, err, gateway.ErrNoPayment, id)
		require.ErrorIs(t, kit.Operator().Resend(t.Context(), id), gateway.ErrNoCallback, id)
	}
}

// A refund that is under way during a dispute moves its money but not the status.
func TestDisputeWhileRefundRuns(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles)
	kit.Vcard.Next(vcard.Pending())
	_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
	require.NoError(t, err)
	r, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID})
	require.NoError(t, err)
	require.Equal(t, "6.00", r.Transaction.Amount.String(), "a refunded amount is not disputed too")
	settleAll(t, kit)
	now := kit.Payment(t, "ORD-1")
	require.Equal(t, store.Disputed, now.Status)
	require.Equal(t, "4.00", now.Refunded.String())
	kerneltest.Quiet(t, kit)
}

// If the connector is no longer configured, the follow-up is refused for certain and the payment does not
// change.
func TestFollowUpWithoutConnector(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles)
	other := kit.Twin(t, func(c *gateway.Config) { c.Connectors = map[string]methods.Connector{"other": kit.Vcard} })
	r, err := other.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, ""))
	require.NoError(t, err)
	require.Equal(t, store.Fail, r.Transaction.Outcome)
	require.Equal(t, store.Settled, r.Payment.Status)
	require.True(t, r.Payment.Reserved.IsZero())
	require.False(t, errors.Is(err, gateway.ErrInternal))
	kerneltest.Quiet(t, kitAfterWork(t, kit))
}

func kitAfterWork(t testing.TB, kit *gatewaytest.Kit) *gatewaytest.Kit {
	t.Helper()
	kit.Work(t)
	return kit
}
