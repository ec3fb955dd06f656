package postgres

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// tx implements store.Tx and store.Frugal. It writes nothing: it keeps what was read and what has to be written, and
// the turn of a group compares the one and writes the other.
type tx struct {
	reader
	scanned []scanned
	open    []*part      // scans that have not ended
	own     []store.Pair // what it writes, ordered by key; without a value where it removes
	member  member       // that it becomes
	room    [2][8]store.Pair
}

// newTx returns a transaction with room for some pairs that it reads and writes, all in one piece of memory.
func newTx() *tx {
	t := &tx{}
	t.pairs.list, t.own = t.room[0][:0], t.room[1][:0]
	return t
}

// scanned is what a scan took of a range: all n keys from low, and before high. Their values are among the reads. So
// the keys between them are read too, though they are absent: one that comes makes the number another.
type scanned struct {
	low, high []byte
	n         int
}

// run is that of the reader. What a scan took that is still open, as iter.Pull leaves it, counts too.
func (t *tx) run(fn func() error, checked func(error) bool) error {
	return t.reader.run(func() error {
		err := fn()
		for _, part := range t.open {
			t.record(part)
		}
		return err
	}, checked)
}

func compareKey(pair store.Pair, key string) int { return cmp.Compare(pair.Key(), key) }

func (t *tx) find(key string) (int, bool) { return slices.BinarySearchFunc(t.own, key, compareKey) }

// written returns its own write of a key. Unlike find, it needs no copy of the key.
func (t *tx) written(key []byte) (store.Pair, bool) {
	i := sort.Search(len(t.own), func(i int) bool { return t.own[i].Key() >= string(key) })
	if i == len(t.own) || t.own[i].Key() != string(key) {
		return "", false
	}
	return t.own[i], true
}

// lookup returns the transaction's own write, or what the reader finds.
func (t *tx) lookup(key []byte) (store.Pair, error) {
	if pair, ok := t.written(key); ok && t.Reads() == nil {
		return pair, nil
	}
	return t.reader.lookup(key)
}

// Get implements store.Reader.
func (t *tx) Get(key []byte) ([]byte, error) { return valueOf(t.lookup(key)) }

// Lend implements store.Lender.
func (t *tx) Lend(key []byte) (store.Pair, error) { return t.lookup(key) }

// Put implements store.Tx.
func (t *tx) Put(key, value []byte) error {
	if err := t.WritesValue(key, value); err != nil {
		return err
	}
	return t.Give(store.NewPair(key, value))
}

// Insert implements store.Tx.
func (t *tx) Insert(key, value []byte) error {
	if err := t.WritesValue(key, value); err != nil {
		return err
	}
	switch pair, err := t.lookup(key); {
	case err != nil:
		return err
	case pair.HasValue():
		return store.ErrExists
	}
	return t.Give(store.NewPair(key, value))
}

// Delete implements store.Tx.
func (t *tx) Delete(key []byte) error {
	if err := t.WritesKey(key); err != nil {
		return err
	}
	return t.Give(store.NewPair(key, nil))
}

// Give implements store.Frugal.
func (t *tx) Give(pair store.Pair) error {
	if err := t.Writes(); err != nil {
		return err
	}
	i, found := t.find(pair.Key())
	if !found {
		t.own = slices.Insert(t.own, i, "")
	}
	t.own[i] = pair
	return nil
}

// Holds implements store.Frugal.
func (t *tx) Holds(pair store.Pair) (bool, error) {
	stored, err := t.lookup([]byte(pair.Key()))
	return err == nil && stored == pair, err
}

// Scan implements store.Reader.
func (t *tx) Scan(rg store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		for pair, err := range t.walk(rg) {
			if !yield(entryOf(pair, err)) {
				return
			}
		}
	}
}

// walk yields what a range has in the snapshot and in the transaction's own writes, and records what it took.
func (t *tx) walk(rg store.Range) iter.Seq2[store.Pair, error] {
	return func(yield func(store.Pair, error) bool) {
		if err := t.Reads(); err != nil {
			yield("", err)
			return
		}
		t.Scans()
		defer t.ScanEnds()
		low, high := bounds(rg)
		own := slices.Clone(t.within(low, high))
		if rg.Reverse {
			slices.Reverse(own)
		}
		t.merge(rg, own, yield)
	}
}

// merge walks the snapshot and own writes, which are in the order of the range, side by side.
func (t *tx) merge(rg store.Range, own []store.Pair, yield func(store.Pair, error) bool) {
	left := rg.Limit
	if left <= 0 {
		return
	}
	base := rg
	base.Limit = min(rg.Limit, 1<<30) + len(own) // each of them may hide one
	part := &part{within: rg}
	t.open = append(t.open, part)
	defer t.close(part) // what was taken counts, also when the function panics
	// give yields a pair unless it is a removal, and tells whether to go on.
	give := func(pair store.Pair) bool {
		if err := t.Reads(); err != nil {
			yield("", err)
			return false
		}
		if !pair.HasValue() {
			return true
		}
		left--
		return yield(pair, nil) && left > 0
	}
	for pair, err := range t.reader.walk(base) {
		if err != nil {
			yield("", err)
			return
		}
		part.seen = append(part.seen, pair)
		for len(own) > 0 && before(own[0], pair, rg.Reverse) {
			first := own[0]
			own = own[1:]
			if !give(first) {
				return
			}
		}
		if len(own) > 0 && own[0].Key() == pair.Key() {
			pair, own = own[0], own[1:]
		}
		if !give(pair) {
			return
		}
	}
	part.whole = true
	for _, pair := range own {
		if !give(pair) {
			return
		}
	}
}

// part is what a scan took: all of the range, or what is up to the last pair.
type part struct {
	within store.Range
	seen   []store.Pair // of the snapshot
	whole  bool
}

func before(a, b store.Pair, reverse bool) bool {
	order := strings.Compare(a.Key(), b.Key())
	return order < 0 && !reverse || order > 0 && reverse
}

// close records a scan that ends. After the function it was recorded as it was then, and others may look at that.
func (t *tx) close(p *part) {
	if t.Reads() != nil {
		return
	}
	t.open = slices.DeleteFunc(t.open, func(open *part) bool { return open == p })
	t.record(p)
}

// record keeps what a scan took of a range.
func (t *tx) record(p *part) {
	for _, pair := range p.seen {
		t.pairs.put(pair)
	}
	low, high := bounds(p.within)
	switch n := len(p.seen); {
	case p.whole:
	case n == 0:
		return
	case p.within.Reverse:
		low = []byte(p.seen[n-1].Key())
	default:
		high = append([]byte(p.seen[n-1].Key()), 0)
	}
	if bytes.Compare(low, high) < 0 {
		t.scanned = append(t.scanned, scanned{low, high, len(p.seen)})
	}
}

// within returns the own writes from low and before high.
func (t *tx) within(low, high []byte) []store.Pair {
	start, _ := t.find(string(low))
	end, _ := t.find(string(high))
	return t.own[min(start, end):end]
}
