package recurring_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// When a chain may begin to charge, and what ends it (decision ar).

// ofNothing makes a charge of 0.00 whose schedule, if any, is for 7.00.
func ofNothing(r *gateway.ChargeRequest) {
	r.Order.Amount = "0.00"
	if r.ScheduleID != "" {
		r.PaymentScheduleAmount = "7.00"
	}
}

// zeroes allows zero amounts on the MID of a kit.
func zeroes(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", ZeroAmount: true}))
}

// firsts are first payments of chains, each as it is once it is taken.
var firsts = map[string]struct {
	change []func(*gateway.ChargeRequest)
	taking string // the amount captured of a hold
}{
	"sale":          {nil, ""},
	"debit":         {kerneltest.Debits, ""},
	"hold":          {kerneltest.Holds, "10.00"},
	"part of hold":  {kerneltest.Holds, "4.00"},
	"held debit":    {append(kerneltest.Holds, kerneltest.AsDebit), "10.00"},
	"zero hold":     {append(kerneltest.Holds, ofNothing), ""},
	"sale of 0.00":  {[]func(*gateway.ChargeRequest){ofNothing}, ""},
	"debit of 0.00": {append(kerneltest.Debits, ofNothing), ""},
}

// doors are the ways to begin a later payment of a chain. Each returns its error.
var doors = map[string]func(t *testing.T, kit *gatewaytest.Kit, first store.Payment) error{
	"Checkout": func(t *testing.T, kit *gatewaytest.Kit, first store.Payment) error {
		_, err := kit.Shop().Recur(t.Context(), kerneltest.LaterOf(first, "LATER-1"))
		return err
	},
	"S2S CARD": func(t *testing.T, kit *gatewaytest.Kit, first store.Payment) error {
		_, err := kit.Shop().Recur(t.Context(), kerneltest.LaterOf(first, "LATER-2", func(r *gateway.RecurRequest) {
			r.Protocol, r.Action = store.S2SCard, "RECURRING_SALE"
		}))
		return err
	},
	"by client": func(t *testing.T, kit *gatewaytest.Kit, first store.Payment) error {
		client, err := kit.Client(t.Context(), gatewaytest.MerchantKey)
		require.NoError(t, err)
		_, err = client.Chain(t.Context(), first.ID, first.RecurringToken)
		return err
	},
}

func TestChainOfEachFirstPayment(t *testing.T) {
	t.Parallel()
	for name, c := range firsts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			zeroes(t, kit)
			set := kerneltest.Scheduled(t, kit, func(s *store.Schedule) { *s = kerneltest.EveryDays(1, 2) })
			token := ""
			first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles,
				append([]func(*gateway.ChargeRequest){kerneltest.OnSchedule(set)}, c.change...)...).Payment
			if c.taking != "" {
				require.Empty(t, first.FirstRecurring)
				require.Empty(t, first.ChainToken())
				require.False(t, kerneltest.FormsOf(t, kit, "ORD-1")[0].Has("recurring_token"))
				for door, open := range doors {
					require.ErrorIs(t, open(t, kit, first), gateway.ErrNoChain, door)
				}
				kit.Advance(t, 5*24*time.Hour)
				require.Len(t, kit.Charges(t), 1, "no schedule counts from a hold")
				captured, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(first, c.taking))
				require.NoError(t, err)
				require.Equal(t, "2027-03-16", captured.Payment.FirstRecurring, "counted from the capture of the 15th")
				first = captured.Payment
			} else {
				require.Equal(t, "2027-03-11", first.FirstRecurring)
			}
			forms := kerneltest.FormsOf(t, kit, "ORD-1")
			token = forms[len(forms)-1].Get("recurring_token")
			require.Equal(t, []string{token, first.ID}, []string{first.ChainToken(), first.RecurringInitID})
			require.NotEmpty(t, token)
			for door, open := range doors {
				require.NoError(t, open(t, kit, first), door)
			}
			kit.Advance(t, 30*24*time.Hour)
			require.Len(t, kerneltest.FormsOf(t, kit, "ORD-1"), len(forms)+2, "and the two of the schedule")
		})
	}
}

// given is what happens to a first payment after it was taken.
type given struct {
	what   string // capture, refund, void, dispute
	amount string
	script []vcard.Outcome
}

func TestChainEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, first string
		given       []given
		ends        bool
	}{
		{"void", "sale", []given{{"void", "", nil}}, true},
		{"void that is refused", "sale", []given{{"void", "", kerneltest.Declined}}, false},
		{"void of a debit", "debit", []given{{"void", "", nil}}, true},
		{"void of a captured hold", "part of hold", []given{{"void", "", nil}}, true},
		{"reversal of a debit", "debit", []given{{"refund", "", nil}}, true},
		{"reversal of a held debit", "held debit", []given{{"refund", "", nil}}, true},
		{"reversal of a zero hold", "zero hold", []given{{"refund", "", nil}}, true},
		{"reversal that is refused", "debit", []given{{"refund", "", kerneltest.Declined}}, false},
		{"refund", "sale", []given{{"refund", "", nil}}, false},
		{"refund of a part", "sale", []given{{"refund", "1.00", nil}}, false},
		{"refund of a captured hold", "hold", []given{{"refund", "", nil}}, false},
		{"dispute", "sale", []given{{"dispute", "", nil}}, true},
		{"dispute of a debit", "debit", []given{{"dispute", "10.00", nil}}, true},
		{"dispute of a part", "sale", []given{{"dispute", "9.99", nil}}, false},
		{"dispute of what is left", "sale", []given{{"refund", "4.00", nil}, {"dispute", "6.00", nil}}, true},
		{"dispute of less than is left", "sale", []given{{"refund", "4.00", nil}, {"dispute", "5.99", nil}}, false},
		{"dispute of all after a refund", "sale", []given{{"refund", "4.00", nil}, {"dispute", "10.00", nil}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			zeroes(t, kit)
			set := kerneltest.Scheduled(t, kit, func(s *store.Schedule) { *s = kerneltest.EveryDays(1, 3) })
			kind := firsts[c.first]
			first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles,
				append([]func(*gateway.ChargeRequest){kerneltest.OnSchedule(set)}, kind.change...)...).Payment
			if kind.taking != "" {
				_, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(first, kind.taking))
				require.NoError(t, err)
			}
			kit.Vcard.On("SOFT-1", vcard.SoftDecline("Later"))
			soft := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "SOFT-1")).Payment
			for _, g := range c.given {
				kit.Vcard.Next(g.script...)
				_, err := kerneltest.Step{What: g.what, Amount: g.amount}.Run(t.Context(), kit, first)
				require.NoError(t, err)
			}
			before := len(kit.Charges(t))
			for door, open := range doors {
				requireChain(t, c.ends, open(t, kit, first), door)
			}
			_, err := kit.Shop().Retry(t.Context(), kerneltest.FollowUpOf(soft, ""))
			requireChain(t, c.ends, err, "RETRY")
			kit.Advance(t, 30*24*time.Hour)
			now := kit.Payment(t, "SOFT-1")
			forms := kerneltest.FormsOf(t, kit, "ORD-1")
			if c.ends {
				require.Len(t, kit.Charges(t), before, "nothing is charged any more, not even by a schedule")
				require.Empty(t, kerneltest.ChainTokens(t, kit), "and no card is kept")
				require.False(t, forms[len(forms)-1].Has("recurring_token"))
				require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), set.ID), "its schedule is free")
				return
			}
			require.Equal(t, store.Settled, now.Status)
			require.Len(t, kit.Charges(t), before+2+1+3, "the doors, the retry and the schedule")
		})
	}
}

func requireChain(t *testing.T, ended bool, err error, door string) {
	t.Helper()
	if ended {
		require.ErrorIs(t, err, gateway.ErrNoChain, door)
	} else {
		require.NoError(t, err, door)
	}
}

// A chain that ends while its payment is about to begin charges nothing.
func TestChainEndsUnderWay(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	_, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(1, 3))
	kit.Clock.Set(kit.Clock.Now().AddDate(0, 0, 1))
	_, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: first.ID})
	require.NoError(t, err)
	kit.Work(t)
	require.Len(t, kit.Charges(t), 1)
}

// interposed is a store that runs a function once, before its next write transaction.
type interposed struct {
	store.Store
	before func()
}

func (s *interposed) Update(ctx context.Context, fn func(store.Tx) error) error {
	if first := s.before; first != nil {
		s.before = nil
		first()
	}
	return s.Store.Update(ctx, fn)
}

// A chain that ends after a later payment read it, and before that payment is stored, charges nothing.
func TestChainEndsBeforeItsPayment(t *testing.T) {
	t.Parallel()
	between := &interposed{}
	kit := gatewaytest.New(t, func(c *gateway.Config) {
		between.Store = c.Store
		c.Store = between
	})
	first := kerneltest.Charged(t, kit, "SUB-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	between.before = func() {
		_, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: first.ID})
		require.NoError(t, err)
	}
	_, err := kit.Shop().Recur(t.Context(), kerneltest.LaterOf(first, "SUB-2"))
	require.ErrorIs(t, err, gateway.ErrNoChain)
	require.Nil(t, between.before, "the dispute came between")
	require.Len(t, kit.Charges(t), 1)
}

// Dates before the capture are not charged after it, even if the start date asks for them; a date on the day of the
// capture is.
func TestStartDateAndCapture(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ start, captured, first string }{
		{"2027-03-20", "2027-03-15", "2027-03-20"}, {"2027-03-20", "2027-03-20", "2027-03-20"}, {"2027-03-20", "2027-03-21", "2027-03-27"},
		{"2027-03-20", "2027-04-10", "2027-04-10"}, {"", "2027-03-20", "2027-03-27"},
	} {
		t.Run(c.start+" captured "+c.captured, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			_, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 2), kerneltest.Held,
				func(r *gateway.ChargeRequest) { r.ScheduleStartDate = c.start })
			kerneltest.AdvanceTo(t, kit, c.captured)
			captured, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(first, ""))
			require.NoError(t, err)
			require.Equal(t, c.first, captured.Payment.FirstRecurring)
			kerneltest.AdvanceTo(t, kit, "2028-01-01")
			dates := kerneltest.PaidOn(t, kit)
			require.Equal(t, c.first+" 10.00", dates[1], "after the capture itself")
			require.Len(t, dates, 3)
		})
	}
}

// A held later payment moves its chain to the schedule it names when it is captured, and never when it is released.
func TestHeldPaymentJoinsWhenCaptured(t *testing.T) {
	t.Parallel()
	for name, released := range map[string]bool{"captured": false, "released": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			first := kerneltest.Charged(t, kit, "SUB-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
			set, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(7, 2))
			require.NoError(t, err)
			r := kerneltest.Recurred(t, kit,
				kerneltest.LaterOf(first, "SUB-2", naming(set), func(r *gateway.RecurRequest) { r.Hold = true }))
			require.Empty(t, r.Payment.FirstRecurring)
			require.ErrorIs(t, kit.Shop().DeleteSchedule(t.Context(), set.ID), gateway.ErrSchedule)
			kerneltest.AdvanceTo(t, kit, "2027-03-20")
			if released {
				_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(r.Payment, ""))
				require.NoError(t, err)
				require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), set.ID))
				return
			}
			captured, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(r.Payment, ""))
			require.NoError(t, err)
			require.Equal(t, "2027-03-27", captured.Payment.FirstRecurring)
			kerneltest.AdvanceTo(t, kit, "2028-01-01")
			dates := kerneltest.PaidOn(t, kit)
			require.Equal(t, []string{"2027-03-27 5.00", "2027-04-03 5.00"}, dates[len(dates)-2:])
		})
	}
}
