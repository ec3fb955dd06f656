package bolt

import (
	"bytes"
	"iter"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/tree"
)

// Scan implements store.Reader.
func (r *reader) Scan(rg store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		if r.done {
			yield(store.Entry{Err: store.ErrDone})
			return
		}
		r.scans++
		defer func() { r.scans-- }()
		m := r.merge(rg)
		for left := rg.Limit; left > 0; left-- {
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

// merge goes through several walks side by side. Where two have a key, the entry of the first counts.
type merge struct {
	walks   []walk
	reverse bool
}

func (r *reader) merge(rg store.Range) *merge {
	low, high := rg.Bounds()
	m := &merge{reverse: rg.Reverse, walks: make([]walk, 0, 4)}
	if own := r.own.between(low, high); len(own) > 0 {
		m.walks = append(m.walks, walkOwn(own, rg.Reverse))
	}
	for _, t := range []*tree.Tree{r.recent, r.settling} {
		if w := walkTree(t, low, high, rg.Reverse); w.at != "" {
			m.walks = append(m.walks, w)
		}
	}
	m.walks = append(m.walks, walkFile(r.bucket.Cursor(), low, high, rg.Reverse))
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
