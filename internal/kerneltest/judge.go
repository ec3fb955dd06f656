package kerneltest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// JudgedStore judges every commit (reliability.md, M2, S1 to S4, C1): a status changes only along a row of the
// table, versions grow by one, final records stay, and callbacks are queued together with what they report.
type JudgedStore struct {
	store.Store
	mu    sync.Mutex
	found []string
}

// Update implements store.Store.
func (w *JudgedStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	return w.Judge(fn, func(fn func(store.Tx) error) error { return w.Store.Update(ctx, fn) })
}

// Judge judges what fn writes in the transaction that run makes of it. A store may run fn several times, also over
// what never was there together; the last run counts.
func (w *JudgedStore) Judge(fn func(store.Tx) error, run func(fn func(store.Tx) error) error) error {
	var faults []string
	err := run(func(tx store.Tx) error {
		judge := &JudgedTx{Tx: tx}
		faults = nil
		if err := fn(judge); err != nil {
			return err
		}
		if faults = judge.Verdict(); len(faults) > 0 {
			return fmt.Errorf("not a legal commit: %v", faults)
		}
		return nil
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.found = append(w.found, faults...)
	return err
}

// Faults lists what was wrong in all commits.
func (w *JudgedStore) Faults() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.found)
}

// Audited is a kit on a store whose every commit is judged.
func Audited(t testing.TB, options ...gatewaytest.Option) *gatewaytest.Kit {
	t.Helper()
	w := &JudgedStore{Store: memory.New()}
	t.Cleanup(func() { require.Empty(t, w.Faults()) })
	return gatewaytest.On(t, w, options...)
}

// JudgedTx records the old values under the keys that a transaction writes.
type JudgedTx struct {
	store.Tx
	Before map[string][]byte
	// Silent reports a payment whose status may change without a callback; nil for none.
	Silent func(*records.Payment) bool
}

func (tx *JudgedTx) note(key []byte) {
	if _, known := tx.Before[string(key)]; known {
		return
	}
	if tx.Before == nil {
		tx.Before = map[string][]byte{}
	}
	old, err := tx.Get(key)
	if errors.Is(err, store.ErrNotFound) {
		old = nil
	}
	tx.Before[string(key)] = old
}

// Put implements store.Tx.
func (tx *JudgedTx) Put(key, value []byte) error {
	tx.note(key)
	return tx.Tx.Put(key, value)
}

// Insert implements store.Tx.
func (tx *JudgedTx) Insert(key, value []byte) error {
	tx.note(key)
	return tx.Tx.Insert(key, value)
}

// Delete implements store.Tx.
func (tx *JudgedTx) Delete(key []byte) error {
	tx.note(key)
	return tx.Tx.Delete(key)
}

// Verdict returns what is wrong with what the transaction wrote.
func (tx *JudgedTx) Verdict() (faults []string) {
	queued := map[string]int{}
	for _, c := range ChangesOf[records.Callback](tx, "cb") {
		if c.was == nil {
			queued[c.Is.PaymentID]++
		} else if string(c.was.Body) != string(c.Is.Body) || c.was.URL != c.Is.URL {
			faults = append(faults, "C4: the bytes of callback "+c.Is.ID+" changed")
		}
	}
	for _, c := range ChangesOf[records.Payment](tx, "p") {
		silent := tx.Silent != nil && tx.Silent(c.Is)
		faults = append(faults, paymentFaults(c, queued[c.Is.ID], silent)...)
		for _, is := range c.Is.Transactions {
			if c.was == nil {
				continue
			}
			if was := c.was.Transaction(is.ID); was != nil && !reflect.DeepEqual(was, is) {
				faults = append(faults, transactionFaults(Change[records.Transaction]{was, is})...)
			}
		}
	}
	return faults
}

// Change is one record before and after a commit; was is nil for a new one.
type Change[T any] struct{ was, Is *T }

// ChangesOf lists the records under a prefix that a commit wrote.
func ChangesOf[T any](tx *JudgedTx, prefix string) (list []Change[T]) {
	head := string(store.Key(prefix))
	for key, old := range tx.Before {
		now, err := tx.Get([]byte(key))
		if !strings.HasPrefix(key, head) || err != nil {
			continue
		}
		table := store.Table[T]{Prefix: prefix, Version: 1}
		is, err := table.Decode(store.Entry{Key: []byte(key), Value: now})
		if err != nil {
			continue
		}
		c := Change[T]{Is: &is}
		if old != nil {
			was, _ := table.Decode(store.Entry{Key: []byte(key), Value: old})
			c.was = &was
		}
		list = append(list, c)
	}
	return list
}

// leads reports whether any row of the state table leads from one status to another.
func leads(kind store.Kind, from, to store.Status) bool {
	for _, op := range store.Operations() {
		for _, event := range state.Events() {
			for _, guard := range state.Guards() {
				if row, ok := state.Next(state.Key{Kind: kind, From: from, Op: op, Event: event,
					Guard: guard}); ok && row.To == to {
					return true
				}
			}
		}
	}
	return false
}

// writes is how often a commit wrote a payment: once, or for each transaction that recovery claims in it.
func writes(was, is *records.Payment) (n int) {
	for _, tr := range is.Transactions {
		if before := was.Transaction(tr.ID); before == nil || before.Version != tr.Version {
			n++
		}
	}
	return max(1, n)
}

func paymentFaults(c Change[records.Payment], queued int, silent bool) (faults []string) {
	is := c.Is
	was := c.was
	if was == nil {
		was = &records.Payment{Payment: store.Payment{Kind: is.Kind}}
	}
	fault := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, "payment "+is.ID+": "+fmt.Sprintf(format, args...))
		}
	}
	fault(is.Version != was.Version+writes(was, is), "S3: version %d after %d", is.Version, was.Version)
	fault(is.Status != was.Status && !leads(was.Kind, was.Status, is.Status), "S1: %s to %s", was.Status, is.Status)
	fault(is.Callbacks-was.Callbacks != queued, "C1: %d callbacks counted, %d queued", is.Callbacks-was.Callbacks, queued)
	silent = silent || was.Status == store.New || was.NotificationURL == ""
	fault(is.Status != was.Status && queued == 0 && !silent, "C1: %s to %s without a callback", was.Status, is.Status)
	fault(is.Captured.Cmp(is.Authorized) > 0, "M1: captured %s of %s", is.Captured, is.Authorized)
	fault(is.Refunded.Add(is.Reserved).Cmp(is.Captured) > 0, "M2: refunded %s, reserved %s of %s", is.Refunded,
		is.Reserved, is.Captured)
	fault(is.Captured.Cmp(was.Captured) < 0 || is.Refunded.Cmp(was.Refunded) < 0, "money went backwards")
	fault(!was.Captured.IsZero() && is.Captured.Cmp(was.Captured) != 0, "M1: captured twice")
	if c.was != nil {
		fault(is.Amount.Cmp(was.Amount) != 0 || is.Order != was.Order, "M13: amount or order changed")
		fault(is.Kind != was.Kind || is.MerchantID != was.MerchantID || is.MIDID != was.MIDID, "identity changed")
		for i, tr := range was.Transactions {
			fault(len(is.Transactions) <= i || is.Transactions[i].ID != tr.ID, "a transaction was lost")
		}
	}
	return faults
}

func transactionFaults(c Change[records.Transaction]) (faults []string) {
	is, was := c.Is, c.was
	fault := func(bad bool, text string) {
		if bad {
			faults = append(faults, "transaction "+is.ID+": "+text)
		}
	}
	fault(is.Version != was.Version+1, "S3: version")
	fault(was.Outcome.Final() && is.Outcome != was.Outcome, "S6: a final outcome changed")
	fault(is.Amount.Cmp(was.Amount) != 0 || is.Operation != was.Operation,
		"M10: identity changed")
	fault(is.Outcome == store.Sent && was.Outcome != store.Sent, "an outcome was forgotten")
	fault(is.Outcome.Final() && (is.SealedCode != nil || is.SealedCard != nil || is.SealedRedirect != nil),
		"a closed transaction keeps card data")
	return faults
}
