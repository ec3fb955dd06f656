package postgres

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/tollgatepay/gateway/store"
)

// A group takes no more members when it has so many, or so many bytes.
const (
	maxMembers = 256
	maxBytes   = 8 << 20
)

// afterwards is how long a caller whose context has ended waits for a commit that is under way.
const afterwards = 2 * time.Second

// groups gathers the transactions of one instance. While a group is committed, those who come wait for the next one.
// One that comes when none is under way is a group of its own, and its caller sends it (lead), so that no goroutine has
// to wake another. All else is done by the goroutine of run.
type groups struct {
	lane    *lane
	counts  *counts
	recent  *recent
	wake    chan struct{} // run has to go on
	running sync.WaitGroup

	mu      sync.Mutex
	busy    bool // a group is under way; who set it sends it, and then wakes run if there is more to do
	waiting []*member
	failed  *failed // a group that its caller has sent in vain
	written written // empty but while a group is taken: others reuse its memory
}

// failed is a group of one whose first attempt has failed.
type failed struct {
	m     *member
	until time.Time
	err   error
}

// newGroups starts the goroutine that commits groups.
func newGroups(s *Store) *groups {
	g := &groups{lane: s.newLane(), counts: &s.counts, recent: s.recent, wake: make(chan struct{}, 1), written: written{}}
	g.running.Go(g.run)
	return g
}

// close ends the goroutine. Members do not come any more.
func (g *groups) close() {
	close(g.wake)
	g.running.Wait()
}

// member is a transaction that has run and is to be committed.
type member struct {
	ctx    context.Context
	tx     *tx
	behind *member // wrote what this one has read

	done   chan struct{} // closed when the rest is set
	stands bool
	err    error
}

// commit makes a transaction a member of a group and returns whether it stood. After false nothing was written.
func (g *groups) commit(ctx context.Context, t *tx) (stands bool, err error) {
	m := &member{ctx: ctx, tx: t, done: make(chan struct{})}
	g.mu.Lock()
	leads := !g.busy
	if g.busy = true; !leads {
		g.waiting = append(g.waiting, m)
	}
	g.mu.Unlock()
	if leads && !g.lead(m) {
		return false, unknown(ctx.Err())
	}
	select {
	case <-m.done:
		return m.stands, m.err
	case <-ctx.Done():
		return g.giveUp(m)
	}
}

// lead sends a group of one on the goroutine of its caller. It is false when the caller has waited long enough. What
// fails is left to run, also when the caller panics.
func (g *groups) lead(m *member) (waits bool) {
	left := &failed{m: m, until: time.Now().Add(g.lane.patience), err: errLeft}
	defer func() { g.next(left) }()
	after, cancel := lingering(m.ctx)
	defer cancel()
	bad, err := g.lane.attempt(m.ctx, after, 1, sends([]*member{m}, g.lane.schema))
	if left.err = err; err == nil {
		left = nil
		g.conclude([]*member{m}, bad, nil)
	}
	return err == nil || after.Err() == nil
}

// errLeft is the error of a group whose caller went away without one. It says nothing of what became of the group.
var errLeft = errors.New("postgres: the caller of a commit went away")

// lingering returns a context that ends a little after another one.
func lingering(ctx context.Context) (after context.Context, cancel func()) {
	if ctx.Done() == nil {
		return ctx, func() {}
	}
	after, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(afterwards, end) })
	return after, func() { stop(); end() }
}

// next ends the part of a caller that led: run goes on if there is something to do.
func (g *groups) next(left *failed) {
	g.mu.Lock()
	g.failed = left
	g.busy = left != nil || len(g.waiting) > 0
	more := g.busy
	g.mu.Unlock()
	if more {
		g.wake <- struct{}{} // who is busy is one at a time, so there is room
	}
}

// giveUp ends the wait of a member whose context has ended. A commit that is under way is waited for a little.
func (g *groups) giveUp(m *member) (stands bool, err error) {
	if g.leave(m) {
		return false, m.ctx.Err()
	}
	timer := time.NewTimer(afterwards)
	defer timer.Stop()
	select {
	case <-m.done:
		return m.stands, m.err
	case <-timer.C:
		return false, unknown(m.ctx.Err())
	}
}

// leave takes a member out of the line; false when it is in a group already.
func (g *groups) leave(m *member) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, m)
	if i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	}
	return i >= 0
}

// run commits groups until the store is closed.
func (g *groups) run() {
	for range g.wake {
		if left := g.failed; left != nil { // of who has set busy, and has gone
			g.failed = nil
			g.carryOut([]*member{left.m}, func(ctx context.Context, send send) (verdict, error) {
				return g.lane.pursue(ctx, context.WithoutCancel(ctx), left.until, 1, send, left.err)
			})
		}
		for {
			members, behind := g.take()
			if members == nil {
				break
			}
			g.carryOut(members, func(ctx context.Context, send send) (verdict, error) {
				return g.lane.commit(ctx, len(members), send)
			})
			for _, m := range behind {
				if m.behind.stands && g.leave(m) {
					m.answer(false, nil)
				}
				m.behind = nil
			}
		}
	}
}

// take returns the next group, and those who cannot be in it because they read what a member writes. Without members
// none is under way any more.
func (g *groups) take() (members, behind []*member) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy = len(g.waiting) > 0
	written, bytes := g.written, 0
	defer g.forget()
	g.waiting = slices.DeleteFunc(g.waiting, func(m *member) bool {
		if len(members) >= maxMembers || bytes >= maxBytes {
			return false
		}
		if m.behind = written.before(m.tx); m.behind != nil {
			behind = append(behind, m)
			return false
		}
		if written.overlaps(m.tx) {
			return false
		}
		written.add(m)
		members, bytes = append(members, m), bytes+m.tx.size()
		return true
	})
	return members, behind
}

// keptKeys is the most keys of a group whose memory another one gets.
const keptKeys = 8 * maxMembers

// forget empties written.
func (g *groups) forget() {
	if len(g.written) > keptKeys {
		g.written = written{}
	}
	clear(g.written)
}

// carryOut commits a group and tells its members.
func (g *groups) carryOut(members []*member, commit func(context.Context, send) (verdict, error)) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	contexts := make([]context.Context, len(members))
	for i, m := range members {
		contexts[i] = m.ctx
	}
	defer allGone(contexts, cancel)()
	bad, err := commit(ctx, sends(members, g.lane.schema))
	g.conclude(members, bad, err)
}

// sends returns what carries a group out: in most groups all members stand.
func sends(members []*member, schema string) send {
	return func(ctx context.Context, conn *pgx.Conn, lane uuid.UUID, number int64) (verdict, error) {
		switch all, err := wholeOf(members).send(ctx, conn, schema, lane, number); {
		case err != nil:
			return nil, err
		case all:
			return verdict{}, nil
		}
		return payloadOf(members).send(ctx, conn, schema, lane, number)
	}
}

// conclude tells the members of a group how it ended.
func (g *groups) conclude(members []*member, bad verdict, err error) {
	if err == nil && len(bad) < len(members) {
		g.counts.groups.Add(1)
		g.counts.members.Add(int64(len(members) - len(bad)))
	}
	for i, m := range members {
		switch {
		case err == nil && !slices.Contains(bad, int32(i)):
			g.recent.wrote(m.tx.own)
			m.answer(true, nil)
		case err == nil:
			m.answer(false, nil)
		case m.ctx.Err() != nil && !isUnknown(err):
			m.answer(false, m.ctx.Err())
		default:
			m.answer(false, err)
		}
	}
}

func (m *member) answer(stands bool, err error) {
	m.stands, m.err = stands, err
	close(m.done)
}

// written is the keys that the members of a group write, and by whom.
type written map[string]*member

func (w written) add(m *member) {
	for _, pair := range m.tx.own {
		w[pair.Key()] = m
	}
}

// before returns a member that writes what a transaction has read, or nil.
func (w written) before(t *tx) *member {
	for key := range t.pairs {
		if m := w[key]; m != nil {
			return m
		}
	}
	for _, s := range t.scanned {
		if m := w.within(string(s.low), string(s.high)); m != nil {
			return m
		}
	}
	return nil
}

// within returns a member that writes a key from low and before high, or nil. It looks at all: most transactions scan
// nothing, so that keys in order would cost more than they save.
func (w written) within(low, high string) *member {
	for key, m := range w {
		if low <= key && key < high {
			return m
		}
	}
	return nil
}

// overlaps reports whether a transaction writes what a member writes.
func (w written) overlaps(t *tx) bool {
	return slices.ContainsFunc(t.own, func(pair store.Pair) bool { return w[pair.Key()] != nil })
}
