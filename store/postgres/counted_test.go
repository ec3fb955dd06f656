package postgres_test

import (
	"context"
	"sync/atomic"

	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// counted counts how often functions ran again: those of sales, and those of all else, which is due work.
type counted struct {
	*postgres.Store
	sales, work atomic.Int64
}

// ofSale is the key under which the context of a sale says that it is one.
type ofSale struct{}

// Update implements store.Store.
func (c *counted) Update(ctx context.Context, fn func(store.Tx) error) error {
	return c.Store.Update(ctx, c.counting(ctx, fn))
}

// Plan implements store.Planner.
func (c *counted) Plan(ctx context.Context, fn func(store.Tx) error) error {
	return c.Store.Plan(ctx, c.counting(ctx, fn))
}

func (c *counted) counting(ctx context.Context, fn func(store.Tx) error) func(store.Tx) error {
	again := &c.work
	if ctx.Value(ofSale{}) != nil {
		again = &c.sales
	}
	runs := 0
	return func(tx store.Tx) error {
		if runs++; runs > 1 {
			again.Add(1)
		}
		return fn(tx)
	}
}

// tally is how many sales were made and callbacks delivered, and how often the functions of sales and of due work ran
// again, on both instances.
type tally struct{ sales, salesAgain, callbacks, workAgain int64 }

func (m *meter) tally() tally {
	t := tally{sales: m.orders.Load(), callbacks: m.told.Load()}
	for _, s := range m.stores {
		t.salesAgain, t.workAgain = t.salesAgain+s.sales.Load(), t.workAgain+s.work.Load()
	}
	return t
}

// conflicts are how often functions ran again: those of sales for a thousand sales, and those of due work for a
// thousand callbacks.
type conflicts struct{ sales, work speed.Spread }

// add adds what came between two tallies.
func (c *conflicts) add(from, to tally) {
	c.sales = append(c.sales, float64(to.salesAgain-from.salesAgain)*1000/float64(max(1, to.sales-from.sales)))
	c.work = append(c.work, float64(to.workAgain-from.workAgain)*1000/float64(max(1, to.callbacks-from.callbacks)))
}
