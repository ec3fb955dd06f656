package bolt

import (
	"bytes"
	"iter"

	"github.com/tollgatepay/gateway/store"
)

// Scan implements store.Reader.
func (r *reader) Scan(rg store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		if err := r.Reads(); err != nil {
			yield(store.Entry{Err: err})
			return
		}
		r.Scans()
		defer r.ScanEnds()
		m := r.merge(rg)
		for left := rg.Limit; left > 0; left-- {
			if err := r.Reads(); err != nil { // of a scan that was kept, by iter.Pull
				yield(store.Entry{Err: err})
				return
			}
			entry, ok := m.next()
			if !ok || !yield(entry) {
				return
			}
		}
	}
}

// walk is a place among entries that are gone through in one direction, between two keys.
type walk interface {
	key() []byte // nil at the end; valid until the next step
	step()
	entry() (entry store.Entry, present bool) // a copy; an entry without a value is not present
}

// merge goes through several walks side by side. Where two have a key, the entry of the first counts. It is one piece
// of memory: most scans look at a few entries, or find none.
type merge struct {
	reverse         bool
	own             ownWalk
	recent, earlier treeWalk
	file            fileWalk
	room            [4]walk
	walks           []walk
}

func (r *reader) merge(rg store.Range) *merge {
	low, high := rg.Bounds()
	m := &merge{reverse: rg.Reverse}
	m.walks = m.room[:0]
	if m.own.begin(r.own.between(low, high), rg.Reverse) {
		m.walks = append(m.walks, &m.own)
	}
	if m.recent.begin(r.recent, low, high, rg.Reverse) {
		m.walks = append(m.walks, &m.recent)
	}
	if m.earlier.begin(r.earlier, low, high, rg.Reverse) {
		m.walks = append(m.walks, &m.earlier)
	}
	if m.file.begin(r.bucket.Cursor(), low, high, rg.Reverse) {
		m.walks = append(m.walks, &m.file)
	}
	return m
}

// next returns the next entry, or false at the end.
func (m *merge) next() (store.Entry, bool) {
	for {
		nearest := m.nearest()
		if nearest == nil {
			return store.Entry{}, false
		}
		entry, present := nearest.entry()
		m.pass(nearest)
		if present {
			return entry, true
		}
	}
}

// nearest returns the walk whose key comes first, or nil when all are at their end.
func (m *merge) nearest() walk {
	var nearest walk
	for _, w := range m.walks {
		if w.key() != nil && (nearest == nil || m.before(w.key(), nearest.key())) {
			nearest = w
		}
	}
	return nearest
}

func (m *merge) before(a, b []byte) bool {
	if m.reverse {
		a, b = b, a
	}
	return bytes.Compare(a, b) < 0
}

// pass takes every walk beyond the key of the nearest, which goes last, since its key changes then.
func (m *merge) pass(nearest walk) {
	for _, w := range m.walks {
		if w != nearest && bytes.Equal(w.key(), nearest.key()) {
			w.step()
		}
	}
	nearest.step()
}
