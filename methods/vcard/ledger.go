package vcard

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

const page = 200 // entries per scan

// MaxLedger is how many entries Ledger returns at most.
const MaxLedger = 100_000

// ErrLedgerSize: the ledger has more than MaxLedger entries; read it with Page.
var ErrLedgerSize = errors.New("vcard: the ledger is too large to be read whole")

// Entry returns one entry of the ledger by the operation's key, in its state now. Error: store.ErrNotFound for an
// unknown key.
func (c *Connector) Entry(ctx context.Context, key string) (Entry, error) {
	var e Entry
	err := c.books.store.View(ctx, func(r store.Reader) (err error) {
		e, err = c.books.get(r, key)
		return err
	})
	return e.at(c.now()), err
}

// Page returns at most limit entries of the ledger whose keys come after the given one, in key order.
func (c *Connector) Page(ctx context.Context, after string, limit int) ([]Entry, error) {
	var entries []Entry
	err := c.books.store.View(ctx, func(r store.Reader) (err error) {
		entries, err = c.scan(r, after, limit)
		return err
	})
	return entries, err
}

// Ledger returns the whole ledger from one snapshot, oldest first. Error: ErrLedgerSize beyond MaxLedger entries.
func (c *Connector) Ledger(ctx context.Context) ([]Entry, error) {
	var all []Entry
	err := c.books.store.View(ctx, func(r store.Reader) error {
		all = nil // the function may run again
		for after := ""; ; after = all[len(all)-1].Key {
			more, err := c.scan(r, after, page)
			all = append(all, more...)
			switch {
			case err != nil:
				return err
			case len(all) > MaxLedger:
				return ErrLedgerSize
			case len(more) < page:
				return nil
			}
		}
	})
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key))
	})
	return all, err
}

func (c *Connector) scan(r store.Reader, after string, limit int) ([]Entry, error) {
	var entries []Entry
	from := c.books.entryKey(after)
	if after != "" {
		from = append(from, 0) // the smallest key after it
	}
	now := c.now()
	for row := range r.Scan(store.Range{Prefix: c.books.entryKey(""), From: from, Limit: limit}) {
		if row.Err != nil {
			return nil, row.Err
		}
		var e Entry
		if err := json.Unmarshal(row.Value, &e); err != nil {
			return nil, fmt.Errorf("vcard: entry: %w", err)
		}
		entries = append(entries, e.at(now))
	}
	return entries, nil
}
