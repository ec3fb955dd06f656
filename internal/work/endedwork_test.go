package work_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// behindClaim is a store that runs a function once, right after a write transaction.
type behindClaim struct {
	store.Store
	do func()
}

func (s *behindClaim) Update(ctx context.Context, fn func(store.Tx) error) error {
	err := s.Store.Update(ctx, fn)
	if do := s.do; do != nil && err == nil {
		s.do = nil
		do()
	}
	return err
}

// If the subject of due work ends before or during the work, nothing is set aside, and nothing is logged as a
// fault.
func TestWorkOfWhatHasEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		setup func(t *testing.T, kit *gatewaytest.Kit) (end func())
		claim bool // it ends after the claim, not before
	}{
		{"a schedule that has to be planned again", changedSchedule, false},
		{"a schedule that is planned again", changedSchedule, true},
		{"a chain whose payment is due", dueChain, false},
		{"a chain whose payment begins", dueChain, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			behind := &behindClaim{}
			kit := gatewaytest.New(t, func(cfg *gateway.Config) {
				behind.Store = cfg.Store
				cfg.Store, cfg.Log = behind, slog.New(slog.NewTextHandler(&log, nil))
			})
			end := c.setup(t, kit)
			if c.claim {
				behind.do = end
			} else {
				end()
			}
			charges := len(kit.Charges(t))
			kit.Work(t)
			kit.Advance(t, 90*24*time.Hour)
			require.Nil(t, behind.do, "nothing was claimed")
			list, err := kit.Operator().SetAside(t.Context(), 10)
			require.NoError(t, err)
			require.Empty(t, list)
			require.NotContains(t, log.String(), "level=ERROR")
			require.Len(t, kit.Charges(t), charges)
		})
	}
}

// changedSchedule makes a schedule whose dates have just changed, and returns a function that deletes it.
func changedSchedule(t *testing.T, kit *gatewaytest.Kit) func() {
	t.Helper()
	set := kerneltest.Scheduled(t, kit)
	_, err := kit.Shop().UpdateSchedule(t.Context(), set.ID, func(s *store.Schedule) error {
		s.IntervalLength++
		return nil
	})
	require.NoError(t, err)
	return func() { require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), set.ID)) }
}

// dueChain makes a chain whose next payment is due, and returns a function that ends it.
func dueChain(t *testing.T, kit *gatewaytest.Kit) func() {
	t.Helper()
	_, first := kerneltest.Subscribed(t, kit, kerneltest.EveryDays(7, 3))
	kit.Work(t)
	kit.Clock.Set(kit.Clock.Now().Add(8 * 24 * time.Hour))
	return func() {
		_, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: first.ID})
		require.NoError(t, err)
	}
}
