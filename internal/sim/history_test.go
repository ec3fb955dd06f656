package sim

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// cell is a call on a register: a write, or a read of its value.
type cell struct {
	write bool
	value int
}

func register(value int, c cell) (int, bool) {
	if c.write {
		return c.value, true
	}
	return value, c.value == value
}

func at(began, done int, op cell) *call[cell] { return &call[cell]{op: op, began: began, done: done} }

func TestLinearizable(t *testing.T) {
	t.Parallel()
	write, read := func(n int) cell { return cell{true, n} }, func(n int) cell { return cell{false, n} }
	for _, test := range []struct {
		name  string
		calls []*call[cell]
		want  bool
	}{
		{"nothing", nil, true},
		{"one after another", []*call[cell]{at(1, 2, write(1)), at(3, 4, read(1))}, true},
		{"a stale read", []*call[cell]{at(1, 2, write(1)), at(3, 4, read(0))}, false},
		{"a read that overlaps a write sees the old", []*call[cell]{at(1, 4, write(1)), at(2, 3, read(0))}, true},
		{"or the new", []*call[cell]{at(1, 4, write(1)), at(2, 3, read(1))}, true},
		{"but not the new and then the old", []*call[cell]{at(1, 6, write(1)), at(2, 3, read(1)), at(4, 5, read(0))}, false},
		{"two writes, in the order of the reads", []*call[cell]{at(1, 8, write(1)), at(2, 7, write(2)), at(3, 4, read(2)), at(5, 6, read(1))}, true},
		{"two readers disagree", []*call[cell]{at(1, 12, write(1)), at(2, 11, write(2)), at(3, 4, read(1)), at(5, 6, read(2)), at(7, 8, read(1))}, false},
		{"without an answer: it happened", []*call[cell]{at(1, 0, write(1)), at(2, 3, read(1))}, true},
		{"without an answer: it did not", []*call[cell]{at(1, 0, write(1)), at(2, 3, read(0))}, true},
		{"without an answer: it happens late", []*call[cell]{at(1, 0, write(1)), at(2, 3, read(0)), at(4, 5, read(1))}, true},
		{"but once only", []*call[cell]{at(1, 0, write(1)), at(2, 3, write(2)), at(4, 5, read(1)), at(6, 7, write(2)), at(8, 9, read(1))}, false},
		{"or twice, when it was called twice", []*call[cell]{at(1, 0, write(1)), at(2, 0, write(1)), at(3, 4, read(1)), at(5, 6, write(2)), at(7, 8, read(1))}, true},
		{"and not before it began", []*call[cell]{at(1, 2, read(1)), at(3, 0, write(1))}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, linearizable(0, test.calls, register))
		})
	}
}

// TestLinearizableAtRandom checks that any history of a working register is explained, and none in which one read
// returns a value that was never written.
func TestLinearizableAtRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(share(300)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		h, reads := workingRegister(rng)
		require.True(t, linearizable(0, h.calls, register), "seed %d", seed)
		if len(reads) > 0 {
			reads[rng.IntN(len(reads))].op.value = -1
			require.False(t, linearizable(0, h.calls, register), "seed %d", seed)
		}
	}
}

// workingRegister simulates callers of a register: each call takes effect at one moment between its beginning and
// its end, and some calls never end.
func workingRegister(rng *rand.Rand) (h history[cell], reads []*call[cell]) {
	value := 0
	var begun, done []*call[cell]
	take := func(list *[]*call[cell]) *call[cell] {
		i := rng.IntN(len(*list))
		c := (*list)[i]
		*list = append((*list)[:i], (*list)[i+1:]...)
		return c
	}
	for len(h.calls) < maxCalls {
		switch kind := rng.IntN(3); {
		case kind == 0 && len(begun)+len(done) < 6 || len(begun)+len(done) == 0:
			begun = append(begun, h.invoke(cell{write: rng.IntN(2) == 0, value: rng.IntN(5)}))
		case kind == 1 && len(begun) > 0:
			c := take(&begun)
			if c.op.write {
				value = c.op.value
			}
			c.op.value = value
			done = append(done, c)
		case len(done) > 0:
			c := take(&done)
			if rng.IntN(8) == 0 {
				continue // no answer
			}
			if h.respond(c, c.op); !c.op.write {
				reads = append(reads, c)
			}
		}
	}
	return h, reads
}

func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	var h hostedHistory
	h.start.amount = "1.00"
	for range maxCalls {
		h.invoke(sessionCall{amount: "2.00"})
	}
	wrong := h.calls[0]
	h.respond(wrong, sessionCall{pays: true, amount: "3.00", ending: accepted})
	require.False(t, h.explained())
	h.invoke(sessionCall{amount: "3.00"}) // it would explain the rest, but is beyond the bound
	require.Len(t, h.calls, maxCalls)
	require.True(t, h.explained())
}

func TestHostedHistory(t *testing.T) {
	t.Parallel()
	charged := func(amount string) *gateway.Result {
		return &gateway.Result{Payment: store.Payment{Order: store.Order{Amount: amount}}}
	}
	for _, test := range []struct {
		name string
		play func(h *hostedHistory)
		want bool
	}{
		{"the last update that was accepted is charged", func(h *hostedHistory) {
			h.updated(h.invoke(sessionCall{amount: "2.00"}), nil)
			h.paid(h.invoke(sessionCall{pays: true}), charged("2.00"), nil)
			h.updated(h.invoke(sessionCall{amount: "3.00"}), gateway.ErrNoUpdate)
		}, true},
		{"an earlier one is not", func(h *hostedHistory) {
			h.updated(h.invoke(sessionCall{amount: "2.00"}), nil)
			h.paid(h.invoke(sessionCall{pays: true}), charged("1.00"), nil)
		}, false},
		{"unless they overlap", func(h *hostedHistory) {
			pay := h.invoke(sessionCall{pays: true})
			update := h.invoke(sessionCall{amount: "2.00"})
			h.paid(pay, charged("2.00"), nil)
			h.updated(update, nil)
		}, true},
		{"an update that overlaps and comes second is refused", func(h *hostedHistory) {
			pay := h.invoke(sessionCall{pays: true})
			update := h.invoke(sessionCall{amount: "2.00"})
			h.paid(pay, charged("1.00"), nil)
			h.updated(update, nil)
		}, false},
		{"an update is refused for nothing", func(h *hostedHistory) {
			h.updated(h.invoke(sessionCall{amount: "2.00"}), gateway.ErrNoUpdate)
		}, false},
		{"or for a payment without an answer", func(h *hostedHistory) {
			h.paid(h.invoke(sessionCall{pays: true}), nil, context.Canceled)
			h.updated(h.invoke(sessionCall{amount: "2.00"}), gateway.ErrNoUpdate)
		}, true},
		{"an update without an answer is charged", func(h *hostedHistory) {
			h.updated(h.invoke(sessionCall{amount: "2.00"}), errors.New("the store is away"))
			h.paid(h.invoke(sessionCall{pays: true}), charged("2.00"), nil)
		}, true},
		{"one that was refused for its form is not", func(h *hostedHistory) {
			h.updated(h.invoke(sessionCall{amount: "2.00"}), gateway.ErrInvalid)
			h.paid(h.invoke(sessionCall{pays: true}), charged("2.00"), nil)
		}, false},
		{"a session is over only when it was paid", func(h *hostedHistory) {
			h.paid(h.invoke(sessionCall{pays: true}), nil, gateway.ErrSessionOver)
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := &hostedHistory{start: sessionState{amount: "1.00"}}
			test.play(h)
			require.Equal(t, test.want, h.explained(), h)
		})
	}
}

func TestMoneyHistory(t *testing.T) {
	t.Parallel()
	became := func(operation store.Operation, amount string, outcome store.Outcome) *gateway.Result {
		a, err := store.ParseAmount(amount)
		require.NoError(t, err)
		return &gateway.Result{Transaction: store.Transaction{Operation: operation, Amount: a, Outcome: outcome}}
	}
	sale, hold := &paymentRecord{Amount: moneyOf("10.00")}, &paymentRecord{Amount: moneyOf("10.00"), Hold: true}
	for _, test := range []struct {
		name string
		of   *paymentRecord
		play func(h *moneyHistory)
		want bool
	}{
		{"refunds up to what was captured", sale, func(h *moneyHistory) {
			h.answered(h.ask(actRefund, "6.00"), became(store.OpRefund, "6.00", store.Success), nil)
			h.answered(h.ask(actRefund, "6.00"), nil, gateway.ErrRefundAmount)
			h.answered(h.ask(actRefund, ""), became(store.OpRefund, "4.00", store.Success), nil)
		}, true},
		{"and not beyond", sale, func(h *moneyHistory) {
			h.answered(h.ask(actRefund, "6.00"), became(store.OpRefund, "6.00", store.Success), nil)
			h.answered(h.ask(actRefund, "6.00"), became(store.OpRefund, "6.00", store.Success), nil)
		}, false},
		{"a refund is refused for nothing", sale, func(h *moneyHistory) {
			h.answered(h.ask(actRefund, "6.00"), nil, gateway.ErrRefundAmount)
		}, false},
		{"or for one that runs", sale, func(h *moneyHistory) {
			one := h.ask(actRefund, "6.00")
			h.answered(h.ask(actRefund, "6.00"), nil, gateway.ErrRefundAmount)
			h.answered(one, became(store.OpRefund, "6.00", store.Fail), nil)
		}, true},
		{"or for one without an answer", sale, func(h *moneyHistory) {
			h.answered(h.ask(actRefund, ""), nil, context.Canceled)
			h.answered(h.ask(actRefund, "6.00"), nil, gateway.ErrRefundAmount)
		}, true},
		{"nothing is refunded of a hold", hold, func(h *moneyHistory) {
			h.answered(h.ask(actRefund, "6.00"), became(store.OpRefund, "6.00", store.Success), nil)
		}, false},
		{"nor more than its capture", hold, func(h *moneyHistory) {
			h.answered(h.ask(actCapture, "5.00"), became(store.OpCapture, "5.00", store.Success), nil)
			h.answered(h.ask(actRefund, "6.00"), became(store.OpRefund, "6.00", store.Success), nil)
		}, false},
		{"which may be one that was never answered", hold, func(h *moneyHistory) {
			h.answered(h.ask(actCapture, "6.00"), nil, errors.New("the store is away"))
			h.answered(h.ask(actRefund, "6.00"), became(store.OpRefund, "6.00", store.Success), nil)
		}, true},
		{"a hold is captured once", hold, func(h *moneyHistory) {
			h.answered(h.ask(actCapture, "5.00"), became(store.OpCapture, "5.00", store.Success), nil)
			h.answered(h.ask(actCapture, "5.00"), became(store.OpCapture, "5.00", store.Success), nil)
		}, false},
		{"nothing is refunded after a void", sale, func(h *moneyHistory) {
			h.answered(h.ask(actVoid, ""), became(store.OpVoid, "10.00", store.Success), nil)
			h.answered(h.ask(actRefund, "1.00"), became(store.OpRefund, "1.00", store.Success), nil)
		}, false},
		{"nor voided after a refund", sale, func(h *moneyHistory) {
			h.answered(h.ask(actRefund, "1.00"), became(store.OpRefund, "1.00", store.Success), nil)
			h.answered(h.ask(actVoid, ""), became(store.OpVoid, "10.00", store.Success), nil)
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newMoneyHistory(test.of)
			test.play(h)
			require.Equal(t, test.want, h.explained(), h)
		})
	}
}
