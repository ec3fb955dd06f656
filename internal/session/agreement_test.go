package session_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// meanwhile are changes that a merchant may make while a payer reads the form.
var meanwhile = []struct {
	name   string
	change func(testing.TB, *gatewaytest.Kit, *store.Schedule)
	shown  bool // the form then shows something else
}{
	{"nothing", func(testing.TB, *gatewaytest.Kit, *store.Schedule) {}, false},
	{"the name", rescheduled(func(s *store.Schedule) { s.Name = "Other" }), false},
	{"how often", rescheduled(func(s *store.Schedule) { s.IntervalLength = 2 }), true},
	{"the unit", rescheduled(func(s *store.Schedule) { s.IntervalUnit, s.DayOfMonth = store.Day, 0 }), true},
	{"how many", rescheduled(func(s *store.Schedule) { s.PaymentsCount = 24 }), true},
	{"the day", rescheduled(func(s *store.Schedule) { s.DayOfMonth = 5 }), true},
	{"from when", rescheduled(func(s *store.Schedule) { s.First = store.FirstPayment{Delay: store.DelayDayOfWeek, DayOfWeek: 2} }), true},
	{"all of it", func(t testing.TB, kit *gatewaytest.Kit, s *store.Schedule) {
		require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), s.ID))
	}, true},
	{"the zone", func(t testing.TB, kit *gatewaytest.Kit, _ *store.Schedule) {
		changedMID(t, kit, store.MID{TimeZone: "Pacific/Kiritimati"})
	}, true},
	{"the terms", func(t testing.TB, kit *gatewaytest.Kit, _ *store.Schedule) {
		require.NoError(t, kit.SaveMapping(t.Context(),
			store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, TermsURL: "https://shop.example/new"}))
	}, true},
	{"the day goes by", func(_ testing.TB, kit *gatewaytest.Kit, _ *store.Schedule) {
		kit.Clock.Set(kit.Clock.Now().Add(25 * time.Minute))
	}, true},
}

func rescheduled(change func(*store.Schedule)) func(testing.TB, *gatewaytest.Kit, *store.Schedule) {
	return func(t testing.TB, kit *gatewaytest.Kit, s *store.Schedule) {
		_, err := kit.Shop().UpdateSchedule(t.Context(), s.ID, func(s *store.Schedule) error {
			change(s)
			return nil
		})
		require.NoError(t, err)
	}
}

// changedMID saves the MID of live payments again.
func changedMID(t testing.TB, kit *gatewaytest.Kit, m store.MID) {
	t.Helper()
	m.ID, m.MerchantID, m.Connector = "live", gatewaytest.MerchantID, "vcard"
	require.NoError(t, kit.SaveMID(t.Context(), m))
}

// subscribes is a session that begins later payments on a schedule.
func subscribes(s *store.Schedule) gateway.SessionRequest {
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Extra.RecurringInit, r.Extra.ScheduleID = true, s.ID
	return r
}

// late is a kit shortly before midnight.
func late(t testing.TB, options ...gatewaytest.Option) *gatewaytest.Kit {
	t.Helper()
	kit := gatewaytest.New(t, options...)
	kit.Clock.Set(time.Date(2027, 3, 10, 23, 40, 0, 0, time.UTC))
	return kit
}

// A payment by the form uses the terms that the form showed. If they have changed, nothing is charged or stored,
// and the payer can pay by the new form.
func TestPayerAgreesToWhatTheFormShows(t *testing.T) {
	t.Parallel()
	for _, c := range meanwhile {
		for _, declined := range []bool{false, true} { // once before
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				kit := late(t)
				set := kerneltest.Scheduled(t, kit, func(s *store.Schedule) { s.DayOfMonth = 0 })
				next, link := kerneltest.FormOf(t, kit, subscribes(set))
				if declined {
					next = kit.Pay(t, link, gatewaytest.Declines)
				}
				in := gateway.Submission{Attempt: next.Attempt, Card: gatewaytest.Settles, IP: "203.0.113.7", Terms: true,
					Agreement: next.Agreement}
				c.change(t, kit, set)
				before := kerneltest.ReadBooks(t, kit)
				after, err := kit.PaySession(t.Context(), link, in)
				if !c.shown {
					require.NoError(t, err)
					require.Equal(t, gateway.ReturnPaid, after.Status)
					return
				}
				require.ErrorIs(t, err, gateway.ErrInvalid)
				require.ErrorContains(t, err, "agreement: has changed")
				require.Equal(t, before, kerneltest.ReadBooks(t, kit))
				now := kerneltest.NextActionOf(t, kit, link)
				require.Equal(t, []any{gateway.ActionCollect, next.Attempt, next.AttemptsLeft},
					[]any{now.Kind, now.Attempt, now.AttemptsLeft})
				require.NotEqual(t, next.Agreement, now.Agreement)
				if c.name == "all of it" {
					return // no chain can begin on it
				}
				in.Agreement = now.Agreement
				_, err = kit.PaySession(t.Context(), link, in)
				require.NoError(t, err)
				last := kerneltest.AttemptsOf(t, kit, "ORD-1")
				require.NotEqual(t, store.Declined, last[len(last)-1].Status)
			})
		}
	}
}

// A change while the payment is under way, but has not begun, counts as well.
func TestAgreementHoldsWhenThePaymentBegins(t *testing.T) {
	t.Parallel()
	var kit *gatewaytest.Kit
	var set *store.Schedule
	changes := func(gateway.QuoteRequest) (gateway.Quote, error) { // called after all other checks
		rescheduled(func(s *store.Schedule) { s.PaymentsCount++ })(t, kit, set)
		return gateway.Quote{}, nil
	}
	kit = late(t, kerneltest.Quoter(changes).Option)
	set = kerneltest.Scheduled(t, kit)
	next, link := kerneltest.FormOf(t, kit, subscribes(set))
	_, err := kit.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles, Agreement: next.Agreement})
	require.ErrorContains(t, err, "agreement: has changed")
	require.Empty(t, kerneltest.ReadBooks(t, kit).Payments)
}

// Requests that show no form are not compared: the payer agreed elsewhere.
func TestNothingIsComparedWithoutAForm(t *testing.T) {
	t.Parallel()
	for name, pay := range map[string]func(testing.TB, *gatewaytest.Kit, *store.Schedule, func()) error{
		"a form of the host's own": func(t testing.TB, kit *gatewaytest.Kit, s *store.Schedule, change func()) error {
			link := kit.SessionOf(t, subscribes(s))
			change()
			_, err := kit.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles, IP: "203.0.113.7"})
			return err
		},
		"Hosted Payment Fields": func(t testing.TB, kit *gatewaytest.Kit, s *store.Schedule, change func()) error {
			r := kerneltest.HostedRequest("ORD-1")
			r.Extra.RecurringInit, r.Extra.ScheduleID = true, s.ID
			session, err := kit.Shop().CreateHosted(t.Context(), r)
			require.NoError(t, err)
			require.NoError(t, kit.HostedFields().Collect(t.Context(), session.Token, gatewaytest.Settles))
			change()
			return kerneltest.PayFields(t.Context(), kit, session.Token)
		},
		"S2S CARD": func(t testing.TB, kit *gatewaytest.Kit, s *store.Schedule, change func()) error {
			change()
			_, err := kit.Shop().Charge(t.Context(),
				kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, kerneltest.ViaCard, kerneltest.OnSchedule(s)))
			return err
		},
		"Go API": func(t testing.TB, kit *gatewaytest.Kit, s *store.Schedule, change func()) error {
			change()
			_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(s)))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			set := kerneltest.Scheduled(t, kit)
			require.NoError(t, pay(t, kit, set, func() {
				rescheduled(func(s *store.Schedule) { s.PaymentsCount = 24 })(t, kit, set)
			}))
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
		})
	}
}
