package postgres

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

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
type groups struct {
	lane    *lane
	counts  *counts
	recent  *recent
	wake    chan struct{} // a member has come
	running sync.WaitGroup

	mu      sync.Mutex
	waiting []*member
}

// newGroups starts the goroutine that commits groups.
func newGroups(s *Store) *groups {
	g := &groups{lane: s.newLane(), counts: &s.counts, recent: s.recent, wake: make(chan struct{}, 1)}
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
	g.waiting = append(g.waiting, m)
	g.mu.Unlock()
	select {
	case g.wake <- struct{}{}:
	default: // it is about to look
	}
	select {
	case <-m.done:
		return m.stands, m.err
	case <-ctx.Done():
		return g.giveUp(m)
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
		for {
			members, behind := g.take()
			if members == nil {
				break
			}
			g.carryOut(members)
			for _, m := range behind {
				if m.behind.stands && g.leave(m) {
					m.answer(false, nil)
				}
				m.behind = nil
			}
		}
	}
}

// take returns the next group, and those who cannot be in it because they read what a member writes.
func (g *groups) take() (members, behind []*member) {
	g.mu.Lock()
	defer g.mu.Unlock()
	written, bytes := &written{by: map[string]*member{}}, 0
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

// carryOut commits a group and tells its members.
func (g *groups) carryOut(members []*member) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	contexts := make([]context.Context, len(members))
	for i, m := range members {
		contexts[i] = m.ctx
	}
	defer allGone(contexts, cancel)()
	bad, err := g.lane.commit(ctx, len(members), payloadOf(members).send(g.lane.schema))
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

// written is the keys that the members of a group write.
type written struct {
	by   map[string]*member
	keys []string // in order
}

func (w *written) add(m *member) {
	for _, pair := range m.tx.own {
		key := pair.Key()
		i, _ := slices.BinarySearch(w.keys, key)
		w.keys = slices.Insert(w.keys, i, key)
		w.by[key] = m
	}
}

// before returns a member that writes what a transaction has read, or nil.
func (w *written) before(t *tx) *member {
	if len(w.keys) == 0 {
		return nil
	}
	for key := range t.pairs {
		if m := w.by[key]; m != nil {
			return m
		}
	}
	for _, s := range t.scanned {
		i, _ := slices.BinarySearch(w.keys, string(s.low))
		if i < len(w.keys) && strings.Compare(w.keys[i], string(s.high)) < 0 {
			return w.by[w.keys[i]]
		}
	}
	return nil
}

// overlaps reports whether a transaction writes what a member writes.
func (w *written) overlaps(t *tx) bool {
	return slices.ContainsFunc(t.own, func(pair store.Pair) bool { return w.by[pair.Key()] != nil })
}
