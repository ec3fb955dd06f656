package gatewaytest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// The tests of this file are what a merchant's own suite looks like: start from a copy.

func TestBuy(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	turn := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	require.Equal(t, gateway.ReturnPaid, turn.Status)
	kit.Work(t)
	require.Equal(t, "success", kit.Inbox.Expect(t, "ORD-1", "sale").Get("status"))
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

func TestDecline(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	turn := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Declines)
	require.Equal(t, "Declined by processing.", turn.Declined)
	kit.Work(t)
	require.Equal(t, "fail", kit.Inbox.Expect(t, "ORD-1", "sale").Get("status"))
}

func TestThreeDSecure(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	turn := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.ThreeDSPasses)
	require.Equal(t, gateway.ActionRedirect, turn.Kind)
	require.Contains(t, kit.ComeBack(t, turn.Redirect), "/auth/")
	kit.Work(t)
	require.Equal(t, "success", kit.Inbox.Expect(t, "ORD-1", "sale").Get("status"))
}

func TestRefund(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	sold := kit.Payment(t, "ORD-1")
	_, err := kit.Shop().CreditVoid(t.Context(), gateway.FollowUp{PaymentID: sold.ID, Amount: "4.00"})
	require.NoError(t, err)
	kit.Work(t)
	require.Equal(t, "success", kit.Inbox.Expect(t, "ORD-1", "refund").Get("status"))
	require.Equal(t, "4.00", kit.Payment(t, "ORD-1").Refunded.String())
}

func TestSubscriptionNextMonth(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	subscribe(t, kit, 12)
	require.Len(t, kit.Charges(t), 1)
	kit.Advance(t, 32*24*time.Hour)
	require.Len(t, kit.Charges(t), 2)
	require.Equal(t, "10.00", kit.Charges(t)[1].Amount.String())
}

// Thirteen months pass in a moment: the first payment, twelve more, and none after them.
func TestSubscriptionForThirteenMonths(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	subscribe(t, kit, 12)
	for month := 1; month <= 13; month++ {
		next := time.Date(2027, time.Month(3+month), 11, 12, 0, 0, 0, time.UTC)
		kit.Advance(t, next.Sub(kit.Clock.Now()))
		require.Len(t, kit.Charges(t), min(1+month, 13), next)
	}
	kit.Advance(t, 90*24*time.Hour)
	require.Len(t, kit.Charges(t), 13)
	require.Len(t, kit.Inbox.All(), 13)
}

// subscribe sells a subscription on the payment page: a payment of 10.00 now, and one in each of some months.
func subscribe(t *testing.T, kit *gatewaytest.Kit, months int) {
	t.Helper()
	monthly, err := kit.Shop().CreateSchedule(t.Context(), store.Schedule{
		Name: "Monthly", IntervalLength: 1, IntervalUnit: store.Month, PaymentsCount: months})
	require.NoError(t, err)
	asked := gatewaytest.Request("SUB-1", "10.00")
	asked.Extra.RecurringInit, asked.Extra.ScheduleID = true, monthly.ID
	kit.Pay(t, kit.SessionOf(t, asked), gatewaytest.Settles)
	kit.Work(t)
}
