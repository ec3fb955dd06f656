package storetest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// Again checks what several instances on the same data need: that no update is lost between them, that there is neither
// write skew nor a phantom, that of many that insert a key one wins, and that each sees what the other has committed.
// open returns two stores on the same fresh and empty data, as two processes would have it. A store whose transactions
// are serializable within one process only fails. Run is for each of them alone.
func Again(t *testing.T, open func(t *testing.T) (one, other store.Store)) {
	t.Helper()
	for _, cases := range [][]contract{atomicity(), isolation()} {
		for _, c := range cases {
			t.Run("two instances: "+c.name, func(t *testing.T) {
				t.Parallel()
				one, other := open(t)
				both := &instances{stores: [2]store.Store{one, other}}
				t.Cleanup(func() { require.NoError(t, both.Close()) })
				c.test(t, both)
			})
		}
	}
}

// instances is two stores on the same data as one: calls take turns between them.
type instances struct {
	stores [2]store.Store
	turn   atomic.Uint32
}

func (b *instances) next() store.Store { return b.stores[b.turn.Add(1)%2] }

func (b *instances) View(ctx context.Context, fn func(store.Reader) error) error {
	return b.next().View(ctx, fn)
}

func (b *instances) Update(ctx context.Context, fn func(store.Tx) error) error {
	return b.next().Update(ctx, fn)
}

func (b *instances) Close() error { return errors.Join(b.stores[0].Close(), b.stores[1].Close()) }
