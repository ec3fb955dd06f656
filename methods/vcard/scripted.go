package vcard

import (
	"fmt"
	"slices"
)

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
