package observe_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// last returns the newest event of a type.
func last[E observe.Event](t *testing.T, heard *gatewaytest.Events) E {
	t.Helper()
	list := gatewaytest.Heard[E](heard)
	require.NotEmpty(t, list, "%T was not told", *new(E))
	return list[len(list)-1]
}

// Each way of a payment tells its events, in this order, each about the payment that moved.
func TestWhatIsTold(t *testing.T) {
	t.Parallel()
	refuse := func(v callback.Verdict) func(callback.Delivery) callback.Receipt {
		return func(callback.Delivery) callback.Receipt {
			return callback.Receipt{Verdict: v, Status: 500, Detail: "status 500"}
		}
	}
	for _, c := range []struct {
		name string
		do   func(t *testing.T, kit *gatewaytest.Kit)
		want []string
	}{
		{"a sale", func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			kit.Work(t)
		}, []string{"connector.called", "payment.moved", "callback.delivered"}},
		{"a decline", func(t *testing.T, kit *gatewaytest.Kit) {
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Declines)
		}, []string{"connector.called", "payment.moved"}},
		{"a refund", func(t *testing.T, kit *gatewaytest.Kit) {
			p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
			_, err := kit.Shop().CreditVoid(t.Context(), gateway.FollowUp{PaymentID: p.ID, Amount: "4.00"})
			require.NoError(t, err)
		}, []string{"connector.called", "payment.moved", "connector.called", "payment.moved"}},
		{"a doubt that recovery resolves", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Vcard.On("ORD-1", vcard.UnknownAfter())
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			kit.Clock.Set(kit.Clock.Now().Add(time.Hour))
			kit.Work(t)
		}, []string{"connector.called", "payment.moved", "doubt.opened", "connector.called", "payment.moved",
			"doubt.resolved", "callback.delivered", "callback.delivered"}},
		{"a callback that dies", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Inbox.Answer(refuse(callback.Refused))
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			kit.Work(t)
			kit.Advance(t, 2*time.Minute)
		}, []string{"connector.called", "payment.moved", "callback.refused", "callback.dead"}},
		{"an endpoint that times out, and is freed by hand", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Inbox.Answer(refuse(callback.TimedOut))
			for _, order := range []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"} {
				kerneltest.Charged(t, kit, order, gatewaytest.Settles)
			}
			kit.Work(t)
			require.NoError(t, kit.Operator().Unblock(t.Context(), gatewaytest.CallbackURL))
		}, []string{"connector.called", "payment.moved", "connector.called", "payment.moved", "connector.called",
			"payment.moved", "connector.called", "payment.moved", "connector.called", "payment.moved", "callback.refused",
			"callback.refused", "callback.refused", "callback.refused", "endpoint.blocked", "callback.refused",
			"endpoint.freed"}},
		{"an endpoint that answers again after its block", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Inbox.Answer(refuse(callback.TimedOut))
			for _, order := range []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"} {
				kerneltest.Charged(t, kit, order, gatewaytest.Settles)
			}
			kit.Work(t)
			kit.Inbox.Answer(nil)
			kit.Clock.Set(kit.Clock.Now().Add(16 * time.Minute))
			kit.Work(t)
		}, []string{"connector.called", "payment.moved", "connector.called", "payment.moved", "connector.called",
			"payment.moved", "connector.called", "payment.moved", "connector.called", "payment.moved", "callback.refused",
			"callback.refused", "callback.refused", "callback.refused", "endpoint.blocked", "callback.refused",
			"endpoint.freed", "callback.delivered", "callback.delivered", "callback.delivered", "callback.delivered",
			"callback.delivered"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var heard gatewaytest.Events
			kit := gatewaytest.New(t, heard.Option, func(cfg *gateway.Config) { cfg.Retry = callback.Schedule{time.Minute} })
			c.do(t, kit)
			var names []string
			for _, e := range heard.All() {
				names = append(names, observe.LineOf(e).Name)
			}
			require.Equal(t, c.want, names)
		})
	}
}

// What an event says is what the records say.
func TestWhatEventsSay(t *testing.T) {
	t.Parallel()
	var heard gatewaytest.Events
	kit := gatewaytest.New(t, heard.Option, func(cfg *gateway.Config) { cfg.Retry = callback.Schedule{} })
	kit.Vcard.On("ORD-1", vcard.UnknownAfter())
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	began := kit.Clock.Now()
	subject := observe.Subject{
		MerchantID: gatewaytest.MerchantID, PaymentID: r.Payment.ID, TransactionID: r.Transaction.ID,
		MIDID: r.Transaction.MIDID, Connector: "vcard", Method: "card", Operation: store.OpSale,
		Amount: r.Transaction.Amount, Currency: "USD",
	}
	require.Equal(t, observe.ConnectorCalled{Subject: subject, Call: observe.CallPerform, Result: methods.ResultUnknown,
		At: began}, last[observe.ConnectorCalled](t, &heard))
	require.Equal(t, observe.PaymentMoved{Subject: subject, From: store.Prepare, To: store.Prepare,
		Outcome: store.InDoubt, At: began}, last[observe.PaymentMoved](t, &heard))
	require.Equal(t, observe.DoubtOpened{Subject: subject, At: began}, last[observe.DoubtOpened](t, &heard))

	kit.Inbox.Answer(func(callback.Delivery) callback.Receipt {
		return callback.Receipt{Verdict: callback.TimedOut, Detail: "no answer"}
	})
	kit.Clock.Set(began.Add(time.Hour))
	kit.Work(t)
	now := kit.Clock.Now()
	require.Equal(t, observe.CallFind, last[observe.ConnectorCalled](t, &heard).Call)
	require.Equal(t, observe.DoubtResolved{Subject: subject, Outcome: store.Success, Age: time.Hour, At: now},
		last[observe.DoubtResolved](t, &heard))
	dead := last[observe.CallbackDead](t, &heard)
	require.True(t, dead.TimedOut)
	require.Equal(t, observe.Delivery{MerchantID: gatewaytest.MerchantID, PaymentID: r.Payment.ID,
		TransactionID: r.Transaction.ID, CallbackID: store.CallbackID(r.Payment.ID, 2), Type: "sale",
		Host: "shop.example", Attempt: 1, Detail: "no answer", At: now}, dead.Delivery)
}

// A doubt is told when it opens, however often recovery asks in vain, and whether anybody has to decide.
func TestADoubtIsToldOnce(t *testing.T) {
	t.Parallel()
	var heard gatewaytest.Events
	kit := gatewaytest.New(t, heard.Option, func(cfg *gateway.Config) {
		cfg.Connectors["vcard"] = kerneltest.Plain{Connector: cfg.Connectors["vcard"]}
	})
	kit.Vcard.On("ORD-1", vcard.UnknownAfter())
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	kit.Advance(t, 3*24*time.Hour)
	require.Len(t, gatewaytest.Heard[observe.DoubtOpened](&heard), 1)
	require.Len(t, gatewaytest.Heard[observe.ReviewNeeded](&heard), 1)
	require.Empty(t, gatewaytest.Heard[observe.DoubtResolved](&heard))
	_, err := kit.Operator().ResolveDoubt(t.Context(), gateway.Review{PaymentID: r.Payment.ID,
		TransactionID: r.Transaction.ID,
		By:            "operator", Why: "the acquirer's statement has it"}, true)
	require.NoError(t, err)
	resolved := last[observe.DoubtResolved](t, &heard)
	require.True(t, resolved.ByHand)
	require.Equal(t, 72*time.Hour, resolved.Age)
	require.Equal(t, store.Success, resolved.Outcome)
}

// Scheduled payments tell how they ended, and what could not begin.
func TestSchedulesAreTold(t *testing.T) {
	t.Parallel()
	var heard gatewaytest.Events
	kit := gatewaytest.New(t, heard.Option)
	set, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3))
	require.Empty(t, gatewaytest.Heard[observe.SchedulePaid](&heard), "the first payment was made by the payer")
	kit.Advance(t, 8*24*time.Hour)
	paid := last[observe.SchedulePaid](t, &heard)
	require.Equal(t, []any{set.ID, 1, gatewaytest.MerchantID}, []any{paid.ScheduleID, paid.Occurrence, paid.MerchantID})
	require.NotEqual(t, first.ID, paid.PaymentID)

	mid := kerneltest.MerchantNotifiedAt(gatewaytest.CallbackURL, "")
	mid.Disabled = true
	require.NoError(t, kit.SaveMerchant(t.Context(), mid))
	kit.Advance(t, 7*24*time.Hour)
	failed := last[observe.ScheduleFailed](t, &heard)
	require.Equal(t, []any{set.ID, 0, first.ID}, []any{failed.ScheduleID, failed.Occurrence, failed.PaymentID})
	require.NotEmpty(t, failed.Reason)
	require.Len(t, gatewaytest.Heard[observe.SchedulePaid](&heard), 1)
}

// What cannot be read is told and logged when it is set aside, and what the sweeper has deleted is told.
func TestAsidesAndSweepsAreTold(t *testing.T) {
	t.Parallel()
	var heard gatewaytest.Events
	var log kerneltest.Logged
	kit := gatewaytest.New(t, heard.Option, func(cfg *gateway.Config) {
		cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
		cfg.Retention.Sessions = time.Hour
	})
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	id := store.CallbackID(r.Payment.ID, 1)
	kerneltest.PutRaw(t, kit.Store, "damaged", "cb", id)
	kit.Work(t)
	aside := last[observe.RecordSetAside](t, &heard)
	require.Equal(t, []any{store.WorkCallback, id}, []any{aside.Aside.Work, aside.Aside.ID})
	require.NotEmpty(t, aside.Aside.Reason)
	require.Contains(t, log.String(), `level=ERROR msg="set aside: it cannot be read" work=callback id=`+id+" reason=")

	kit.Session(t, "ORD-2", "10.00")
	kit.Advance(t, 72*time.Hour)
	deleted := 0
	for _, swept := range gatewaytest.Heard[observe.Swept](&heard) {
		deleted += swept.Records
	}
	require.Positive(t, deleted)
}

// An observer that panics, or nobody who listens, changes nothing; what a person has to look at is logged all the same.
func TestObserversHurtNoPayment(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"nobody listens": false, "one panics, another hears": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var deaths atomic.Int32
			var observers []observe.Observer
			if after {
				observers = []observe.Observer{
					observe.Func(func(context.Context, observe.Event) { panic("out of order: geheim") }),
					observe.Func(func(_ context.Context, e observe.Event) {
						if _, dead := e.(observe.CallbackDead); dead {
							deaths.Add(1)
						}
					}),
				}
			}
			var log bytes.Buffer
			kit := gatewaytest.New(t, func(cfg *gateway.Config) {
				cfg.Observers, cfg.Retry = observers, callback.Schedule{}
				cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
			})
			kit.Inbox.Answer(func(callback.Delivery) callback.Receipt { return callback.Receipt{Verdict: callback.Refused} })
			r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			require.Equal(t, store.Settled, r.Payment.Status)
			kit.Work(t)
			require.Contains(t, log.String(), `level=ERROR msg="a callback is dead: its last try failed" merchant=`)
			require.Equal(t, after, bytes.Contains(log.Bytes(), []byte("an observer panicked")))
			require.NotContains(t, log.String(), "geheim")
			require.Equal(t, after, deaths.Load() > 0, "those after it still hear")
		})
	}
}

// Every type has a name and a message of its own, and attributes that differ.
func TestTypes(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, e := range observe.Types() {
		line := observe.LineOf(e)
		require.False(t, seen[line.Name], line.Name)
		require.False(t, seen[line.Message], line.Message)
		seen[line.Name], seen[line.Message] = true, true
		keys := map[string]bool{}
		for _, a := range line.Attrs {
			require.False(t, keys[a.Key], "%s has %s twice", line.Name, a.Key)
			keys[a.Key] = true
		}
	}
}
