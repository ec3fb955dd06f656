package work_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
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

// hurdle is something that may prevent due work. While it is off, nothing is prevented.
type hurdle struct {
	mu   sync.Mutex
	on   string
	stop context.CancelFunc // of the working instance
}

func (h *hurdle) is(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.on == name
}

func (h *hurdle) set(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.on = name
}

// The kinds of hurdles.
const (
	keysAway     = "the key provider is away"
	keysLate     = "the key provider is late"
	keysGarbled  = "the key provider answers no key"
	keysGone     = "the key is gone"
	stopAtKeys   = "we are closed while the key is asked for"
	stopAtCall   = "we are closed during the call"
	claimRefused = "the store does not take the claim"
	claimUnknown = "the store does not know whether it took the claim"
)

type hurdleKeys struct {
	gateway.KeyProvider
	*hurdle
}

func (k hurdleKeys) Unwrap(ctx context.Context, w gateway.WrappedKey) ([]byte, error) {
	switch {
	case k.is(keysAway):
		return nil, errors.New("no route to the key provider")
	case k.is(keysLate):
		return nil, context.DeadlineExceeded
	case k.is(keysGarbled):
		return []byte("short"), nil
	case k.is(keysGone):
		return nil, gateway.ErrKeyGone
	case k.is(stopAtKeys):
		k.stop()
		return nil, ctx.Err()
	}
	return k.KeyProvider.Unwrap(ctx, w)
}

type hurdleStore struct {
	store.Store
	*hurdle
}

func (s hurdleStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	switch {
	case s.is(claimRefused):
		return errors.New("the disk is full")
	case s.is(claimUnknown):
		s.set("") // once: later writes are stored
		if err := s.Store.Update(ctx, fn); err != nil {
			return err
		}
		return store.ErrUnknownCommit
	}
	return s.Store.Update(ctx, fn)
}

type hurdleInbox struct {
	*gatewaytest.Inbox
	*hurdle
}

func (in hurdleInbox) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	if in.is(stopAtCall) {
		in.stop()
		return callback.Receipt{Verdict: callback.Refused, Detail: "delivery cancelled"}
	}
	return in.Inbox.Deliver(ctx, d)
}

// hurdled is a gateway over a hurdle, and the work that it reports as put off.
func hurdled(t *testing.T, connector func(methods.Connector, *hurdle) methods.Connector) (
	kit *gatewaytest.Kit, h *hurdle, told func() []store.PutOff) {
	t.Helper()
	h = &hurdle{}
	var mu sync.Mutex
	var list []store.PutOff
	kit = gatewaytest.New(t, func(c *gateway.Config) {
		c.Keys, c.Store, c.Notifier = hurdleKeys{c.Keys, h}, hurdleStore{c.Store,
			h}, hurdleInbox{c.Notifier.(*gatewaytest.Inbox), h}
		c.Retry = callback.Schedule{time.Minute, time.Minute}
		if connector != nil {
			c.Connectors["vcard"] = connector(c.Connectors["vcard"], h)
		}
		c.Observers = append(c.Observers, observe.Func(func(_ context.Context, e observe.Event) {
			mu.Lock()
			defer mu.Unlock()
			if e, ok := e.(observe.WorkPutOff); ok {
				list = append(list, e.PutOff)
			}
		}))
	})
	return kit, h, func() []store.PutOff {
		mu.Lock()
		defer mu.Unlock()
		return append([]store.PutOff(nil), list...)
	}
}

// cold ticks once on an instance that has no cached keys.
func (h *hurdle) cold(t *testing.T, kit *gatewaytest.Kit) {
	t.Helper()
	h.tick(t, kit.Twin(t))
}

// tick ticks once, until the hurdle stops it.
func (h *hurdle) tick(t *testing.T, kit *gatewaytest.Kit) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	h.mu.Lock()
	h.stop = stop
	h.mu.Unlock()
	_, _, _ = kit.Tick(ctx, 1)
}

// A callback that could not be sent uses up no try, whatever prevents it and for how long: afterwards it has its
// whole schedule. It is tried again after a bounded pause.
func TestTryWithoutDeliveryIsGivenBack(t *testing.T) {
	t.Parallel()
	for _, why := range []string{keysAway, keysLate, keysGarbled, stopAtKeys, stopAtCall, claimRefused, claimUnknown} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			kit, h, _ := hurdled(t, nil)
			kit.Inbox.Answer(func(callback.Delivery) callback.Receipt {
				return callback.Receipt{Verdict: callback.Refused, Status: 500}
			})
			r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.ThreeDSPasses, kerneltest.ViaCard)
			kit.ComeBack(t, r.Redirect)
			p := r.Payment
			for n := range 20 {
				h.set(why)
				h.cold(t, kit)
				list, err := kit.Operator().Callbacks(t.Context(), p.ID)
				require.NoError(t, err)
				require.Zero(t, list[0].Tries)
				require.LessOrEqual(t, list[0].Due.Sub(kit.Clock.Now()), callback.MaxPause)
				require.Empty(t, list[0].Attempts)
				if why != claimRefused {
					require.Equal(t, n+1, list[0].GivenBack)
				}
				kit.Clock.Set(kit.Clock.Now().Add(callback.MaxPause))
			}
			h.set("")
			for range 10 {
				h.cold(t, kit)
				kit.Clock.Set(kit.Clock.Now().Add(callback.MaxPause))
			}
			var attempts []int
			for _, d := range kit.Inbox.All() {
				if d.ID == store.CallbackID(p.ID, 1) {
					attempts = append(attempts, d.Attempt)
				}
			}
			require.Equal(t, []int{1, 2, 3}, attempts, "the whole schedule")
		})
	}
}

// Work that is put off is reported at once and then at intervals, with its count. A missing key is reported as
// something set aside; Resume delivers the callback once the key is back.
func TestPutOffIsTold(t *testing.T) {
	t.Parallel()
	kit, h, told := hurdled(t, nil)
	for n := range 4 {
		kit.ComeBack(t, kerneltest.Charged(t, kit, fmt.Sprint("ORD-", n), gatewaytest.ThreeDSPasses,
			kerneltest.ViaCard).Redirect)
	}
	h.set(keysAway)
	twin := kit.Twin(t)
	for range 30 {
		twin.Work(t)
		kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
	}
	heard, count := told(), 0
	require.NotEmpty(t, heard)
	require.LessOrEqual(t, len(heard), 7, "every five minutes at most")
	for _, p := range heard {
		require.Equal(t, gateway.WorkCallback, p.Work)
		require.Contains(t, p.Reason, "no route to the key provider")
		count += p.Count
	}
	require.GreaterOrEqual(t, count, 20)

	h.set(keysGone)
	kit.Clock.Set(kit.Clock.Now().Add(callback.MaxPause))
	twin.Work(t)
	list := kerneltest.AsideOf(t, kit, gateway.WorkCallback)
	require.Len(t, list, 4)
	h.set("")
	for _, form := range kit.Inbox.Fields(t) {
		require.Empty(t, form.Get("redirect_url"))
	}
	for _, a := range list {
		require.NoError(t, twin.Operator().Resume(t.Context(), a.Work, a.ID))
	}
	twin.Work(t)
	sent := 0
	for _, form := range kit.Inbox.Fields(t) {
		if form.Has("redirect_url") {
			sent++
		}
	}
	require.Equal(t, 4, sent)
}

// unheard is an acquirer that loses the question, and stops the gateway meanwhile.
type unheard struct {
	*vcard.Connector
	*hurdle
}

func (c unheard) Find(ctx context.Context, op methods.Operation) methods.Answer {
	if c.is(stopAtCall) {
		c.stop()
		return methods.Unknown(op, "no answer")
	}
	return c.Connector.Find(ctx, op)
}

// forgetful is an acquirer that cannot be asked, but accepts the same request again.
type forgetful struct {
	acquirer methods.Connector
	*hurdle
}

func (c forgetful) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	if c.is(stopAtCall) {
		c.stop()
		return methods.Unknown(op, "no answer")
	}
	return c.acquirer.Perform(ctx, op)
}

func (c forgetful) Capabilities() methods.Capabilities {
	return methods.Capabilities{IdempotentByKey: true, ResendWithoutCode: true}
}

// Recovery counts only the questions that it asked: if something prevents a question, the next one is not delayed
// and no review is requested.
func TestQuestionNotAskedIsNotCounted(t *testing.T) {
	t.Parallel()
	asks := func(c methods.Connector, h *hurdle) methods.Connector { return unheard{c.(*vcard.Connector), h} }
	resends := func(c methods.Connector, h *hurdle) methods.Connector { return forgetful{c, h} }
	for _, c := range []struct {
		name, why string
		connector func(methods.Connector, *hurdle) methods.Connector
	}{
		{"asks", stopAtCall, asks}, {"resends", stopAtCall, resends}, {"resends", keysAway, resends},
		{"resends", keysLate, resends}, {"resends", keysGarbled, resends}, {"resends", stopAtKeys, resends},
		{"asks", claimRefused, asks}, {"asks", claimUnknown, asks},
	} {
		t.Run(c.name+", "+c.why, func(t *testing.T) {
			t.Parallel()
			kit, h, _ := hurdled(t, c.connector)
			kit.Clock.Set(kit.Clock.Now().Add(2 * time.Hour)) // the card is sealed under another key than the password
			twin := kit.Twin(t)
			_, err := twin.Shop().Status(t.Context(), gateway.Lookup{OrderNumber: "none"})
			require.Error(t, err) // the merchant is in the cache now
			kit.Vcard.On("ORD-1", vcard.UnknownAfter())
			id := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Transaction.ID
			kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
			for range 8 {
				h.set(c.why)
				h.tick(t, twin)
				got := kerneltest.TransactionOf(t, kit, id)
				require.Zero(t, got.RecoveryAttempts)
				require.Empty(t, got.Review)
				require.LessOrEqual(t, got.Due.Sub(kit.Clock.Now()), time.Minute)
				kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
			}
			h.set("")
			h.tick(t, twin)
			require.Equal(t, store.Success, kerneltest.TransactionOf(t, kit, id).Outcome)
		})
	}
}
