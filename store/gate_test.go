package store_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func TestGate(t *testing.T) {
	t.Parallel()
	var gate store.Gate
	ctx := context.Background()
	require.NoError(t, gate.Enter(ctx))
	require.ErrorIs(t, gate.Enter(ctx), store.ErrNested)
	require.ErrorIs(t, gate.Close(func() error { return nil }), store.ErrNested)
	others := make(chan error, 100)
	for range cap(others) {
		go func() {
			err := gate.Enter(ctx)
			if err == nil {
				grow(100) // moves the stack, not the goroutine
				err = errors.Join(nested(gate.Enter(ctx)))
				gate.Leave()
			}
			others <- err
		}()
	}
	for range cap(others) {
		require.NoError(t, <-others)
	}
	gate.Leave()
	require.NoError(t, gate.Enter(ctx), "who has left may come again")
	gate.Leave()

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, gate.Enter(cancelled), context.Canceled)
}

// nested turns the error that is expected into none.
func nested(err error) error {
	if errors.Is(err, store.ErrNested) {
		return nil
	}
	return errors.New("a nested entry was let in")
}

func grow(depth int) byte {
	var frame [1024]byte
	if depth > 0 {
		frame[depth] = grow(depth - 1)
	}
	return frame[depth]
}

func TestGateClose(t *testing.T) {
	t.Parallel()
	var gate store.Gate
	cause := errors.New("disk gone")
	gate.Shut(cause)
	gate.Shut(errors.New("a later cause"))
	err := gate.Enter(t.Context())
	require.ErrorIs(t, err, store.ErrClosed)
	require.ErrorIs(t, err, cause)
	release := errors.New("of release")
	require.ErrorIs(t, gate.Close(func() error { return release }), release)
	require.ErrorIs(t, gate.Enter(t.Context()), store.ErrClosed)

	var closing store.Gate
	require.NoError(t, closing.Enter(t.Context()))
	var wg sync.WaitGroup
	left := false
	wg.Go(func() {
		_ = closing.Close(func() error {
			if !left {
				t.Error("Close did not wait")
			}
			return nil
		})
	})
	shut := make(chan struct{})
	go func() { // from outside, since who is inside does not get to know
		defer close(shut)
		for closing.Enter(t.Context()) == nil {
			closing.Leave()
			runtime.Gosched()
		}
	}()
	<-shut
	for range 1000 {
		runtime.Gosched() // for one that does not wait
	}
	left = true
	closing.Leave()
	wg.Wait()
}

func BenchmarkGate(b *testing.B) {
	var gate store.Gate
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if gate.Enter(context.Background()) == nil {
				gate.Leave()
			}
		}
	})
}
