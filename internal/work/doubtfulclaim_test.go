package work_test

import (
	"bytes"
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// doubtful is a store that does not know once whether a claim of callbacks was committed. It was, if kept.
type doubtful struct {
	store.Store
	kept bool
	left atomic.Int32
}

func (d *doubtful) Update(ctx context.Context, fn func(store.Tx) error) error {
	failed := false
	err := d.Store.Update(ctx, func(tx store.Tx) error {
		taken := claimTx{Tx: tx}
		err := fn(&taken)
		if failed = err == nil && taken.claims && d.left.Load() > 0; failed && !d.kept {
			return errShaky
		}
		return err
	})
	if failed {
		d.left.Add(-1)
		return errors.Join(errShaky, store.ErrUnknownCommit)
	}
	return err
}

// claimTx finds out whether callbacks are taken out of their lanes.
type claimTx struct {
	store.Tx
	claims bool
}

func (c *claimTx) Delete(key []byte) error {
	c.claims = c.claims || bytes.HasPrefix(key, store.Key("qcl"))
	return c.Tx.Delete(key)
}

// When a claim of a noted callback may or may not be committed, the gateway gives it back. The callback is sent after a
// pause, or by the next look, and does not wait for the end of a lease. It is its first try.
func TestNotedClaimInDoubt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		kept bool
		want time.Duration
	}{{"committed", true, callback.Lease/4 + time.Second}, {"not committed", false, time.Second}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d := &doubtful{kept: c.kept}
				kit := gatewaytest.New(t, func(cfg *gateway.Config) {
					d.Store = cfg.Store
					cfg.Now, cfg.Store = time.Now, d
				})
				stop := working(t, kit)
				synctest.Wait()
				d.left.Store(1)
				kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
				synctest.Wait()
				require.Zero(t, d.left.Load(), "it is claimed")
				require.Empty(t, kit.Inbox.All())
				time.Sleep(c.want)
				synctest.Wait()
				stop()
				require.Len(t, kit.Inbox.All(), 1)
				require.Equal(t, 1, kit.Inbox.All()[0].Attempt)
				kerneltest.Quiet(t, kit)
			})
		})
	}
}
