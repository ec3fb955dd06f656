package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// lane commits one group after the other. Its row in the table of lanes has the number of the last one, written by
// the commit itself. When the answer to a commit is lost, settle takes the turn and reads the number. If it was not
// reached, settle takes it, so that a commit that is still on its way to the server does nothing when it gets there.
type lane struct {
	pool     *pgxpool.Pool
	schema   string
	patience time.Duration
	patient  *patient

	id      uuid.UUID     // Nil until it has a row
	number  int64         // of the last group that was committed or given up
	settled chan struct{} // closed when the last find has settled; until then the lane is its
}

func (s *Store) newLane() *lane {
	return &lane{pool: s.writing, schema: s.cfg.Schema, patience: s.cfg.Patience, patient: s.patient}
}

// verdict is how a group ended: who of its members did not stand.
type verdict []int32

// send carries a group out on a connection: by a function of the schema, or by a transaction that ends with one.
type send func(ctx context.Context, conn *pgx.Conn, lane uuid.UUID, number int64) (verdict, error)

// commit sends a group of so many members until its outcome is known, for as long as the lane has patience. The context
// ends the wait before something is sent. An error means that nothing was committed, unless it is ErrUnknownCommit.
func (l *lane) commit(ctx context.Context, members int, send send) (verdict, error) {
	return l.commitFor(ctx, context.WithoutCancel(ctx), members, send)
}

// commitFor is commit with a second context, which ends the wait for what was sent. If it can end, find is left behind.
func (l *lane) commitFor(ctx, after context.Context, members int, send send) (verdict, error) {
	until := time.Now().Add(l.patience)
	bad, err := l.attempt(ctx, after, members, send)
	if err != nil {
		return l.pursue(ctx, after, until, members, send, err)
	}
	return bad, nil
}

// pursue goes on after a first attempt that has failed with err.
func (l *lane) pursue(ctx, after context.Context, until time.Time, members int, send send, err error) (
	bad verdict, _ error,
) {
	before, cancel := lastly(ctx, until, l.patience)
	defer cancel()
	sent, cancelSent := lastly(after, until, l.patience)
	defer cancelSent()
	for attempt := 0; err != nil; attempt++ {
		switch fateOf(err) {
		case refused:
			return nil, err
		case lost:
			bad, committed, fault := l.find(after, until)
			if fault != nil {
				return nil, unknown(fmt.Errorf("%w, and then: %w", err, fault))
			}
			if committed {
				return bad, nil
			}
		}
		if time.Now().After(until) || !pause(ctx, attempt) {
			return nil, err
		}
		bad, err = l.attempt(before, sent, members, send)
	}
	return bad, nil
}

// unsent is an error before anything was sent.
type unsent struct{ error }

func (e unsent) Unwrap() error { return e.error }

// attempt sends a group once. One context ends the wait before it is sent, the other one the wait for the answer.
func (l *lane) attempt(before, after context.Context, members int, send send) (verdict, error) {
	within, cancel := l.patient.within(before)
	defer cancel()
	conn, err := l.pool.Acquire(within)
	if err != nil {
		return nil, unsent{fmt.Errorf("postgres: connect to write: %w", named(within, err))}
	}
	defer conn.Release()
	if err := l.begin(before, conn.Conn()); err != nil {
		return nil, unsent{err}
	}
	within, cancelSend := l.patient.within(after)
	defer cancelSend()
	bad, err := send(within, conn.Conn(), l.id, l.number+1)
	if err == nil {
		err = replicated(conn.Conn())
	}
	switch {
	case err == nil && len(bad) < members:
		l.number++
	case err == nil: // a group of which nothing stands takes no number
	case isCode(err, codeLane):
		l.id = uuid.Nil // its row is gone
	case fateOf(err) == lost, isImpatience(err):
		l.pool.Reset()
	}
	if err != nil {
		return nil, fmt.Errorf("postgres: commit: %w", withStandbys(l.pool, named(within, err)))
	}
	return bad, nil
}

// withStandbys adds to an error of one who lost patience the standbys for which a commit may have waited: their own, or
// that of another who has the turn.
func withStandbys(pool *pgxpool.Pool, err error) error {
	if !isImpatience(err) {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var standbys string
	if pool.QueryRow(ctx, "show synchronous_standby_names").Scan(&standbys) != nil || standbys == "" {
		return err
	}
	return fmt.Errorf("%w (a commit may wait for synchronous_standby_names = %s)", err, standbys)
}

// begin gives the lane its row.
func (l *lane) begin(ctx context.Context, conn *pgx.Conn) error {
	if l.id != uuid.Nil {
		return nil
	}
	ctx, cancel := l.patient.within(ctx)
	defer cancel()
	id := uuid.New()
	_, err := conn.Exec(ctx, "insert into "+l.schema+".lanes (id, number) values ($1, 0)", id)
	if err != nil {
		return fmt.Errorf("postgres: open a lane: %w", withStandbys(l.pool, named(ctx, err)))
	}
	l.id, l.number = id, 0
	return nil
}

// outcome is what settle has found out.
type outcome struct {
	bad       verdict
	committed bool
	err       error
}

// find settles. When after ends first, it returns an error; settle goes on until settled is closed.
func (l *lane) find(after context.Context, until time.Time) (bad verdict, committed bool, err error) {
	if after.Done() == nil {
		return l.settle(until)
	}
	found, settled := make(chan outcome, 1), make(chan struct{})
	l.settled = settled
	go func() {
		defer close(settled)
		bad, committed, err := l.settle(until)
		found <- outcome{bad, committed, err}
	}()
	select {
	case o := <-found:
		<-settled
		return o.bad, o.committed, o.err
	case <-after.Done():
		return nil, false, after.Err()
	}
}

// free calls done: at once, or after a find that was left behind has settled.
func (l *lane) free(done func()) {
	settled := l.settled
	select {
	case <-settled:
	default:
		if settled != nil {
			go func() { <-settled; done() }()
			return
		}
	}
	done()
}

// settle finds out how the number after the last one ended. It is not cancelled with a caller: until it has an answer
// the lane cannot go on.
func (l *lane) settle(until time.Time) (bad verdict, committed bool, err error) {
	ctx, cancel := context.WithDeadline(context.Background(), until.Add(l.patience))
	defer cancel()
	for attempt := 0; ; attempt++ {
		err := l.askSettle(ctx, &bad)
		if err == nil {
			l.number++
			return bad, bad != nil, nil
		}
		l.pool.Reset()
		if fateOf(err) == refused || !pause(ctx, attempt) {
			l.id = uuid.Nil // the number may be taken
			return nil, false, err
		}
	}
}

// forgetLanes removes the rows of the store's lanes, and of those that were not seen for a month.
func (s *Store) forgetLanes() {
	s.alone.turn <- struct{}{} // for good: a caller may have left before its commit was settled
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	forget := "delete from " + s.cfg.Schema + ".lanes where id = any($1) or seen < now() - interval '30 days'"
	_, _ = s.writing.Exec(ctx, forget,
		[]uuid.UUID{s.groups.lane.id, s.alone.lane.id}) // left rows do no harm
}

// tryTurn refuses a server where the turn of one session does not exclude another, as behind a pooler that leads to
// several servers. It waits for those who have the turn, such as an instance that was killed while it had it.
func (c Config) tryTurn(ctx context.Context, one, other *pgx.Conn) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Patience+c.Statement, impatience(c.Patience))
	defer cancel()
	for attempt := 0; ; attempt++ {
		err := c.excludes(ctx, one, other)
		switch {
		case err == nil || errors.Is(err, ErrRefused):
			return err
		case fateOf(err) == refused:
			return errors.Join(ErrRefused, fmt.Errorf("postgres: try the turn: %w", err))
		case fateOf(err) == lost || !pause(ctx, attempt):
			return fmt.Errorf("postgres: try the turn: %w", named(ctx, err))
		}
	}
}

// excludes takes the turn in one session, and refuses a server where another one can take it too.
func (c Config) excludes(ctx context.Context, one, other *pgx.Conn) error {
	holder, err := one.Begin(ctx)
	if err != nil {
		return err
	}
	defer holder.Rollback(ctx) //nolint:errcheck // of a transaction that wrote nothing
	var free bool
	_, err = holder.Exec(ctx, "select "+c.Schema+".turn()")
	if err == nil {
		err = other.QueryRow(ctx, "select pg_try_advisory_xact_lock($1, hashtext($2))", turnLock, c.Schema).Scan(&free)
	}
	switch {
	case err != nil:
		return err
	case free:
		return refuse("two sessions hold the same advisory lock; connect to one PostgreSQL, without a pooler in between")
	}
	return nil
}

// turnLock is the first number of the turn's lock; it is in the migrations too.
const turnLock = 1953460327
