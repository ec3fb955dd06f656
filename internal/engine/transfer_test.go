package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

const payeePAN = "5555555555554444"

func transferOf(order, amount string) gateway.SessionRequest {
	r := gatewaytest.Request(order, amount)
	r.Operation, r.Extra.Payee = "transfer", &store.Payer{Name: "Jane Roe"}
	return r
}

func payeeCard(t testing.TB) store.PAN {
	t.Helper()
	pan, err := store.ParsePAN(payeePAN)
	require.NoError(t, err)
	return pan
}

// SPEC1, "Amount format": with -1 the payer enters the amount of a transfer.
func TestTransferOfAnOpenAmount(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	link := kit.SessionOf(t, transferOf("ORD-1", "-1"))
	next := kerneltest.NextActionOf(t, kit, link)
	require.True(t, next.NeedAmount)
	require.True(t, next.NeedPayeeCard)
	pays := func(amount string, change func(*gateway.Submission)) (*gateway.NextAction, error) {
		in := gateway.Submission{Attempt: kerneltest.NextActionOf(t, kit, link).Attempt, Card: gatewaytest.Settles,
			PayeeCard: payeeCard(t), Amount: amount}
		change(&in)
		return kit.PaySession(t.Context(), link, in)
	}
	same := func(*gateway.Submission) {}
	for _, amount := range []string{"", "0.00", "-1", "-1.00", "1", "1.001", "1e3", "x"} {
		_, err := pays(amount, same)
		require.ErrorIs(t, err, gateway.ErrInvalid, amount)
		require.Equal(t, []string{"amount"}, kerneltest.FaultPaths(err), amount)
	}
	_, err := pays("12.34", func(in *gateway.Submission) { in.PayeeCard = store.PAN{} })
	require.ErrorIs(t, err, gateway.ErrInvalid, "whom to?")
	require.Empty(t, kit.Charges(t))

	_, err = pays("99.00", func(in *gateway.Submission) { in.Card = gatewaytest.Declines })
	require.NoError(t, err)
	next = kerneltest.NextActionOf(t, kit, link)
	require.True(t, next.NeedAmount, "asked for again")
	require.Equal(t, "-1", next.Order.Amount)
	next, err = pays("12.34", same)
	require.NoError(t, err)
	require.Equal(t, gateway.ReturnPaid, next.Status)
	p := kit.Payment(t, "ORD-1")
	require.Equal(t, []string{"12.34", "12.34"}, []string{p.Order.Amount, p.Captured.String()})
	op := spy.Sends(p.Transactions[0].ID)[0]
	require.Equal(t, store.OpTransfer, op.Kind)
	require.Equal(t, "12.34", op.Amount.String())
	require.Equal(t, payeePAN, op.PayeeCard.PAN.Digits())
	require.Empty(t, op.PayeeCard.Code.Digits())
	require.Equal(t, "Jane Roe", op.Payee.Name)
	for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
		require.Equal(t, "555555******4444", form.Get("payee_card"))
		require.Equal(t, "transfer", form.Get("type"))
		require.False(t, form.Has("card_token"))
	}
	kerneltest.Audit(t, kit)
}

// A transfer with a known amount asks for none and accepts none.
func TestTransferOfAKnownAmount(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	link := kit.SessionOf(t, transferOf("ORD-1", "10.00"))
	require.False(t, kerneltest.NextActionOf(t, kit, link).NeedAmount)
	next := kerneltest.Submit(kit, t, link,
		gateway.Submission{Card: gatewaytest.Settles, PayeeCard: payeeCard(t), Amount: "1.00"})
	require.Equal(t, gateway.ReturnPaid, next.Status)
	require.Equal(t, "10.00", kit.Payment(t, "ORD-1").Captured.String())
}

// -1 is an amount of transfers only.
func TestOpenAmountIsForTransfers(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	for _, operation := range []string{"purchase", "debit", "credit"} {
		r := transferOf("ORD-1", "-1")
		r.Operation = operation
		_, err := kit.Shop().CreateSession(t.Context(), r)
		require.ErrorIs(t, err, gateway.ErrInvalid, operation)
	}
	require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-1", func(r *gateway.ChargeRequest) { r.Order.Amount = "-1" }),
		gateway.ErrInvalid)
}

// The number of the payee's card is sealed with the payer's, and is sent after 3-D Secure.
func TestPayeeCardThrough3DS(t *testing.T) {
	t.Parallel()
	kit, _, h := kerneltest.Searched(t)
	link := kit.SessionOf(t, transferOf("ORD-1", "10.00"))
	in := gateway.Submission{Card: kerneltest.CanaryCard(t, 5, 2038), PayeeCard: payeeCard(t)}
	next := kerneltest.Submit(kit, t, link, in)
	require.Equal(t, gateway.ActionRedirect, next.Kind)
	kit.ComeBack(t, next.Redirect)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	kit.Work(t)
	kerneltest.Gather(t, kit, h)
	require.Empty(t, h.Find(payeePAN))
	require.Empty(t, h.Find(kerneltest.CanaryPAN))
}
