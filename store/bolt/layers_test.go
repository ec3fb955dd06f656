package bolt

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
)

// layered is a store whose entries lie in all layers, and a map that has the same.
type layered struct {
	t      *testing.T
	dice   *rand.Rand
	s      *Store
	model  map[string]string
	holder *bbolt.Tx // keeps a full log from the file
}

// key returns one of few keys, of which some are the beginning of others and some as long as a key can be.
func (l *layered) key() []byte {
	key := []byte{"ab\x00\xff"[l.dice.IntN(4)]}
	for range l.dice.IntN(4) {
		key = append(key, "ab\x00\xff"[l.dice.IntN(4)])
	}
	if l.dice.IntN(10) == 0 {
		key = append(key, bytes.Repeat([]byte{'l'}, store.MaxKey-len(key))...)
	}
	return key
}

// value returns a value: an empty one, small ones, and rarely the largest.
func (l *layered) value() []byte {
	sizes := []int{0, 1, 50, 400}
	if l.dice.IntN(100) == 0 {
		sizes = []int{store.MaxValue}
	}
	return bytes.Repeat([]byte{byte(l.dice.IntN(256))}, sizes[l.dice.IntN(len(sizes))])
}

// ranges returns a range of any kind: none, one or both bounds, in both directions, with and without an end.
func (l *layered) ranges() store.Range {
	rg := store.Range{Reverse: l.dice.IntN(2) == 0, Limit: []int{1, 3, 1000}[l.dice.IntN(3)]}
	if l.dice.IntN(2) == 0 {
		rg.Prefix = l.key()[:1]
	}
	if l.dice.IntN(2) == 0 {
		rg.From = l.key()
	}
	return rg
}

// want returns what a scan of the model yields, found without Bounds.
func want(model map[string]string, rg store.Range) (entries []store.Entry) {
	keys := slices.Sorted(maps.Keys(model))
	if rg.Reverse {
		slices.Reverse(keys)
	}
	for _, key := range keys {
		behind := strings.Compare(key, string(rg.From))
		if rg.Reverse {
			behind = -behind
		}
		if len(entries) < rg.Limit && strings.HasPrefix(key, string(rg.Prefix)) && (len(rg.From) == 0 || behind >= 0) {
			entries = append(entries, store.Entry{Key: []byte(key), Value: []byte(model[key])})
		}
	}
	return entries
}

// compare reads the same from a snapshot and from a model.
func (l *layered) compare(r store.Reader, model map[string]string) {
	for range 4 {
		rg := l.ranges()
		var got []store.Entry
		for entry := range r.Scan(rg) {
			got = append(got, entry)
		}
		require.Equal(l.t, want(model, rg), got, "%+v", rg)
		key := l.key()
		value, err := r.Get(key)
		if stored, there := model[string(key)]; there {
			require.NoError(l.t, err)
			require.Equal(l.t, []byte(stored), value)
		} else {
			require.ErrorIs(l.t, err, store.ErrNotFound)
		}
	}
}

var errRolledBack = errors.New("rolled back")

// update writes into the store and the model, or into neither.
func (l *layered) update() {
	model := maps.Clone(l.model)
	fails := l.dice.IntN(4) == 0
	err := l.s.Update(l.t.Context(), func(tx store.Tx) error {
		for range l.dice.IntN(8) {
			key, value := l.key(), l.value()
			_, there := model[string(key)]
			switch l.dice.IntN(3) {
			case 0:
				require.NoError(l.t, tx.Delete(key))
				delete(model, string(key))
				continue
			case 1:
				if err := tx.Insert(key, value); there {
					require.ErrorIs(l.t, err, store.ErrExists)
					continue
				}
			default:
				require.NoError(l.t, tx.Put(key, value))
			}
			model[string(key)] = string(value)
			clear(value) // what was handed over was copied
		}
		l.compare(tx, model)
		if fails {
			return errRolledBack
		}
		return nil
	})
	if fails {
		require.ErrorIs(l.t, err, errRolledBack)
		return
	}
	require.NoError(l.t, err)
	l.model = model
}

// hold lets a full log wait, until the next one is full as well.
func (l *layered) hold() {
	switch full := l.s.log != nil && l.s.log.Size() >= l.s.logSize; {
	case l.holder != nil && full && l.s.other != nil:
		require.NoError(l.t, l.holder.Rollback())
		l.holder = nil
	case l.holder == nil && l.s.log != nil:
		var err error
		l.holder, err = l.s.db.Begin(true)
		require.NoError(l.t, err)
	}
}

// Whatever layers the entries lie in, and those that hide them, every read and every scan has what a map has.
func TestLayersAgainstAMap(t *testing.T) {
	t.Parallel()
	seed := uint64(number("TOLLGATE_SEED", rand.IntN(1<<24)))
	t.Logf("TOLLGATE_SEED=%d", seed)
	path := filepath.Join(t.TempDir(), "store.db")
	l := &layered{t: t, dice: rand.New(rand.NewPCG(seed, 0)), model: map[string]string{}}
	all := 0
	for range 3 {
		s, err := Open(path, small)
		require.NoError(t, err)
		l.s = s
		for range number("TOLLGATE_UPDATES", 300) / 3 {
			l.hold()
			l.update()
			if over := s.layers(); !over.recent.Ascend(nil, nil, none) && !over.settling.Ascend(nil, nil, none) {
				all++
			}
			require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
				l.compare(r, l.model)
				return nil
			}))
		}
		if l.holder != nil {
			require.NoError(t, l.holder.Rollback())
			l.holder = nil
		}
		require.NoError(t, s.Close())
	}
	require.NotZero(t, all, "entries in all layers")
}

// none stops a walk at its first entry, so that Ascend tells whether there is none.
func none(store.Pair) bool { return false }
