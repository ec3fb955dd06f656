package vcard

import (
	"fmt"
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

// Next queues outcomes for the next calls of Perform, of any payment.
func (c *Connector) Next(outcomes ...Outcome) { c.Script(Script{Outcomes: outcomes}) }

// On queues outcomes for the next calls of Perform with this idempotency key, transaction id, payment
// id or order number.
func (c *Connector) On(id string, outcomes ...Outcome) {
	c.Script(Script{For: id, Outcomes: outcomes})
}

// Script queues outcomes. It panics when more than MaxScripted are queued: a test has to use what it queues.
func (c *Connector) Script(s Script) {
	c.scripts.mu.Lock()
	defer c.scripts.mu.Unlock()
	if c.scripts.size+len(s.Outcomes) > MaxScripted {
		panic(fmt.Sprintf("vcard: more than %d outcomes are scripted", MaxScripted))
	}
	s.Outcomes = slices.Clone(s.Outcomes)
	if len(s.Outcomes) > 0 {
		c.scripts.queue = append(c.scripts.queue, s)
		c.scripts.size += len(s.Outcomes)
	}
}

// Scripted returns how many outcomes are still queued.
func (c *Connector) Scripted() int {
	c.scripts.mu.Lock()
	defer c.scripts.mu.Unlock()
	return c.scripts.size
}

// ClearScripts drops what is queued.
func (c *Connector) ClearScripts() {
	c.scripts.mu.Lock()
	defer c.scripts.mu.Unlock()
	c.scripts.queue, c.scripts.size = nil, 0
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
