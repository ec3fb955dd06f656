package gate_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/gate"
)

func TestGate(t *testing.T) {
	t.Parallel()
	var g gate.Gate
	ctx := context.Background()
	require.NoError(t, g.Enter(ctx))
	others := make(chan error, 100)
	for range cap(others) {
		go func() {
			err := g.Enter(ctx)
			if err == nil {
				g.Leave()
			}
			others <- err
		}()
	}
	for range cap(others) {
		require.NoError(t, <-others, "transactions run side by side")
	}
	g.Leave()
	require.NoError(t, g.Enter(ctx), "after all transactions have ended")
	g.Leave()

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, g.Enter(cancelled), context.Canceled)
	require.NoError(t, g.Close(func() error { return nil }), "Close does not wait for a refused transaction")
}

func TestShut(t *testing.T) {
	t.Parallel()
	var g gate.Gate
	cause := errors.New("disk gone")
	g.Shut(cause)
	g.Shut(errors.New("a later cause"))
	for range 3 {
		err := g.Enter(t.Context())
		require.ErrorIs(t, err, store.ErrClosed)
		require.ErrorIs(t, err, cause)
	}
	release := errors.New("of release")
	require.ErrorIs(t, g.Close(func() error { return release }), release)
	require.ErrorIs(t, g.Enter(t.Context()), cause)
}

func TestCloseWaits(t *testing.T) {
	t.Parallel()
	var g gate.Gate
	require.NoError(t, g.Enter(t.Context()))
	var wg sync.WaitGroup
	left := false
	for range 2 {
		wg.Go(func() {
			_ = g.Close(func() error {
				if !left {
					t.Error("Close did not wait")
				}
				return nil
			})
		})
	}
	for g.Enter(t.Context()) == nil { // until Close has begun
		g.Leave()
		runtime.Gosched()
	}
	for range 1000 {
		runtime.Gosched() // for a Close that does not wait
	}
	require.ErrorIs(t, g.Enter(t.Context()), store.ErrClosed, "refused at once, not after Close")
	left = true
	g.Leave()
	wg.Wait()
}

func BenchmarkGate(b *testing.B) {
	var g gate.Gate
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if g.Enter(context.Background()) == nil {
				g.Leave()
			}
		}
	})
}
