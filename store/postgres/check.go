package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// checks answers those who have read from memory alone and want to know whether it is there: one statement, which sees
// one snapshot as it is. A caller who comes when none is under way asks on its own goroutine. Others wait, and have the
// next one together. It begins after they came, when the one before has ended or takes long (countedFor).
type checks struct {
	hub *snapshots

	mu       sync.Mutex
	underWay int
	waiting  []*question
	slow     *time.Timer // ends the wait for a round that takes long
}

// ask implements source. The context of the question ends the wait.
func (c *checks) ask(q *question) error {
	c.mu.Lock()
	if c.underWay == 0 {
		c.underWay++
		c.mu.Unlock()
		c.round([]*question{q})
		return q.err
	}
	q.answer = make(chan struct{})
	if c.waiting = append(c.waiting, q); len(c.waiting) == 1 {
		c.slow = time.AfterFunc(countedFor, c.next)
	}
	c.mu.Unlock()
	return c.hub.patient.await(q)
}

// round asks the server, and begins the next round then.
func (c *checks) round(asked []*question) {
	defer c.end()
	err := c.send(asked)
	for _, q := range asked {
		q.err = err
		if q.answer != nil {
			close(q.answer)
		}
	}
}

func (c *checks) end() {
	c.mu.Lock()
	c.underWay--
	c.mu.Unlock()
	c.next()
}

// next begins a round for those who wait. They have waited for the one before, or for so long that it no longer counts.
func (c *checks) next() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if asked := c.waiting; asked != nil {
		c.slow.Stop()
		c.waiting = nil
		c.underWay++
		go c.round(asked)
	}
}

// send is one trip to the server. It is cancelled when each who asks has gone, and when the patience is over.
func (c *checks) send(asked []*question) error {
	ctx, cancel := c.hub.patient.cancelable()
	defer cancel()
	contexts := make([]context.Context, len(asked))
	for i, q := range asked {
		contexts[i] = q.ctx
	}
	defer allGone(contexts, cancel)()
	conn, err := c.hub.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	c.hub.rounds.Add(1)
	batch := &pgx.Batch{}
	queue(batch, c.hub.schema, asked, c.hub.recent.learn)
	return c.hub.send(ctx, conn.Conn(), batch)
}
