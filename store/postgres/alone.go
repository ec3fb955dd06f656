package postgres

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/tollgatepay/gateway/store"
)

// alone runs transactions that lost against others, one after the other: each takes the turn first, reads, and writes
// before it lets go. Nothing changes in between. The server ends a turn whose holder is silent.
type alone struct {
	lane *lane
	turn chan struct{} // holds a token while one runs; the lane is theirs
}

// silence is how long the server lets a holder of the turn be silent, in milliseconds.
const silence = "5000"

// runAlone runs fn in a turn of its own, on the calling goroutine.
func (s *Store) runAlone(ctx context.Context, fn func(store.Tx) error) error {
	if err := s.alone.enter(ctx, s.patient); err != nil {
		return err
	}
	defer s.alone.lane.free(func() { <-s.alone.turn })
	s.counts.alone.Add(1)
	a := &turned{store: s, ctx: ctx, fn: fn}
	after, cancel := lingering(ctx)
	defer cancel()
	_, err := s.alone.lane.commitFor(ctx, after, 1, a.send)
	if a.over { // fn has ended it, with its own error or without
		return a.own
	}
	if err != nil && ctx.Err() != nil && !isUnknown(err) {
		return ctx.Err()
	}
	return err
}

// enter waits until no other transaction of the instance is alone, as long as the caller's context and the patience
// last.
func (a *alone) enter(ctx context.Context, p *patient) error {
	within, cancel := p.within(ctx)
	defer cancel()
	select {
	case a.turn <- struct{}{}:
		return nil
	case <-within.Done():
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("postgres: wait to be alone: %w", named(within, within.Err()))
	}
}

// turned is a transaction in a turn of its own.
type turned struct {
	store *Store
	ctx   context.Context
	fn    func(store.Tx) error
	over  bool // fn wrote nothing
	own   error
}

// send runs fn inside the turn and commits what it wrote. Until the commit is sent the caller's context ends the wait.
func (a *turned) send(ctx context.Context, conn *pgx.Conn, lane uuid.UUID, number int64) (bad verdict, err error) {
	a.over = false
	ended := false
	defer func() {
		if !ended { // also when fn panics
			a.store.patient.drop(conn)
		}
	}()
	before, cancel := either(a.ctx, ctx)
	defer cancel()
	if err := a.begin(before, conn); err != nil {
		return nil, unsent{fmt.Errorf("postgres: take the turn: %w", err)}
	}
	t := &tx{reader: reader{ctx: a.ctx, from: &inTurn{before, conn, a.store}}}
	err = t.run(func() error { return a.fn(t) }, func(err error) bool { return err != nil })
	switch {
	case t.fault != nil:
		return nil, unsent{t.fault}
	case err == nil:
		err = a.ctx.Err()
	}
	if err != nil || len(t.own) == 0 {
		a.over, a.own, ended = true, err, rollBack(ctx, conn)
		return verdict{0}, nil
	}
	p := &payload{members: 1}
	p.write(0, t)
	bad, err = p.sendLast(ctx, conn, a.store.cfg.Schema, lane, number)
	if ended = err == nil; ended {
		a.store.recent.wrote(t.own)
	}
	return bad, err
}

// begin takes the turn.
func (a *turned) begin(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := a.store.patient.within(ctx)
	defer cancel()
	_, err := conn.Exec(ctx, "begin isolation level read committed; set local idle_in_transaction_session_timeout = "+
		silence+"; select "+a.store.cfg.Schema+".turn()")
	return named(ctx, err)
}

// rollBack reports whether the connection may be used again.
func rollBack(ctx context.Context, conn *pgx.Conn) bool {
	_, err := conn.Exec(ctx, "rollback")
	return err == nil
}

// inTurn answers from a connection that has the turn, until a context ends.
type inTurn struct {
	ctx   context.Context
	conn  *pgx.Conn
	store *Store
}

// ask implements source.
func (i *inTurn) ask(q *question) error {
	batch := &pgx.Batch{}
	queue(batch, i.store.cfg.Schema, []*question{q}, i.store.recent.learn)
	ctx, cancel := i.store.patient.within(i.ctx)
	defer cancel()
	if err := i.conn.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("postgres: read in a turn: %w", named(ctx, err))
	}
	return nil
}
