package state

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// FuzzWords looks up events, operations and requests of any spelling: a name that is not in the table, byte for
// byte, is not found.
func FuzzWords(f *testing.F) {
	for _, rule := range Rows()[:20] {
		f.Add(string(rule.Kind), string(rule.From), string(rule.Op), string(rule.Event), string(rule.Guard), "CAPTURE")
	}
	f.Add("Purchase", "SETTLED", "refund", "approved", "", "creditvoid")
	f.Add("purchase", "settled", "refund", "approved ", "x", "CREDITVOID\x00")
	f.Add("", "", "", "", "", "")
	rows := map[Key]Row{}
	for _, rule := range Rows() {
		rows[rule.Key] = rule.Row
	}
	f.Fuzz(func(t *testing.T, kind, from, op, event, guard, ask string) {
		key := Key{store.Kind(kind), store.Status(from), store.Operation(op), Event(event), Guard(guard)}
		row, ok := Next(key)
		want, listed := rows[key]
		if !listed {
			key.Guard = Always
			want, listed = rows[key]
		}
		require.Equal(t, listed, ok)
		require.Equal(t, want, row)
		to, ok := Follow(store.Kind(kind), store.Status(from), Request(ask))
		if ok {
			require.Contains(t, Requests(), Request(ask))
			require.Contains(t, store.Statuses(), store.Status(from))
			require.Contains(t, store.Kinds(), store.Kind(kind))
			require.Contains(t, store.Operations(), to)
		}
	})
}

// FuzzBooks keeps the books of one payment while any allowed events happen in any order, with concurrent refunds. A
// void is of what was captured and not refunded; a reversal is of all that is held, and no capture follows it;
// refunds never exceed what was captured.
func FuzzBooks(f *testing.F) {
	f.Add(false, false, []byte{0, 0, 2, 50, 2, 60, 3, 0, 2, 60, 3, 1})
	f.Add(true, false, []byte{0, 0, 1, 70, 3, 0, 2, 100, 3, 0})
	f.Add(true, false, []byte{0, 0, 2, 100, 3, 0, 1, 50, 3, 0})
	f.Add(false, true, []byte{0, 0, 2, 30, 3, 0, 2, 70, 3, 0, 4, 0})
	f.Add(false, false, []byte{0, 0, 4, 0, 3, 0, 2, 1})
	f.Add(false, false, []byte{0, 0, 2, 30, 4, 0, 3, 1, 4, 0, 3, 0})
	f.Fuzz(func(t *testing.T, hold, keep bool, steps []byte) {
		b := books{kind: store.Purchase, keep: keep}
		for i := 0; i+1 < min(len(steps), 200); i += 2 {
			b.step(t, hold, steps[i], int(steps[i+1]))
			b.check(t)
		}
	})
}

const whole = 100

// books are the amounts of a payment of 100, and the follow-ups under way.
type books struct {
	kind                           store.Kind
	status                         store.Status
	keep                           bool
	authorized, captured, refunded int
	voided, reversed               int
	alone                          *running
	refunds                        []running
}

type running struct {
	op     store.Operation
	amount int
}

// step begins a follow-up, or ends the oldest or newest one under way.
func (b *books) step(t *testing.T, hold bool, what byte, n int) {
	switch what %= 5; {
	case b.status == store.New:
		op := store.OpSale
		if hold {
			op = store.OpAuth
		}
		b.begin(t, running{op, whole})
		b.end(t, &running{op, whole}, Approved)
	case what == 3 && b.alone != nil:
		r := b.alone
		b.alone = nil
		b.end(t, r, []Event{Approved, Refused}[n%2])
	case what == 3 && len(b.refunds) > 0:
		r := b.refunds[0]
		b.refunds = b.refunds[1:]
		b.end(t, &r, []Event{Approved, Refused}[n%2])
	case what < 3 || what == 4:
		ask := []Request{Capture, Capture, CreditVoid, "", Void}[what]
		if op, ok := Follow(b.kind, b.status, ask); ok {
			b.begin(t, running{op, 1 + n%whole})
		}
	}
}

// begin makes the checks of the kernel before it commits an intent.
func (b *books) begin(t *testing.T, r running) {
	reserved := 0
	for _, other := range b.refunds {
		reserved += other.amount
	}
	left := b.captured - b.refunded - reserved
	switch r.op {
	case store.OpRefund:
		if b.alone != nil || r.amount > left {
			return
		}
		b.refunds = append(b.refunds, r)
	case store.OpVoid, store.OpReversal, store.OpCapture:
		if b.alone != nil || len(b.refunds) > 0 || r.op == store.OpVoid && b.refunded > 0 {
			return
		}
		if r.op != store.OpCapture {
			r.amount = b.authorized
		}
		b.alone = &r
	}
	row, ok := Next(Key{b.kind, b.status, r.op, Start, Always})
	require.True(t, ok, "%s may be asked of %s and does not begin", r.op, b.status)
	if b.status != store.New {
		require.Equal(t, b.status, row.To, "nothing has happened yet")
	}
	b.status = row.To
}

func (b *books) end(t *testing.T, r *running, event Event) {
	guard := Always
	if r.op == store.OpRefund && b.keep && b.refunded+r.amount < b.captured {
		guard = Kept
	}
	from := b.status
	row, ok := Next(Key{b.kind, from, r.op, event, guard})
	require.True(t, ok, "%s %s of %s has no row", r.op, event, from)
	b.status = row.To
	if event != Approved {
		require.Equal(t, from, row.To, "a refused request has changed nothing")
		return
	}
	switch r.op {
	case store.OpSale:
		b.authorized, b.captured = r.amount, r.amount
	case store.OpAuth:
		b.authorized = r.amount
	case store.OpCapture:
		b.captured = r.amount
	case store.OpRefund:
		b.refunded += r.amount
		require.Equal(t, b.keep && b.refunded < b.captured, row.To == store.Settled)
	case store.OpVoid:
		b.voided = r.amount
	case store.OpReversal:
		b.reversed = r.amount
	}
}

func (b *books) check(t *testing.T) {
	require.LessOrEqual(t, b.captured, b.authorized)
	require.LessOrEqual(t, b.refunded, b.captured)
	require.True(t, b.voided == 0 || b.refunded == 0, "voided and refunded")
	require.True(t, b.reversed == 0 || b.reversed == b.authorized && b.captured == 0, "a reversal is of all that is held")
	require.Equal(t, b.voided > 0, b.status == store.Voided)
	require.Equal(t, b.reversed > 0, b.status == store.Reversed)
	require.True(t, b.status != store.Refunded || b.refunded > 0)
}
