package callback_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

var morning = time.Date(2027, 3, 10, 9, 0, 0, 0, time.UTC)

// outbox does what a gateway does with the outbox, one transaction after another.
type outbox struct {
	*testing.T
	store store.Store
	desk  *callback.Desk
}

func newOutbox(t *testing.T) outbox {
	t.Helper()
	s := memory.New()
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return outbox{t, s, callback.NewDesk(64)}
}

func (o outbox) update(fn func(tx store.Tx) error) {
	o.Helper()
	require.NoError(o, o.store.Update(context.Background(), fn))
}

// queue queues the n-th callback of a payment.
func (o outbox) queue(payment string, n int, url string, at time.Time) {
	o.Helper()
	o.update(func(tx store.Tx) error {
		return callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: payment, Number: n, URL: url,
			Body: "a=b", CreatedAt: at}})
	})
}

// claim returns the ids that it claims.
func (o outbox) claim(at time.Time) (ids []string) {
	o.Helper()
	for {
		claimed := o.once(at, 100)
		for i := range claimed.Callbacks {
			ids = append(ids, claimed.Callbacks[i].ID)
			o.desk.Done(&claimed.Callbacks[i])
		}
		if !claimed.Moved && len(claimed.Callbacks) == 0 {
			return ids
		}
	}
}

// once returns one claim, whose deliveries are under way until Done.
func (o outbox) once(at time.Time, limit int) (claimed *callback.Claimed) {
	o.Helper()
	o.update(func(tx store.Tx) (err error) {
		claimed, err = o.desk.Claim(tx, at, limit, func(_ store.Tx, id string, reason error) error {
			o.Logf("set aside %s: %v", id, reason)
			return nil
		})
		return err
	})
	o.desk.Took(claimed)
	return claimed
}

func (o outbox) finish(id string, try int, r callback.Receipt, s callback.Schedule, at time.Time) {
	o.Helper()
	o.update(func(tx store.Tx) error {
		_, err := callback.Finish(tx, id, try, r, s, at)
		return err
	})
}

func (o outbox) of(payment string, count int) (list []store.CallbackRecord) {
	o.Helper()
	require.NoError(o, o.store.View(context.Background(), func(r store.Reader) (err error) {
		list, err = callback.OfPayment(r, payment, count)
		return err
	}))
	return list
}

// A merchant who asks for a wait gets it, up to MaxRetryAfter.
func TestRetryAfterPutsADeliveryOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		asked, wait time.Duration
	}{
		{"nothing asked", 0, 5 * time.Second},
		{"less than the schedule", time.Second, 5 * time.Second},
		{"two hours", 2 * time.Hour, 2 * time.Hour},
		{"a year", 365 * 24 * time.Hour, callback.MaxRetryAfter},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			o.queue("p", 1, "https://a.example/", morning)
			id := store.CallbackID("p", 1)
			require.Equal(t, []string{id}, o.claim(morning))
			o.finish(id, 1, callback.Receipt{Verdict: callback.Refused, Status: 503, RetryAfter: c.asked}, nil, morning)
			require.Empty(t, o.claim(morning.Add(c.wait-1)))
			require.Equal(t, []string{id}, o.claim(morning.Add(c.wait)))
		})
	}
}

// An endpoint that never answers in time is blocked, and no other one: no other path of its host, and no other
// query, port, scheme or host.
func TestStuckEndpointDelaysNoOther(t *testing.T) {
	t.Parallel()
	const stuck = "https://shop.example/callback"
	for _, other := range []string{
		"https://shop.example/other", "https://shop.example/callback/", "https://shop.example/callback?shop=2",
		"https://shop.example:8443/callback", "http://shop.example/callback", "https://shop2.example/callback",
		"https://shop.example/CALLBACK", "https://shop.example/callbac",
	} {
		t.Run(other, func(t *testing.T) {
			t.Parallel()
			o, at := newOutbox(t), morning
			for i := range 5 {
				payment := fmt.Sprint("stuck", i)
				o.queue(payment, 1, stuck, at)
				require.Contains(t, o.claim(at), store.CallbackID(payment, 1))
				at = at.Add(time.Second)
				o.finish(store.CallbackID(payment, 1), 1, callback.Receipt{Verdict: callback.TimedOut}, nil, at)
			}
			o.queue("blocked", 1, stuck, at)
			o.queue("free", 1, other, at)
			require.Equal(t, []string{store.CallbackID("free", 1)}, o.claim(at), "five time-outs block one URL")
			require.NotContains(t, o.claim(at.Add(15*time.Minute-1)), store.CallbackID("blocked", 1))
			require.Contains(t, o.claim(at.Add(15*time.Minute)), store.CallbackID("blocked", 1))
		})
	}
}

// A callback that could not be delivered is kept, with its log, to be sent by hand.
func TestDeadCallbackIsKept(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	o.queue("p", 1, "https://a.example/", morning)
	id := store.CallbackID("p", 1)
	require.Equal(t, []string{id}, o.claim(morning))
	o.finish(id, 1, callback.Receipt{Verdict: callback.Refused, Status: 500}, callback.Schedule{}, morning)
	list := o.of("p", 1)
	require.Len(t, list, 1)
	require.Equal(t, store.CallbackDead, list[0].State)
	require.Equal(t, 500, list[0].Attempts[0].Status)
	require.Empty(t, o.claim(morning.Add(1000*time.Hour)), "no attempt follows by itself")
	o.update(func(tx store.Tx) error { return callback.Resend(tx, id, morning.Add(time.Hour)) })
	require.Equal(t, []string{id}, o.claim(morning.Add(time.Hour)))
}

// A callback that is sent again by hand is delivered again, whatever the result of an attempt that was under way.
func TestResendOutlivesAnOlderTry(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	o.queue("p", 1, "https://a.example/", morning)
	id := store.CallbackID("p", 1)
	require.Equal(t, []string{id}, o.claim(morning))
	o.update(func(tx store.Tx) error { return callback.Resend(tx, id, morning.Add(time.Second)) })
	o.finish(id, 1, callback.Receipt{Verdict: callback.Accepted, Status: 200}, nil, morning.Add(2*time.Second))
	require.Equal(t, []string{id}, o.claim(morning.Add(2*time.Second)))
	o.finish(id, 1, callback.Receipt{Verdict: callback.Accepted, Status: 200}, nil, morning.Add(3*time.Second))
	require.Equal(t, store.CallbackDelivered, o.of("p", 1)[0].State)
}

// Every callback of a payment has a key of its own, whatever it reports, and the same one is queued once. The keys
// sort by number for as many callbacks as a payment can have.
func TestCallbackKeys(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	for n := 1; n <= 12; n++ {
		o.queue("p", n, "https://a.example/", morning)
		require.Less(t, store.CallbackID("p", n), store.CallbackID("p", n+1))
	}
	require.Len(t, o.of("p", 12), 12)
	err := o.store.Update(context.Background(), func(tx store.Tx) error {
		return callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: "p", Number: 3,
			URL: "https://b.example/", Body: "c=d", CreatedAt: morning}})
	})
	require.ErrorIs(t, err, store.ErrExists)
}
