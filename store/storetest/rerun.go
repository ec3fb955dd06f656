package storetest

import (
	"context"

	"github.com/tollgatepay/gateway/store"
)

// Rerun wraps s for the tests of a program that uses it. It runs the function of every View again, as a store may, and
// the second run counts: what a function adds to a list that it does not begin is there twice.
func Rerun(s store.Store) store.Store { return rerun{s} }

type rerun struct{ store.Store }

// Unwrap returns the store within (store.ClockOf).
func (s rerun) Unwrap() store.Store { return s.Store }

// View implements store.Store.
func (s rerun) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.Store.View(ctx, func(r store.Reader) error {
		if err := fn(r); err != nil {
			return err
		}
		return fn(r)
	})
}
