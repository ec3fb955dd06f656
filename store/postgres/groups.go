package postgres

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// afterwards is how long a caller whose context has ended waits for a commit that is under way.
const afterwards = 2 * time.Second

// groups gathers the transactions of one instance. While a group is committed, those who come gather in the next one,
// which is sent as soon as that has ended. One that comes when none is under way is a group of its own, and its caller
// sends it (lead), so that no goroutine has to wake another. All other groups are sent by the goroutine of run. While
// another one is sent, the goroutine of tell tells the members of the one before how it ended.
type groups struct {
	lane    *lane
	counts  *counts
	recent  *recent
	wake    chan struct{} // run has to go on
	ended   chan *group   // from run to tell
	running sync.WaitGroup

	mu      sync.Mutex
	busy    bool      // a group is under way; who set it sends it, and then wakes run if there is more to do
	next    *group    // gathers
	sent    []*group  // were taken by run, and their members were not told yet
	waiting []*member // in none of these
	spare   *group    // was told, and its memory is the next one's
	failed  *failed   // a group that its caller has sent in vain
}

// failed is a group of one whose first attempt has failed.
type failed struct {
	m     *member
	until time.Time
	err   error
}

// newGroups starts the goroutines that commit groups.
func newGroups(s *Store) *groups {
	g := &groups{
		lane: s.newLane(), counts: &s.counts, recent: s.recent, wake: make(chan struct{}, 1), ended: make(chan *group, 1),
		next: newGroup(),
	}
	g.running.Go(g.run)
	g.running.Go(g.tell)
	return g
}

// close ends the goroutines. Members do not come any more.
func (g *groups) close() {
	close(g.wake)
	g.running.Wait()
}

// commit makes a transaction a member of a group and returns whether it stood. After false nothing was written.
func (g *groups) commit(ctx context.Context, t *tx) (stands bool, err error) {
	m := &t.member
	*m = member{ctx: ctx, tx: t, done: make(chan struct{})}
	g.mu.Lock()
	leads := !g.busy
	if g.busy = true; !leads {
		g.join(m)
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

// join puts a member into the group that gathers, if it may be there.
func (g *groups) join(m *member) {
	if m.behind = g.before(m.tx); m.behind != nil || !g.next.takes(m.tx) {
		g.waiting = append(g.waiting, m)
		return
	}
	g.next.add(m)
}

// before returns a member that was not told yet how it ended and writes what a transaction has read, or nil.
func (g *groups) before(t *tx) *member {
	for _, sent := range g.sent {
		if m := sent.before(t); m != nil {
			return m
		}
	}
	return g.next.before(t)
}

// joinAgain has those who wait join, in the order in which they came, until there is no more room. The rest is far
// behind. Its list is kept in the memory of the one it is given.
func (g *groups) joinAgain(waiting []*member) {
	g.waiting = waiting[:0]
	for i, m := range waiting {
		if g.next.full() {
			for _, rest := range waiting[i:] {
				rest.far, rest.behind = true, nil
			}
			g.waiting = append(g.waiting, waiting[i:]...)
			break
		}
		if m.far && g.recent.outdates(&m.tx.pairs) {
			m.answer(false, nil)
			continue
		}
		m.far = false
		g.join(m)
	}
	clear(waiting[len(g.waiting):])
}

// lead sends a group of one on the goroutine of its caller. It is false when the caller has waited long enough. What
// fails is left to run, which goes on with it. So is the group of a caller that panics: it may be committed.
func (g *groups) lead(m *member) (waits bool) {
	left := &failed{m: m, until: time.Now().Add(g.lane.patience), err: errLeft}
	defer func() { g.hand(left) }()
	after, cancel := lingering(m.ctx)
	defer cancel()
	bad, err := g.lane.attempt(m.ctx, after, 1, g.sends([]*member{m}, wholeOf(m.tx)))
	if left.err = err; err == nil {
		left = nil
		g.conclude(&group{members: []*member{m}, bad: bad})
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

// hand ends the part of a caller that led: run goes on if there is something to do.
func (g *groups) hand(left *failed) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failed = left
	g.busy = false
	g.goOn()
}

// goOn has run go on if there is something to do and no one does it.
func (g *groups) goOn() {
	if !g.busy && (g.failed != nil || len(g.next.members) > 0) {
		g.busy = true
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

// leave takes a member out of the line; false when it is in a group that was sent.
func (g *groups) leave(m *member) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.waiting, m); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
		return true
	}
	if !slices.Contains(g.next.members, m) {
		return false
	}
	m.left, g.next.left = true, true
	return true
}

// without makes the next group anew, without those who have left.
func (g *groups) without() {
	stay := slices.DeleteFunc(g.next.members, func(m *member) bool { return m.left })
	g.next = newGroup()
	g.joinAgain(slices.Concat(stay, g.waiting))
}

// run commits groups until the store is closed.
func (g *groups) run() {
	defer close(g.ended)
	for range g.wake {
		if left := g.failed; left != nil { // of who has set busy, and has gone
			g.failed = nil
			alone := groupOf(left.m)
			g.carryOut(alone, func(ctx context.Context, send send) (verdict, error) {
				return g.lane.pursue(ctx, context.WithoutCancel(ctx), left.until, 1, send, left.err)
			})
			g.conclude(alone)
		}
		g.runAll()
	}
}

// runAll commits groups until none has gathered.
func (g *groups) runAll() {
	for one := g.take(); one != nil; {
		g.carryOut(one, func(ctx context.Context, send send) (verdict, error) {
			return g.lane.commit(ctx, len(one.members), send)
		})
		following := g.take()
		if following == nil {
			g.release(one)
			return
		}
		g.ended <- one
		one = following
	}
}

// tell tells the members of groups how they ended.
func (g *groups) tell() {
	for one := range g.ended {
		g.release(one)
	}
}

// take returns the group that has gathered, to be sent. Without one, none is under way any more.
func (g *groups) take() *group {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next.left {
		g.without()
	}
	one := g.next
	if g.busy = len(one.members) > 0; !g.busy {
		return nil
	}
	one.sent = true
	g.sent = append(g.sent, one)
	if g.next, g.spare = g.spare, nil; g.next == nil {
		g.next = newGroup()
	}
	g.joinAgain(g.waiting)
	return one
}

// release tells the members of a group how it ended, and those who wait behind them.
func (g *groups) release(one *group) {
	g.conclude(one)
	for _, m := range g.parted(one) {
		m.answer(false, nil)
	}
}

// parted returns who waits behind a member that stands. The others may join now.
func (g *groups) parted(one *group) (lost []*member) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sent = slices.DeleteFunc(g.sent, func(sent *group) bool { return sent == one })
	waiting := slices.DeleteFunc(g.waiting, func(m *member) bool {
		if m.behind == nil || m.behind.in != one {
			return false
		}
		if m.behind.stands {
			lost = append(lost, m)
			return true
		}
		m.behind = nil
		return false
	})
	g.joinAgain(waiting)
	g.spare = one.emptied()
	g.goOn()
	return lost
}

// carryOut commits a group. How it ended is in the group then.
func (g *groups) carryOut(one *group, commit func(context.Context, send) (verdict, error)) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	contexts := make([]context.Context, len(one.members))
	for i, m := range one.members {
		contexts[i] = m.ctx
	}
	defer allGone(contexts, cancel)()
	one.bad, one.err = commit(ctx, g.sends(one.members, &one.whole))
}

// sends returns what carries members out: most often all of them stand.
func (g *groups) sends(members []*member, whole *whole) send {
	whole.guess(g.recent)
	return func(ctx context.Context, conn *pgx.Conn, lane uuid.UUID, number int64) (verdict, error) {
		switch all, err := whole.send(ctx, conn, g.lane.schema, lane, number); {
		case err != nil:
			return nil, err
		case all:
			return verdict{}, nil
		}
		bad, err := payloadOf(members).send(ctx, conn, g.lane.schema, lane, number)
		if err == nil && len(bad) == 0 {
			g.recent.overwrote(whole.guessed) // else all would have stood at once
		}
		return bad, err
	}
}

// conclude tells the members of a group how it ended.
func (g *groups) conclude(one *group) {
	members, bad, err := one.members, one.bad, one.err
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
