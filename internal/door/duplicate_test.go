package door_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// heldUp is a store whose next Update waits until it is released.
type heldUp struct {
	store.Store
	reached, free chan struct{}
}

func (s *heldUp) Update(ctx context.Context, fn func(store.Tx) error) error {
	if s.free != nil {
		free := s.free
		s.free = nil
		close(s.reached)
		<-free
	}
	return s.Store.Update(ctx, fn)
}

// A request that was delayed beyond the window, while a later one was accepted, is refused. Otherwise its earlier
// time would replace the later one and a third request would be accepted too.
func TestHeldUpRequestOpensNoWindow(t *testing.T) {
	t.Parallel()
	inner := memory.New()
	slow := &heldUp{Store: inner}
	kit := gatewaytest.On(t, slow)
	slow.reached, slow.free = make(chan struct{}), make(chan struct{})
	free, late := slow.free, make(chan error)
	go func() {
		_, err := kit.CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
		late <- err
	}()
	<-slow.reached
	kit.Clock.Set(kit.Clock.Now().Add(2 * gateway.DuplicateWindow))
	kit.Session(t, "ORD-1", "10.00")
	close(free)
	require.ErrorIs(t, <-late, gateway.ErrDuplicate)
	_, err := kit.CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
	require.ErrorIs(t, err, gateway.ErrDuplicate)
}

// A clock that is set back by more than the window opens it; by less it does not.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kit.Session(t, "ORD-1", "10.00")
	kit.Clock.Set(kit.Clock.Now().Add(1 - gateway.DuplicateWindow))
	_, err := kit.CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
	require.ErrorIs(t, err, gateway.ErrDuplicate)
	kit.Clock.Set(kit.Clock.Now().Add(-1))
	kit.Session(t, "ORD-1", "10.00")
}
