package kerneltest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// FollowUpOf is a request for a follow-up of a payment; an empty amount is all of it.
func FollowUpOf(p store.Payment, amount string) gateway.FollowUp {
	return gateway.FollowUp{PaymentID: p.ID, Amount: amount}
}

// Step is one step of a case: a follow-up, its error, and the state afterwards.
type Step struct {
	What   string // capture, refund, void, dispute
	Amount string
	Script []vcard.Outcome
	Err    error

	Outcome  store.Outcome
	Status   store.Status
	Captured string
	Refunded string
	Told     string // the callback, if any
}

// Run makes the follow-up.
func (d Step) Run(ctx context.Context, kit *gatewaytest.Kit, p store.Payment) (*gateway.Result, error) {
	switch d.What {
	case "capture":
		return kit.Shop().Capture(ctx, FollowUpOf(p, d.Amount))
	case "void":
		return kit.Shop().Void(ctx, FollowUpOf(p, d.Amount))
	case "dispute":
		return kit.Chargeback(ctx, gateway.Dispute{PaymentID: p.ID, Amount: d.Amount, Reason: "10.4 Fraud"})
	default:
		return kit.Shop().CreditVoid(ctx, FollowUpOf(p, d.Amount))
	}
}

// Check makes the follow-up, audits the store, and compares the state.
func (d Step) Check(t *testing.T, kit *gatewaytest.Kit, p store.Payment, i int) {
	t.Helper()
	kit.Vcard.Next(d.Script...)
	before := len(kit.Charges(t))
	r, err := d.Run(t.Context(), kit, p)
	if d.Err != nil {
		require.ErrorIs(t, err, d.Err, "step %d", i)
		require.Len(t, kit.Charges(t), before, "step %d: a refusal is not sent to the acquirer", i)
	} else {
		require.NoError(t, err, "step %d", i)
		require.Equal(t, d.Outcome, r.Transaction.Outcome, "step %d: %s", i, r.Transaction.Reason)
		require.NotEqual(t, p.Transactions[0].ID, r.Transaction.ID, "a follow-up has an id of its own")
	}
	now := kit.Payment(t, "ORD-1")
	require.Equal(t, d.Status, now.Status, "step %d", i)
	require.Zero(t, now.Captured.Cmp(store.MustAmount(d.Captured)), "step %d: captured %s", i, now.Captured)
	require.Zero(t, now.Refunded.Cmp(store.MustAmount(d.Refunded)), "step %d: refunded %s", i, now.Refunded)
	Audit(t, kit)
}

// CallbackStatuses lists the merchant's callbacks as type, status and order_status.
func CallbackStatuses(t testing.TB, kit *gatewaytest.Kit) (list []string) {
	t.Helper()
	for _, form := range kit.Inbox.Fields(t) {
		list = append(list, form.Get("type")+" "+form.Get("status")+" "+form.Get("order_status"))
	}
	return list
}

// RetryOf is a request to retry a later payment.
func RetryOf(p store.Payment) gateway.FollowUp {
	return gateway.FollowUp{PaymentID: p.ID}
}
