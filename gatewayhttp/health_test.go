package gatewayhttp_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// away is a store that can be taken away.
type away struct {
	store.Store
	gone atomic.Bool
}

func (s *away) View(ctx context.Context, fn func(store.Reader) error) error {
	if s.gone.Load() {
		return errors.New("no route to 10.0.0.7")
	}
	return s.Store.View(ctx, fn)
}

// A probe learns that the store is away, that nobody does due work, and how late the oldest is; no cause of the store.
func TestHealth(t *testing.T) {
	t.Parallel()
	s := &away{Store: memory.New()}
	kit := gatewaytest.On(t, s)
	h := gatewayhttp.Health(kit.Gateway)
	idle := ask(h, "GET", "/healthz")
	require.Equal(t, http.StatusServiceUnavailable, idle.Code)
	require.JSONEq(t, `{"ok":false,"reason":"no due work is done: Run is not called","late":{}}`, idle.Body.String())

	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	kit.Clock.Set(kit.Clock.Now().Add(90 * time.Second))
	require.JSONEq(t, `{"ok":false,"reason":"no due work is done: Run is not called","late":{"callback":90}}`,
		ask(h, "GET", "/healthz").Body.String())

	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- kit.Run(ctx) }()
	require.Eventually(t, func() bool { return ask(h, "GET", "/healthz").Code == http.StatusOK },
		time.Minute, time.Millisecond)
	s.gone.Store(true)
	gone := ask(h, "GET", "/healthz")
	require.Equal(t, http.StatusServiceUnavailable, gone.Code)
	require.JSONEq(t, `{"ok":false,"reason":"the store cannot be read","late":{}}`, gone.Body.String())
	s.gone.Store(false)
	stop()
	require.NoError(t, <-ended)
	require.PanicsWithValue(t, "gateway: the Gateway is nil or zero: make one with gateway.New",
		func() { gatewayhttp.Health(&gateway.Gateway{}) })
}
