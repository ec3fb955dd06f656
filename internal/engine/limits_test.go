package engine_test

import (
	"fmt"
	"sync"
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

// bounded sets the limits of the live MID.
func bounded(t testing.TB, kit *gatewaytest.Kit, limits store.Limits, change ...func(*store.MID)) {
	t.Helper()
	mid := store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Limits: limits}
	for _, c := range change {
		c(&mid)
	}
	require.NoError(t, kit.SaveMID(t.Context(), mid))
}

// boundedMapping sets the limits of a protocol's mapping.
func boundedMapping(t testing.TB, kit *gatewaytest.Kit, protocol store.Protocol, limits store.MappingLimits) {
	t.Helper()
	require.NoError(t, kit.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: protocol, Limits: limits}))
}

// errors.md: 204007 and 204014 of a MID, 204008 and 204015 of a mapping. It is a Wednesday noon; the limit is
// reached exactly and never exceeded.
func TestLimits(t *testing.T) {
	t.Parallel()
	none := store.MappingLimits{}
	for _, c := range []struct {
		name   string
		limits store.Limits
		common store.MappingLimits
		err    *gateway.Error
		still  time.Time // the last moment of the period
	}{
		{"day", store.Limits{Day: "20.00"}, none, gateway.ErrDayLimit, time.Date(2027, 3, 10, 23, 59, 59, 0, time.UTC)},
		{"day of the mapping", store.Limits{}, store.MappingLimits{Day: "20.00"}, gateway.ErrMappingDayLimit, time.Date(2027, 3, 10, 23, 59, 59, 0, time.UTC)},
		{"week of the mapping", store.Limits{}, store.MappingLimits{Week: "20.00"}, gateway.ErrWeekLimit, time.Date(2027, 3, 14, 23, 59, 59, 0, time.UTC)},
		{"month", store.Limits{Month: "20"}, none, gateway.ErrMonthLimit, time.Date(2027, 3, 31, 23, 59, 59, 0, time.UTC)},
		{"the tightest", store.Limits{Day: "100.00", Month: "100.00"}, store.MappingLimits{Day: "100.00", Week: "20.00"}, gateway.ErrWeekLimit, time.Date(2027, 3, 14, 23, 59, 59, 0, time.UTC)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			bounded(t, kit, c.limits)
			boundedMapping(t, kit, store.Checkout, c.common)
			require.NoError(t, kerneltest.Tries(t, kit, "ORD-1"))
			require.NoError(t, kerneltest.Tries(t, kit, "ORD-2", kerneltest.AsDebit))
			require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-3"), c.err)
			require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-3",
				func(r *gateway.ChargeRequest) { r.Order.Amount = "0.01" }), c.err)
			require.NoError(t, kerneltest.Tries(t, kit, "ORD-4", func(r *gateway.ChargeRequest) { r.Order.Currency = "EUR" }),
				"each currency by itself")
			require.Len(t, kit.Charges(t), 3)
			_, err := kit.Shop().Status(t.Context(), gateway.Lookup{OrderNumber: "ORD-3"})
			require.ErrorIs(t, err, gateway.ErrNoOrder)
			kit.Clock.Set(c.still)
			require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-5"), c.err)
			kit.Clock.Set(c.still.Add(time.Second))
			require.NoError(t, kerneltest.Tries(t, kit, "ORD-5"))
			kerneltest.Audit(t, kit)
		})
	}
}

func TestLimitCodes(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{204007, 204008, 204015, 204014},
		[]int{gateway.ErrDayLimit.Code(), gateway.ErrMappingDayLimit.Code(), gateway.ErrWeekLimit.Code(),
			gateway.ErrMonthLimit.Code()})
}

// A refused charge is not counted anywhere, whichever limit refused it.
func TestRefusedCountsNothing(t *testing.T) {
	t.Parallel()
	t.Run("a charge", func(t *testing.T) {
		t.Parallel()
		kit := kerneltest.Audited(t)
		bounded(t, kit, store.Limits{Day: "100.00"})
		boundedMapping(t, kit, store.Checkout, store.MappingLimits{Week: "10.00"})
		require.NoError(t, kerneltest.Tries(t, kit, "ORD-0"))
		for i := range 20 {
			require.ErrorIs(t, kerneltest.Tries(t, kit, fmt.Sprintf("ORD-%d", i+1)), gateway.ErrWeekLimit)
		}
		boundedMapping(t, kit, store.Checkout, store.MappingLimits{})
		bounded(t, kit, store.Limits{Day: "20.00"})
		require.NoError(t, kerneltest.Tries(t, kit, "ORD-99"))
	})
	t.Run("a cascade", func(t *testing.T) {
		t.Parallel()
		kit := gatewaytest.New(t)
		kerneltest.SwitchCascading(t, kit, store.Checkout)
		second := store.MID{ID: "second", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Priority: 1,
			Limits: store.Limits{Day: "20.00", Month: "5.00"}}
		require.NoError(t, kit.SaveMID(t.Context(), second))
		for i := range 5 {
			kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
			r := kerneltest.Charged(t, kit, fmt.Sprintf("ORD-%d", i), gatewaytest.Settles)
			require.Equal(t, store.Declined, r.Payment.Status, "there is no other MID")
			require.Len(t, kerneltest.FormsOf(t, kit, fmt.Sprintf("ORD-%d", i)), 1)
		}
		second.Limits.Month = ""
		require.NoError(t, kit.SaveMID(t.Context(), second))
		kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
		require.Equal(t, store.Settled, kerneltest.Charged(t, kit, "ORD-9", gatewaytest.Settles).Payment.Status)
	})
}

// A failed charge gives back its amount; a charge in doubt keeps it.
func TestLimitIsReleased(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	bounded(t, kit, store.Limits{Day: "10.00", Month: "10.00"})
	boundedMapping(t, kit, store.Checkout, store.MappingLimits{Day: "10.00", Week: "10.00"})
	for i, outcome := range []vcard.Outcome{vcard.Decline("No"), vcard.SoftDecline("No"), vcard.NotSent()} {
		kit.Vcard.Next(outcome)
		require.NoError(t, kerneltest.Tries(t, kit, fmt.Sprintf("ORD-%d", i)))
	}
	kit.Vcard.Next(vcard.Pending())
	r := kerneltest.Charged(t, kit, "ORD-7", gatewaytest.Settles)
	require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-8"), gateway.ErrDayLimit)
	require.NoError(t, kit.Vcard.Resolve(t.Context(), "tg-"+r.Transaction.ID, vcard.Decline("No")))
	kit.Advance(t, time.Hour)
	require.NoError(t, kerneltest.Tries(t, kit, "ORD-8"))
	require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-9"), gateway.ErrDayLimit)
	for _, p := range []store.Payment{kit.Payment(t, "ORD-8")} {
		_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, ""))
		require.NoError(t, err)
	}
	require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-9"), gateway.ErrDayLimit, "what is given back had been taken")
}

// If one MID is at its limit the next one is used, without a cascade; sessions do the same.
func TestLimitUsesTheNextMID(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.AddMIDs(t, kit, "second", "third")
	bounded(t, kit, store.Limits{Day: "10.00"})
	for i, mid := range []string{"live", "second", "second"} {
		require.Equal(t, mid, kerneltest.Charged(t, kit, fmt.Sprintf("ORD-%d", i), gatewaytest.Settles).Payment.MIDID)
	}
	require.Equal(t, gateway.ReturnPaid, kit.Pay(t, kit.Session(t, "ORD-9", "10.00"), gatewaytest.Settles).Status)
	require.Equal(t, "second", kit.Payment(t, "ORD-9").MIDID)
}

// A cascade skips a MID that is at its limit.
func TestCascadePassesOverAFullMID(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.SwitchCascading(t, kit, store.Checkout)
	kerneltest.AddMIDs(t, kit, "second", "third")
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "second", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Priority: 1,
			Limits: store.Limits{Day: "5.00"}}))
	kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	require.Equal(t, store.Settled, r.Payment.Status)
	require.Equal(t, "third", r.Payment.MIDID)
	linked(t, kerneltest.AttemptsOf(t, kit, "ORD-1"))
}

// A retry counts as a charge; the first step of a debit takes nothing.
func TestLimitOfChargesAgain(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	bounded(t, kit, store.Limits{Day: "10.00"})
	kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
	p := kerneltest.Recurred(t, kit,
		kerneltest.LaterOf(first, "ORD-2", func(r *gateway.RecurRequest) { r.Order.Amount = "10.00" })).Payment
	charge := kerneltest.Charged(t, kit, "ORD-3", gatewaytest.Settles).Payment
	_, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
	require.ErrorIs(t, err, gateway.ErrDayLimit)
	bounded(t, kit, store.Limits{Day: "20.00"})
	_, err = kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
	require.NoError(t, err)
	require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-4"), gateway.ErrDayLimit)
	require.Equal(t, store.Settled, charge.Status)
}

// racingCharges makes 16 charges at once, returns how many are accepted, and requires the same refusal for
// the others.
func racingCharges(t testing.TB, kit *gatewaytest.Kit, refusal error) (taken int) {
	t.Helper()
	results := make([]error, 16)
	var running sync.WaitGroup
	for i := range results {
		running.Go(func() {
			_, results[i] = kit.Shop().Charge(t.Context(), kerneltest.ChargeOf(fmt.Sprintf("ORD-%d", i), gatewaytest.Settles))
		})
	}
	running.Wait()
	for _, err := range results {
		if err == nil {
			taken++
			continue
		}
		require.ErrorIs(t, err, refusal)
	}
	return taken
}

// Concurrent charges reach the limit and never exceed it; each is counted once.
func TestLimitUnderARace(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	bounded(t, kit, store.Limits{Day: "50.00", Month: "1000.00"})
	require.Equal(t, 5, racingCharges(t, kit, gateway.ErrDayLimit))
	require.Len(t, kit.Charges(t), 5)
}

// The day is the financial day of the MID: here it ends at 18:00 in Tokyo, 09:00 UTC.
func TestLimitOfTheFinancialDay(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	bounded(t, kit, store.Limits{Day: "10.00"}, func(m *store.MID) { m.TimeZone, m.DayEnd = "Asia/Tokyo", "18:00" })
	kit.Clock.Set(time.Date(2027, 3, 11, 8, 59, 59, 0, time.UTC))
	require.NoError(t, kerneltest.Tries(t, kit, "ORD-1"))
	require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-2"), gateway.ErrDayLimit)
	kit.Clock.Set(time.Date(2027, 3, 11, 9, 0, 0, 0, time.UTC))
	require.NoError(t, kerneltest.Tries(t, kit, "ORD-2"))
	kit.Clock.Set(time.Date(2027, 3, 12, 8, 59, 59, 0, time.UTC))
	require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-3"), gateway.ErrDayLimit, "midnight in other zones does not count")
}

// The test key's MID has its own limits.
func TestLimitOfTheTestMID(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	bounded(t, kit, store.Limits{Day: "10.00"})
	require.NoError(t, kerneltest.Tries(t, kit, "ORD-1"))
	require.NoError(t, kerneltest.Tries(t, kit.As(gatewaytest.TestKey), "ORD-2"))
	_, err := kit.Shop().Charge(t.Context(),
		kerneltest.ChargeOf("ORD-3", methods.Card{}, func(r *gateway.ChargeRequest) { r.Card = &gatewaytest.Settles }))
	require.ErrorIs(t, err, gateway.ErrDayLimit)
}

// A session whose MIDs are at their limits starts nothing, and can be paid once the limits allow it again.
func TestLimitOfASession(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	bounded(t, kit, store.Limits{Day: "10.00"})
	require.NoError(t, kerneltest.Tries(t, kit, "ORD-1"))
	r := gatewaytest.Request("ORD-2", "10.00")
	r.Expiry = 720 * time.Minute
	link := kit.SessionOf(t, r)
	_, err := kit.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles})
	require.ErrorIs(t, err, gateway.ErrDayLimit)
	next := kerneltest.NextActionOf(t, kit, link)
	require.Equal(t, gateway.ActionCollect, next.Kind)
	require.Zero(t, next.Attempt)
	bounded(t, kit, store.Limits{Day: "20.00"})
	require.Equal(t, gateway.ReturnPaid, kit.Pay(t, link, gatewaytest.Settles).Status)
}

// In a debit of two steps the second one takes the money.
func TestLimitOfADebitInTwoSteps(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	bounded(t, kit, store.Limits{Day: "10.00"})
	told := kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, func(r *gateway.ChargeRequest) {
		r.Action, r.Kind, r.Calc = "DEBIT2VIRTUAL_CALC", store.Debit, true
	}).Payment
	require.NoError(t, kerneltest.Tries(t, kit, "ORD-2"))
	_, err := kit.Shop().CompleteDebit(t.Context(), kerneltest.RetryOf(told))
	require.ErrorIs(t, err, gateway.ErrDayLimit)
	bounded(t, kit, store.Limits{Day: "20.00"})
	kit.Vcard.Next(vcard.Decline("No"))
	r, err := kit.Shop().CompleteDebit(t.Context(), kerneltest.RetryOf(told))
	require.NoError(t, err)
	require.Equal(t, store.Fail, r.Transaction.Outcome)
	require.NoError(t, kerneltest.Tries(t, kit, "ORD-3"), "given back")
	require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-4"), gateway.ErrDayLimit)
}

// A mapping's limits are of one protocol and of all its MIDs together. Another MID does not help; other
// protocols and the other key have their own limits (decision bx).
func TestLimitOfAMapping(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.AddMIDs(t, kit, "second", "third")
	for _, protocol := range store.Protocols() {
		boundedMapping(t, kit, protocol, store.MappingLimits{Day: "20.00"})
	}
	doors := map[string]func(*gateway.ChargeRequest){
		"C": func(*gateway.ChargeRequest) {}, "V": kerneltest.ViaAPM, "S": func(r *gateway.ChargeRequest) {
			r.Protocol,
				r.Action = store.S2SCard, "SALE"
		},
	}
	for name, door := range doors {
		require.NoError(t, kerneltest.Tries(t, kit, name+"-1", door))
		require.NoError(t, kerneltest.Tries(t, kit, name+"-2", door))
		require.ErrorIs(t, kerneltest.Tries(t, kit, name+"-3", door), gateway.ErrMappingDayLimit)
	}
	require.NoError(t, kerneltest.Tries(t, kit.As(gatewaytest.TestKey), "T-1"), "the other key is counted separately")
	_, err := kit.PaySession(t.Context(), kit.Session(t, "P-1", "10.00"), gateway.Submission{Card: gatewaytest.Settles})
	require.ErrorIs(t, err, gateway.ErrMappingDayLimit, "a session is of Checkout")
	require.ErrorIs(t, kerneltest.Tries(t, kit, "P-2", kerneltest.AsDebit), gateway.ErrMappingDayLimit)
	kerneltest.Audit(t, kit)
}

// Concurrent charges of two MIDs reach the limit of their mapping and never exceed it.
func TestLimitOfAMappingUnderARace(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.AddMIDs(t, kit, "second", "third")
	boundedMapping(t, kit, store.Checkout, store.MappingLimits{Week: "50.00"})
	require.Equal(t, 5, racingCharges(t, kit, gateway.ErrWeekLimit))
}

// A cascade counts once: a declined attempt gives its amount back before the next one takes it.
func TestCascadeWithinTheLimitOfAMapping(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.AddMIDs(t, kit, "second", "third")
	require.NoError(t, kit.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout,
			Cascade: true, Limits: store.MappingLimits{Day: "10.00"}}))
	kit.Vcard.Next(kerneltest.SoftDeclines(2)...)
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	require.Equal(t, store.Settled, r.Payment.Status)
	require.Equal(t, "third", r.Payment.MIDID)
	require.ErrorIs(t, kerneltest.Tries(t, kit, "ORD-2"), gateway.ErrMappingDayLimit)
}
