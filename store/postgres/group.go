package postgres

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// A group takes no more members when it has so many, or so many bytes.
const (
	maxMembers = 256
	maxBytes   = 8 << 20
)

// member is a transaction that has run and is to be committed.
type member struct {
	ctx    context.Context
	tx     *tx
	in     *group  // that it has joined
	behind *member // writes what this one has read, and was not told yet how it ended
	far    bool    // the group that gathers was full, so this one was not compared with who is before it
	left   bool    // before its group was sent

	done   chan struct{} // closed when the rest is set
	stands bool
	err    error
}

func (m *member) answer(stands bool, err error) {
	m.stands, m.err = stands, err
	close(m.done)
}

// group is transactions that are committed together, and how that ended.
type group struct {
	members []*member
	whole   whole
	written map[string]*member // the keys that members write, and who
	bytes   int
	sent    bool
	left    bool // some of the members have

	bad verdict
	err error
}

func newGroup() *group {
	return &group{written: map[string]*member{}, whole: whole{known: map[string]store.Pair{}}}
}

// groupOf returns a group of one.
func groupOf(m *member) *group {
	one := newGroup()
	one.add(m)
	return one
}

// keptKeys is the most keys of a group whose memory another one gets.
const keptKeys = 8 * maxMembers

// emptied returns a group without members, with the memory of this one if it is not too large.
func (g *group) emptied() *group {
	if len(g.written) > keptKeys || len(g.whole.known) > keptKeys || cap(g.whole.scans) > keptKeys {
		return nil
	}
	clear(g.written)
	clear(g.members)
	g.whole.empty()
	*g = group{members: g.members[:0], whole: g.whole, written: g.written}
	return g
}

func (g *group) add(m *member) {
	m.in = g
	g.members = append(g.members, m)
	g.bytes += m.tx.size()
	g.whole.add(m.tx)
	for _, pair := range m.tx.own {
		g.written[pair.Key()] = m
	}
}

// full reports whether there is no room for another member.
func (g *group) full() bool { return len(g.members) >= maxMembers || g.bytes >= maxBytes }

// takes reports whether there is room for a transaction, and none of its writes is a member's.
func (g *group) takes(t *tx) bool {
	if g.full() {
		return false
	}
	return !slices.ContainsFunc(t.own, func(pair store.Pair) bool { return g.written[pair.Key()] != nil })
}

// before returns a member that writes what a transaction has read, or nil.
func (g *group) before(t *tx) *member {
	for _, pair := range t.pairs.list {
		if m := g.written[pair.Key()]; m != nil && !g.shows(m, t, pair.Key()) {
			return m
		}
	}
	for _, s := range t.scanned {
		if m := g.within(t, string(s.low), string(s.high)); m != nil {
			return m
		}
	}
	return nil
}

// shows reports whether a transaction has read what a member of a group that was sent writes under a key.
func (g *group) shows(m *member, t *tx, key string) bool {
	if !g.sent {
		return false
	}
	i, _ := m.tx.find(key)
	read, _ := pairIn(&t.pairs, key)
	return read == m.tx.own[i]
}

// within returns a member that writes a key from low and before high, or nil. It looks at all: most transactions scan
// nothing, so that keys in order would cost more than they save.
func (g *group) within(t *tx, low, high string) *member {
	for key, m := range g.written {
		if low <= key && key < high && !g.shows(m, t, key) {
			return m
		}
	}
	return nil
}
