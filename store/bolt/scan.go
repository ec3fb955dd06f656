package bolt

import (
	"bytes"
	"iter"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
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
			w, ok := m.next()
			if !ok || !yield(store.Entry{Key: bytes.Clone(w.key), Value: bytes.Clone(w.value)}) {
				return
			}
		}
	}
}

// merge walks the base and a transaction's own writes side by side, forwards or backwards.
type merge struct {
	low, high []byte
	reverse   bool

	step func() (key, value []byte) // of the base
	base write                      // position of the base; no key at its end
	own  writes                     // the rest of the own writes within the bounds
}

func (r *reader) merge(rg store.Range) *merge {
	low, high := rg.Bounds()
	m := &merge{low: low, high: high, reverse: rg.Reverse, own: r.own.between(low, high)}
	cursor := r.base.Cursor()
	if rg.Reverse {
		m.step = cursor.Prev
		m.enter(before(cursor, high))
	} else {
		m.step = cursor.Next
		m.enter(cursor.Seek(low))
	}
	return m
}

// before places the cursor on the last key before high, or on the last of all without a high.
func before(c *bbolt.Cursor, high []byte) (key, value []byte) {
	if high == nil {
		return c.Last()
	}
	if key, _ := c.Seek(high); key == nil {
		return c.Last()
	}
	return c.Prev()
}

// between returns the writes from low to high.
func (ws writes) between(low, high []byte) writes {
	end := len(ws)
	if high != nil {
		end, _ = ws.find(high)
	}
	start, _ := ws.find(low)
	return ws[min(start, end):end]
}

// enter stores the position of the base's cursor; beyond the bounds the base has ended.
func (m *merge) enter(key, value []byte) {
	if key == nil || bytes.Compare(key, m.low) < 0 || m.high != nil && bytes.Compare(key, m.high) >= 0 {
		m.base = write{}
		return
	}
	m.base = write{key, value}
}

// next returns the next entry; own writes hide the base, and removals are passed over.
func (m *merge) next() (write, bool) {
	for m.base.key != nil || len(m.own) > 0 {
		if w := m.nearer(); w.value != nil {
			return w, true
		}
	}
	return write{}, false
}

// nearer takes the entry that comes first from base or own writes, and from both when their keys are equal.
func (m *merge) nearer() write {
	order := m.compare()
	w := m.base
	if order >= 0 {
		w = m.takeOwn()
	}
	if order <= 0 {
		m.enter(m.step())
	}
	return w
}

// compare is negative when the base comes first, positive when an own write does, zero when the keys are equal.
func (m *merge) compare() int {
	switch {
	case len(m.own) == 0:
		return -1
	case m.base.key == nil:
		return 1
	case m.reverse:
		return bytes.Compare(m.own[len(m.own)-1].key, m.base.key)
	}
	return bytes.Compare(m.base.key, m.own[0].key)
}

func (m *merge) takeOwn() write {
	if m.reverse {
		last := len(m.own) - 1
		w := m.own[last]
		m.own = m.own[:last]
		return w
	}
	w := m.own[0]
	m.own = m.own[1:]
	return w
}
