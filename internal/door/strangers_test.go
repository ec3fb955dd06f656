package door_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// belongings are records of one key of a merchant.
type belongings struct {
	first    store.Payment // begins a chain on the schedule, and saved its card
	schedule string
}

// What a new session names of records.
func onSchedule(_, theirs belongings, e *store.SessionExtra) { e.ScheduleID = theirs.schedule }

func byToken(_, theirs belongings, e *store.SessionExtra) {
	e.CardTokens = []string{theirs.first.CardToken}
}

func byTwoTokens(mine, theirs belongings, e *store.SessionExtra) {
	e.CardTokens = []string{mine.first.CardToken, theirs.first.CardToken}
}

// A door asks by a key, whose own records are mine, for the records of theirs.
type namedDoor struct {
	name string
	want error // when they are of another key
	ask  func(m gateway.Merchant, mine, theirs belongings) error
}

func aboutPayment[T any](name string, ask func(gateway.Merchant, string) (T, error)) namedDoor {
	return namedDoor{name, gateway.ErrNoPayment, func(m gateway.Merchant, _, theirs belongings) error {
		_, err := ask(m, theirs.first.ID)
		return err
	}}
}

func aboutSchedule(name string, ask func(gateway.Merchant, string) error) namedDoor {
	return namedDoor{name, gateway.ErrNoSchedule, func(m gateway.Merchant, _, theirs belongings) error {
		return ask(m, theirs.schedule)
	}}
}

// namedDoors is every verb of a merchant that names a record.
func namedDoors(t *testing.T) []namedDoor {
	ctx := t.Context()
	follow := func(name string, verb func(gateway.Merchant, gateway.FollowUp) (*gateway.Result, error)) namedDoor {
		return aboutPayment(name, func(m gateway.Merchant, id string) (*gateway.Result, error) {
			return verb(m, gateway.FollowUp{PaymentID: id, Amount: "1.00"})
		})
	}
	session := func(name string, want error,
		create func(gateway.Merchant, gateway.SessionRequest) error,
		names func(mine, theirs belongings, e *store.SessionExtra)) namedDoor {
		return namedDoor{name, want, func(m gateway.Merchant, mine, theirs belongings) error {
			r := kerneltest.HostedRequest("ORD-new")
			r.SuccessURL, r.Extra.RecurringInit = r.ReturnURL, true
			names(mine, theirs, &r.Extra)
			return create(m, r)
		}}
	}
	checkout := func(m gateway.Merchant, r gateway.SessionRequest) error {
		_, err := m.CreateSession(ctx, r)
		return err
	}
	hosted := func(m gateway.Merchant, r gateway.SessionRequest) error { _, err := m.CreateHosted(ctx, r); return err }
	later := func(mine belongings, change func(*gateway.RecurRequest)) gateway.RecurRequest {
		return kerneltest.LaterOf(mine.first, "ORD-later", change)
	}
	return []namedDoor{
		aboutPayment("payment", func(m gateway.Merchant, id string) (*store.Payment, error) { return m.Payment(ctx, id) }),
		aboutPayment("status", func(m gateway.Merchant, id string) ([]gateway.Result, error) {
			return m.Status(ctx, gateway.Lookup{PaymentID: id})
		}),
		aboutPayment("stop schedule", func(m gateway.Merchant, id string) (any, error) { return nil, m.StopSchedule(ctx, id) }),
		follow("capture", func(m gateway.Merchant, f gateway.FollowUp) (*gateway.Result, error) { return m.Capture(ctx, f) }),
		follow("void", func(m gateway.Merchant, f gateway.FollowUp) (*gateway.Result, error) { return m.Void(ctx, f) }),
		follow("credit void", func(m gateway.Merchant, f gateway.FollowUp) (*gateway.Result, error) {
			return m.CreditVoid(ctx, f)
		}),
		follow("complete debit", func(m gateway.Merchant, f gateway.FollowUp) (*gateway.Result, error) {
			return m.CompleteDebit(ctx, f)
		}),
		follow("retry", func(m gateway.Merchant, f gateway.FollowUp) (*gateway.Result, error) { return m.Retry(ctx, f) }),
		{"order", gateway.ErrNoOrder, func(m gateway.Merchant, _, theirs belongings) error {
			_, err := m.Status(ctx, gateway.Lookup{OrderNumber: theirs.first.Order.Number})
			return err
		}},
		{"chain", gateway.ErrNoChain, func(m gateway.Merchant, _, theirs belongings) error {
			_, err := m.Recur(ctx, later(theirs, func(*gateway.RecurRequest) {}))
			return err
		}},
		{"schedule of a later payment", gateway.ErrNoSchedule,
			func(m gateway.Merchant, mine, theirs belongings) error {
				_, err := m.Recur(ctx, later(mine, func(r *gateway.RecurRequest) { r.ScheduleID = theirs.schedule }))
				return err
			}},
		{"deschedule", gateway.ErrNoSchedule, func(m gateway.Merchant, mine, theirs belongings) error {
			return m.Deschedule(ctx, mine.first.RecurringToken, theirs.schedule)
		}},
		aboutSchedule("schedule", func(m gateway.Merchant, id string) error {
			_, err := m.Schedule(ctx, id)
			return err
		}),
		aboutSchedule("update schedule", func(m gateway.Merchant, id string) error {
			_, err := m.UpdateSchedule(ctx, id, func(s *store.Schedule) error { s.Name = "Changed"; return nil })
			return err
		}),
		aboutSchedule("pause", func(m gateway.Merchant, id string) error { return m.PauseSchedule(ctx, id) }),
		aboutSchedule("run", func(m gateway.Merchant, id string) error { return m.RunSchedule(ctx, id) }),
		aboutSchedule("delete", func(m gateway.Merchant, id string) error { return m.DeleteSchedule(ctx, id) }),
		session("schedule of a session", gateway.ErrNoSchedule, checkout, onSchedule),
		session("schedule of hosted fields", gateway.ErrNoSchedule, hosted, onSchedule),
		{"schedule of a charge", gateway.ErrNoSchedule, func(m gateway.Merchant, _, theirs belongings) error {
			_, err := m.Charge(ctx, kerneltest.ChargeOf("ORD-new", gatewaytest.Settles, kerneltest.BeginsChain,
				func(r *gateway.ChargeRequest) { r.ScheduleID = theirs.schedule }))
			return err
		}},
		session("card token of a session", gateway.ErrCardTokenOwner, checkout, byToken),
		session("second card token of a session", gateway.ErrCardTokenOwner, checkout, byTwoTokens),
		session("card token of hosted fields", gateway.ErrCardTokenOwner, hosted, byToken),
		{"card token of a charge", gateway.ErrCardTokenOwner,
			func(m gateway.Merchant, _, theirs belongings) error {
				_, err := m.Charge(ctx, kerneltest.ChargeOf("ORD-new", gatewaytest.Settles,
					kerneltest.ByToken(theirs.first.CardToken)))
				return err
			}},
	}
}

const otherKey = "0c7b1f64-0000-4000-8000-000000000001"

// owners makes records for the live key and the test key of a merchant, and for another merchant.
func owners(t *testing.T, kit *gatewaytest.Kit) map[string]belongings {
	t.Helper()
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{ID: "m-other", Name: "Other", Key: otherKey,
		Password: store.NewSecret("other-password-0001")}))
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "other", MerchantID: "m-other", Connector: "vcard"}))
	all := map[string]belongings{}
	for _, key := range []string{gatewaytest.MerchantKey, gatewaytest.TestKey, otherKey} {
		m := kit.Merchant(key)
		schedule, err := m.CreateSchedule(t.Context(), store.Schedule{Name: "Monthly", IntervalLength: 1,
			IntervalUnit: store.Month, PaymentsCount: 12})
		require.NoError(t, err)
		charged, err := m.Charge(t.Context(), kerneltest.ChargeOf("ORD-"+strconv.Itoa(len(all)), gatewaytest.Settles,
			kerneltest.BeginsChain, kerneltest.AsksToken, func(r *gateway.ChargeRequest) { r.ScheduleID = schedule.ID }))
		require.NoError(t, err)
		require.NotEmpty(t, charged.Payment.RecurringToken)
		require.NotEmpty(t, charged.Payment.CardToken)
		all[key] = belongings{charged.Payment, schedule.ID}
	}
	return all
}

// No verb reads or changes what belongs to another merchant, or to the other key of the same one. The owner gets past
// that check.
func TestRecordsOfStrangers(t *testing.T) {
	t.Parallel()
	for _, door := range namedDoors(t) {
		t.Run(door.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			all := owners(t, kit)
			for key, mine := range all {
				for owner, theirs := range all {
					if owner == key {
						continue
					}
					err := door.ask(kit.Merchant(key), mine, theirs)
					require.ErrorIs(t, err, door.want)
				}
			}
			for key, mine := range all {
				err := door.ask(kit.Merchant(key), mine, mine)
				require.False(t, errors.Is(err, door.want), "%v", err)
			}
		})
	}
}
