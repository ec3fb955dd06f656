package work_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// leaving is a store that is away for a while, or that only cannot be written. It counts the calls.
type leaving struct {
	store.Store
	away, full atomic.Bool
	calls      atomic.Int64
}

func (l *leaving) View(ctx context.Context, fn func(store.Reader) error) error {
	if l.calls.Add(1); l.away.Load() {
		return errShaky
	}
	return l.Store.View(ctx, fn)
}

func (l *leaving) Update(ctx context.Context, fn func(store.Tx) error) error {
	if l.calls.Add(1); l.away.Load() || l.full.Load() {
		return errShaky
	}
	return l.Store.Update(ctx, fn)
}

// lines are what was logged.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// While the store fails, workers neither ask it all the time nor say that it works again, though there are callbacks
// that they have noted and others that they have to look for. All of them are delivered in the end.
func TestStoreIsAwayWithCallbacksNoted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		away, full bool
	}{{"away", true, false}, {"full", false, true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const failed, again = "due work could not be claimed\" work=callback", "due work is claimed again\" work=callback"
				var said lines
				until := make(chan struct{})
				plain := gatewaytest.New(t, func(c *gateway.Config) { c.Now, c.Notifier = time.Now, held{c.Notifier, until} })
				l := &leaving{Store: plain.Store}
				kit := plain.Twin(t, func(cfg *gateway.Config) {
					cfg.Store, cfg.Log = l, slog.New(slog.NewTextHandler(&said, nil))
				})
				stop := working(t, kit)
				synctest.Wait()
				for i := range 40 { // more than one merchant has workers
					kerneltest.Charged(t, kit, fmt.Sprint("ORD-", i), gatewaytest.Settles)
				}
				kerneltest.Charged(t, plain, "ORD-ELSEWHERE", gatewaytest.Settles)
				synctest.Wait()
				l.away.Store(c.away)
				l.full.Store(c.full)
				before := l.calls.Load()
				close(until)
				time.Sleep(30 * time.Second)
				synctest.Wait()
				require.Contains(t, said.String(), failed)
				require.NotContains(t, said.String(), again)
				require.Less(t, l.calls.Load()-before, int64(500), "eight kinds, twice a second at most")
				l.away.Store(false)
				l.full.Store(false)
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				require.Contains(t, said.String(), again)
				stop()
				kerneltest.Quiet(t, plain)
			})
		})
	}
}
