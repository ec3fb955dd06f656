package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// The records, read as anybody could who opens the store: the judges share no code with the kernel.
var (
	paymentTable     = store.Table[store.Payment]{Prefix: "p", Version: 1}
	transactionTable = store.Table[store.Transaction]{Prefix: "t", Version: 1}
	sessionTable     = store.Table[store.Session]{Prefix: "s", Version: 1}
	callbackTable    = store.Table[store.Callback]{Prefix: "cb", Version: 1}
)

const everything = 100_000

// audited is a kit on a store whose every commit is judged.
func audited(t testing.TB, options ...gatewaytest.Option) *gatewaytest.Kit {
	t.Helper()
	w := &watched{Store: memory.New()}
	t.Cleanup(func() { require.Empty(t, w.faults()) })
	return gatewaytest.On(t, w, options...)
}

// watched judges every commit (reliability.md, M2, S1 to S4, C1): a status changes only along a row of
// the table, versions grow by one, what is over stays, and callbacks come with what they tell of.
type watched struct {
	store.Store
	mu    sync.Mutex
	found []string
}

func (w *watched) Update(ctx context.Context, fn func(store.Tx) error) error {
	return w.Store.Update(ctx, func(tx store.Tx) error {
		judge := &judgedTx{Tx: tx}
		if err := fn(judge); err != nil {
			return err
		}
		if faults := judge.verdict(); len(faults) > 0 {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.found = append(w.found, faults...)
			return fmt.Errorf("not a legal commit: %v", faults)
		}
		return nil
	})
}

func (w *watched) faults() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.found)
}

// judgedTx notes what was under the keys that a transaction writes.
type judgedTx struct {
	store.Tx
	before map[string][]byte
}

func (tx *judgedTx) note(key []byte) {
	if _, known := tx.before[string(key)]; known {
		return
	}
	if tx.before == nil {
		tx.before = map[string][]byte{}
	}
	old, err := tx.Get(key)
	if errors.Is(err, store.ErrNotFound) {
		old = nil
	}
	tx.before[string(key)] = old
}

func (tx *judgedTx) Put(key, value []byte) error {
	tx.note(key)
	return tx.Tx.Put(key, value)
}

func (tx *judgedTx) Insert(key, value []byte) error {
	tx.note(key)
	return tx.Tx.Insert(key, value)
}

func (tx *judgedTx) Delete(key []byte) error {
	tx.note(key)
	return tx.Tx.Delete(key)
}

// change is one record as a commit found and left it; was is nil for a new one.
type change[T any] struct{ was, is *T }

func changesOf[T any](tx *judgedTx, prefix string) (list []change[T]) {
	head := string(store.Key(prefix))
	for key, old := range tx.before {
		now, err := tx.Get([]byte(key))
		if !strings.HasPrefix(key, head) || err != nil {
			continue
		}
		c := change[T]{is: new(T)}
		if json.Unmarshal(now, c.is) != nil {
			continue
		}
		if old != nil {
			c.was = new(T)
			_ = json.Unmarshal(old, c.was)
		}
		list = append(list, c)
	}
	return list
}

func (tx *judgedTx) verdict() (faults []string) {
	queued := map[string]int{}
	for _, c := range changesOf[store.Callback](tx, "cb") {
		if c.was == nil {
			queued[c.is.PaymentID]++
		} else if string(c.was.Body) != string(c.is.Body) || c.was.URL != c.is.URL {
			faults = append(faults, "C4: the bytes of callback "+c.is.ID+" changed")
		}
	}
	for _, c := range changesOf[store.Payment](tx, "p") {
		faults = append(faults, paymentFaults(c, queued[c.is.ID])...)
	}
	for _, c := range changesOf[store.Transaction](tx, "t") {
		faults = append(faults, transactionFaults(c)...)
	}
	return faults
}

func paymentFaults(c change[store.Payment], queued int) (faults []string) {
	is := c.is
	was := c.was
	if was == nil {
		was = &store.Payment{Kind: is.Kind}
	}
	fault := func(bad bool, format string, args ...any) {
		if bad {
			faults = append(faults, "payment "+is.ID+": "+fmt.Sprintf(format, args...))
		}
	}
	fault(is.Version != was.Version+1, "S3: version %d after %d", is.Version, was.Version)
	fault(is.Status != was.Status && !leads(was.Kind, was.Status, is.Status), "S1: %s to %s", was.Status, is.Status)
	fault(is.Callbacks-was.Callbacks != queued, "C1: %d callbacks counted, %d queued", is.Callbacks-was.Callbacks, queued)
	told := was.Status == store.New || was.NotificationURL == ""
	fault(is.Status != was.Status && queued == 0 && !told, "C1: %s to %s is told to nobody", was.Status, is.Status)
	fault(is.Captured.Cmp(is.Authorized) > 0, "M1: captured %s of %s", is.Captured, is.Authorized)
	fault(is.Refunded.Add(is.Reserved).Cmp(is.Captured) > 0, "M2: refunded %s, reserved %s of %s", is.Refunded, is.Reserved, is.Captured)
	fault(is.Captured.Cmp(was.Captured) < 0 || is.Refunded.Cmp(was.Refunded) < 0, "money went backwards")
	fault(!was.Captured.IsZero() && is.Captured.Cmp(was.Captured) != 0, "M1: captured twice")
	if c.was != nil {
		fault(is.Amount.Cmp(was.Amount) != 0 || is.Order != was.Order, "M13: amount or order changed")
		fault(is.Kind != was.Kind || is.MerchantID != was.MerchantID || is.MIDID != was.MIDID, "identity changed")
		fault(len(is.Transactions) < len(was.Transactions), "a transaction was lost")
	}
	return faults
}

// leads reports whether any row of the state table leads from one status to another.
func leads(kind store.Kind, from, to store.Status) bool {
	for _, op := range store.Operations() {
		for _, event := range state.Events() {
			for _, guard := range []state.Guard{state.Always, state.Kept} {
				if row, ok := state.Next(state.Key{Kind: kind, From: from, Op: op, Event: event, Guard: guard}); ok && row.To == to {
					return true
				}
			}
		}
	}
	return false
}

func transactionFaults(c change[store.Transaction]) (faults []string) {
	is, was := c.is, c.was
	if was == nil {
		return nil
	}
	fault := func(bad bool, text string) {
		if bad {
			faults = append(faults, "transaction "+is.ID+": "+text)
		}
	}
	fault(is.Version != was.Version+1, "S3: version")
	fault(was.Outcome.Final() && is.Outcome != was.Outcome, "S6: a final outcome changed")
	fault(is.Amount.Cmp(was.Amount) != 0 || is.Currency != was.Currency || is.Operation != was.Operation, "M10: identity changed")
	fault(is.Outcome == store.Sent && was.Outcome != store.Sent, "an outcome was forgotten")
	fault(is.Outcome.Final() && (is.Held != nil || is.SealedCard != nil || is.Next != nil), "a closed transaction keeps card data")
	return faults
}

// books is everything a store holds, and what the acquirer has.
type books struct {
	payments     []store.Payment
	transactions map[string]store.Transaction
	sessions     []store.Session
	callbacks    []store.Callback
	ledger       map[string]vcard.Entry // by transaction id
}

func read(t testing.TB, kit *gatewaytest.Kit) *books {
	t.Helper()
	b := &books{transactions: map[string]store.Transaction{}, ledger: map[string]vcard.Entry{}}
	require.NoError(t, kit.Store.View(context.Background(), func(r store.Reader) error {
		for p, err := range paymentTable.Scan(r, everything) {
			require.NoError(t, err)
			b.payments = append(b.payments, p)
		}
		for tr, err := range transactionTable.Scan(r, everything) {
			require.NoError(t, err)
			b.transactions[tr.ID] = tr
		}
		for s, err := range sessionTable.Scan(r, everything) {
			require.NoError(t, err)
			b.sessions = append(b.sessions, s)
		}
		for c, err := range callbackTable.Scan(r, everything) {
			require.NoError(t, err)
			b.callbacks = append(b.callbacks, c)
		}
		return nil
	}))
	for _, e := range kit.Charges(t) {
		id, ours := strings.CutPrefix(e.Key, "tg-")
		require.True(t, ours, "a key that is no function of a transaction id: %s", e.Key)
		b.ledger[id] = e
	}
	return b
}

// audit holds every record of the store to the invariants of reliability.md, section 2, and to the
// acquirer's own ledger. It may be called at any moment; of what has no outcome yet it asks less.
func audit(t testing.TB, kit *gatewaytest.Kit) *books {
	t.Helper()
	b := read(t, kit)
	for i := range b.payments {
		b.auditPayment(t, &b.payments[i])
	}
	for id, e := range b.ledger {
		require.LessOrEqual(t, e.Effects, 1, "M7: %s %s", e.Kind, id)
		require.Contains(t, b.transactions, id, "M8: the acquirer has what nobody stored")
	}
	for _, tr := range b.transactions {
		b.auditTransaction(t, &tr)
	}
	for _, s := range b.sessions {
		b.auditSession(t, &s)
	}
	return b
}

func (b *books) auditPayment(t testing.TB, p *store.Payment) {
	t.Helper()
	amount, err := store.ParseAmount(p.Order.Amount)
	require.NoError(t, err)
	require.Zero(t, amount.Cmp(p.Amount), "M13: what was signed is what is charged")
	require.LessOrEqual(t, p.Captured.Cmp(p.Authorized), 0, "M1")
	require.LessOrEqual(t, p.Refunded.Add(p.Reserved).Cmp(p.Captured), 0, "M2")
	require.LessOrEqual(t, p.Authorized.Cmp(p.Amount), 0, "never more than was asked for")
	if p.Status == store.Settled && !p.Hold {
		require.Zero(t, p.Captured.Cmp(p.Authorized), "M1: a sale takes all of it")
	}
	var refunded, reserved store.Amount
	running, reversed := "", false
	for i, id := range p.Transactions {
		tr, ok := b.transactions[id]
		require.True(t, ok, "a transaction that is not stored")
		require.Equal(t, p.ID, tr.PaymentID)
		require.Equal(t, p.Order.Currency, tr.Currency, "M10")
		require.Equal(t, i > 0 && tr.Operation != store.OpChargeback, tr.ParentID != "", "every child but a dispute has a parent")
		switch {
		case tr.Operation == store.OpRefund && tr.Outcome == store.Success:
			refunded = refunded.Add(tr.Amount)
		case tr.Operation == store.OpRefund && !tr.Outcome.Final():
			reserved = reserved.Add(tr.Amount)
		case !tr.Outcome.Final():
			require.Empty(t, running, "two operations that exclude each other run at once")
			running = tr.ID
		case tr.Operation == store.OpReversal && tr.Outcome == store.Success:
			reversed = true
			whole := p.Authorized
			if !p.Captured.IsZero() {
				whole, refunded = p.Captured, p.Captured
			}
			require.Zero(t, whole.Cmp(tr.Amount), "M3: a reversal is for all of it")
		}
	}
	require.Equal(t, running, p.Running)
	require.Zero(t, reserved.Cmp(p.Reserved), "M12: %s reserved, %s in refunds without an outcome", p.Reserved, reserved)
	require.Zero(t, refunded.Cmp(p.Refunded), "M6: %s refunded, %s in refunds", p.Refunded, refunded)
	require.Equal(t, reversed, p.Status == store.Reversed, "M4")
	if reversed && p.Kind == store.Purchase {
		require.True(t, p.Captured.IsZero(), "M3")
	}
	if p.Status == store.Voided {
		require.True(t, p.Refunded.IsZero() && p.Reserved.IsZero(), "M5")
	}
	b.auditCharge(t, p)
}

// auditCharge compares a payment with the acquirer's row of its charge, once nothing of it is open.
func (b *books) auditCharge(t testing.TB, p *store.Payment) {
	t.Helper()
	for _, id := range p.Transactions {
		if tr := b.transactions[id]; !tr.Outcome.Final() || tr.Review != "" || tr.Decision != nil {
			return
		}
	}
	e, ok := b.ledger[p.Transactions[0]]
	if !ok || e.State != vcard.StateApproved {
		require.True(t, p.Authorized.IsZero(), "M8: nobody holds what we think we have")
		return
	}
	require.Zero(t, e.Captured.Cmp(p.Captured), "M8: the acquirer took %s, we have %s", e.Captured, p.Captured)
	require.Equal(t, p.Status == store.Voided || p.Status == store.Reversed, e.Closed, "M8")
	if p.Status != store.Reversed {
		require.Zero(t, e.Refunded.Cmp(p.Refunded), "M8: the acquirer gave back %s, we %s", e.Refunded, p.Refunded)
	}
}

func (b *books) auditTransaction(t testing.TB, tr *store.Transaction) {
	t.Helper()
	require.False(t, tr.Amount.IsZero() && tr.Operation != store.OpAuth, "M11: %s of nothing", tr.Operation)
	require.Equal(t, tr.Outcome.Final(), tr.Due.IsZero(), "what has no outcome is looked at again, what has one is not")
	if tr.Operation == store.OpChargeback || tr.Decision != nil || !tr.Outcome.Final() || tr.Review != "" {
		return
	}
	e, booked := b.ledger[tr.ID]
	if tr.Outcome == store.Fail {
		require.Zero(t, e.Effects, "M8: %s failed here and was done there", tr.Operation)
		return
	}
	require.True(t, booked && e.State == vcard.StateApproved && e.Effects == 1, "M8: %s succeeded here only", tr.Operation)
	require.Zero(t, tr.Amount.Cmp(e.Amount))
	require.Equal(t, e.Currency, tr.Currency)
	require.Equal(t, e.Kind, tr.Operation)
	require.Equal(t, e.Reference, tr.Reference)
}

func (b *books) auditSession(t testing.TB, s *store.Session) {
	t.Helper()
	paid, declined := 0, 0
	for _, p := range b.payments {
		if p.SessionID != s.ID {
			continue
		}
		switch b.transactions[p.Transactions[0]].Outcome {
		case store.Success:
			paid++
		case store.Fail:
			declined++
		}
		require.False(t, p.CreatedAt.After(s.ExpiresAt), "S8: nothing starts after expiry")
	}
	require.LessOrEqual(t, paid, 1, "S8: a link pays once")
	require.Equal(t, paid == 1, s.State == store.SessionPaid)
	require.Equal(t, s.Declines, declined)
	require.Equal(t, s.Running, s.Attempts > paid+declined, "S8: %d attempts, %d paid, %d declined", s.Attempts, paid, declined)
}

// quiet is audit with nothing left to do: every transaction has an outcome, every callback is
// delivered, and the last word the merchant heard of each transaction is the truth.
func quiet(t testing.TB, kit *gatewaytest.Kit) *books {
	t.Helper()
	b := audit(t, kit)
	told := map[string]string{}
	for _, c := range b.callbacks {
		require.Equal(t, store.CallbackDelivered, c.State, "C3: %s", c.ID)
		told[c.TransactionID] = c.Outcome
	}
	for _, tr := range b.transactions {
		require.True(t, tr.Outcome.Final(), "L1: %s %s is %q, due %s, review %q", tr.Operation, tr.ID, tr.Outcome, tr.Due, tr.Review)
		require.Equal(t, string(tr.Outcome), told[tr.ID], "C1: the last word about %s", tr.Operation)
	}
	heard := map[string]bool{}
	for _, d := range kit.Inbox.All() {
		heard[d.ID] = true
	}
	for _, c := range b.callbacks {
		require.True(t, heard[c.ID], "C3: %s was never sent", c.ID)
	}
	for _, p := range b.payments {
		require.True(t, p.Reserved.IsZero(), "M12")
	}
	return b
}
