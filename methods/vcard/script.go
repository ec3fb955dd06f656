package vcard

import (
	"slices"
	"sync"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Call is the kind of call that a script applies to.
type Call string

// The calls. The zero value is Perform.
const (
	CallPerform  Call = ""
	CallFind     Call = "find"
	CallComplete Call = "complete"
)

// MaxScripted is how many outcomes may be queued at a time.
const MaxScripted = 10_000

// Script queues outcomes for later calls, one per call, in order.
type Script struct {
	Call Call
	// For names the calls: an idempotency key, transaction id, payment id or order number. Empty means every call.
	// Scripts with a name come before scripts without one.
	For string
	// Operation restricts to one kind of operation; empty for all.
	Operation store.Operation
	Outcomes  []Outcome
}

// scripts are in memory only: a fault belongs to a test, and its result is in the ledger.
type scripts struct {
	mu    sync.Mutex
	queue []Script
	size  int
}

// take uses up the outcome for one call.
func (s *scripts) take(call Call, op methods.Operation) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.queue, func(q Script) bool { return q.For != "" && q.meant(call, op) })
	if i < 0 {
		i = slices.IndexFunc(s.queue, func(q Script) bool { return q.For == "" && q.meant(call, op) })
	}
	if i < 0 {
		return Normal()
	}
	q := &s.queue[i]
	o := q.Outcomes[0]
	q.Outcomes = q.Outcomes[1:]
	s.size--
	if len(q.Outcomes) == 0 {
		s.queue = slices.Delete(s.queue, i, i+1)
	}
	return o
}

func (s Script) meant(call Call, op methods.Operation) bool {
	return s.Call == call && (s.Operation == "" || s.Operation == op.Kind) &&
		(s.For == "" || slices.Contains([]string{op.Key, op.TransactionID, op.PaymentID, op.Order.Number}, s.For))
}
