package work_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// stuckConnector does not answer until it is released; asked counts the questions under way.
type stuckConnector struct {
	mu    sync.Mutex
	asked int
	gone  chan struct{}
}

func (c *stuckConnector) Perform(_ context.Context, op methods.Operation) methods.Answer {
	return methods.Unknown(op, "no answer")
}

func (c *stuckConnector) Find(ctx context.Context, op methods.Operation) methods.Answer {
	c.mu.Lock()
	c.asked++
	c.mu.Unlock()
	<-c.gone
	return methods.Unknown(op, "no answer")
}

func (c *stuckConnector) now() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

// Operations in doubt at a stuck connector occupy at most half of recovery's workers: those at another connector
// are resolved meanwhile.
func TestStuckConnectorHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	stuck := &stuckConnector{gone: make(chan struct{})}
	kit := gatewaytest.New(t, func(c *gateway.Config) { c.Connectors["stuck"] = stuck })
	kerneltest.SaveOtherMerchant(t, kit)
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "other-live", MerchantID: kerneltest.OtherID, Connector: "stuck"}))
	for n := range 40 {
		kerneltest.Charged(t, kit.As(kerneltest.OtherKey), fmt.Sprint("STUCK-", n), gatewaytest.Settles)
	}
	kit.Clock.Set(kit.Clock.Now().Add(time.Hour))

	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan struct{})
	go func() { defer close(ran); _ = kit.Run(ctx) }()
	require.Eventually(t, func() bool { return stuck.now() >= 8 }, time.Minute, time.Millisecond)
	kit.Vcard.On("ORD-1", vcard.UnknownAfter())
	p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
	kit.Clock.Set(kit.Clock.Now().Add(time.Hour))
	require.Eventually(t, func() bool {
		status, err := kit.Shop().Status(context.Background(), gateway.Lookup{PaymentID: p.ID})
		return err == nil && status[0].Payment.Status == store.Settled
	}, time.Minute, time.Millisecond)
	require.LessOrEqual(t, stuck.now(), 8)
	stop()
	close(stuck.gone)
	<-ran
}

// Merchants whose scheduled payments are due take turns: one with many delays another by one payment.
func TestScheduledPaymentsTakeTurns(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.SaveOtherMerchant(t, kit)
	for key, n := range map[string]int{gatewaytest.MerchantKey: 30, kerneltest.OtherKey: 1} {
		set, err := kit.Merchant(key).CreateSchedule(t.Context(), kerneltest.EveryDays(7, 1))
		require.NoError(t, err)
		for i := range n {
			kerneltest.Charged(t, kit.As(key), fmt.Sprint(key, i), gatewaytest.Settles, kerneltest.OnSchedule(set))
		}
	}
	kit.Work(t)
	kit.Clock.Set(kit.Clock.Now().AddDate(0, 0, 8))
	before := len(kit.Charges(t))
	for range 4 {
		_, _, err := kit.Tick(t.Context(), 1)
		require.NoError(t, err)
	}
	var made []string
	for _, e := range kit.Charges(t)[before:] {
		made = append(made, e.Order)
	}
	require.Contains(t, made, kerneltest.OtherKey+"0")
}
