package kerneltest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// ChainTokens lists the record ids of the demo merchant's chains.
func ChainTokens(t testing.TB, kit *gatewaytest.Kit) (tokens []string) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		tokens = nil
		for entry := range r.Scan(store.Range{Prefix: store.Key("ch", gatewaytest.MerchantID), Limit: Everything}) {
			require.NoError(t, entry.Err)
			parts, err := store.SplitKey(entry.Key)
			require.NoError(t, err)
			tokens = append(tokens, parts[len(parts)-1])
		}
		return nil
	}))
	return tokens
}

// LaterOf is a request for a later payment of the chain of a first one.
func LaterOf(first store.Payment, order string, change ...func(*gateway.RecurRequest)) gateway.RecurRequest {
	r := gateway.RecurRequest{
		InitID: first.ID, Token: first.RecurringToken,
		Order: store.Order{Number: order, Amount: "5.00", Description: "Another month"},
	}
	for _, c := range change {
		c(&r)
	}
	return r
}

// Recurred makes a later payment that must be accepted, whatever its outcome.
func Recurred(t testing.TB, kit *gatewaytest.Kit, r gateway.RecurRequest) *gateway.Result {
	t.Helper()
	result, err := kit.Shop().Recur(t.Context(), r)
	require.NoError(t, err)
	return result
}

// Subscribed begins a chain on a new schedule at the kit's time, 2027-03-10 12:00 UTC.
func Subscribed(t testing.TB, kit *gatewaytest.Kit, s store.Schedule,
	change ...func(*gateway.ChargeRequest)) (*store.Schedule, store.Payment) {
	t.Helper()
	set, err := kit.Shop().CreateSchedule(t.Context(), s)
	require.NoError(t, err)
	return set, Charged(t, kit, "SUB-1", gatewaytest.Settles, append(change, OnSchedule(set))...).Payment
}

// EveryDays is a schedule of 10.00 every n days.
func EveryDays(n, count int) store.Schedule {
	return store.Schedule{Name: "Days", IntervalLength: n, IntervalUnit: store.Day, PaymentsCount: count}
}

// Monthly is a schedule of twelve payments at the end of the month.
func Monthly(change ...func(*store.Schedule)) store.Schedule {
	s := store.Schedule{Name: "Monthly", IntervalLength: 1, IntervalUnit: store.Month, DayOfMonth: 31, PaymentsCount: 12}
	for _, c := range change {
		c(&s)
	}
	return s
}

// Scheduled saves a monthly schedule.
func Scheduled(t testing.TB, kit *gatewaytest.Kit, change ...func(*store.Schedule)) *store.Schedule {
	t.Helper()
	s, err := kit.Shop().CreateSchedule(t.Context(), Monthly(change...))
	require.NoError(t, err)
	return s
}

// PaidOn lists the dates and amounts of the acquirer's requests, without the first payment.
func PaidOn(t testing.TB, kit *gatewaytest.Kit) (list []string) {
	t.Helper()
	for _, e := range kit.Charges(t)[1:] {
		list = append(list, e.At.UTC().Format("2006-01-02 ")+e.Amount.String())
	}
	return list
}

// AdvanceTo moves the clock to a date and does what is then due.
func AdvanceTo(t testing.TB, kit *gatewaytest.Kit, date string) {
	t.Helper()
	at, err := time.Parse(time.DateOnly, date)
	require.NoError(t, err)
	kit.Advance(t, at.Sub(kit.Clock.Now()))
}

// Date is the start of a day, written as 2006-01-02.
func Date(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}
