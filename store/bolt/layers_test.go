package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/internal/tree"
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

// want returns the keys that a scan of the model yields, found without Bounds.
func want(model map[string]string, rg store.Range) (wanted []string) {
	keys := slices.Sorted(maps.Keys(model))
	if rg.Reverse {
		slices.Reverse(keys)
	}
	for _, key := range keys {
		behind := strings.Compare(key, string(rg.From))
		if rg.Reverse {
			behind = -behind
		}
		if len(wanted) < rg.Limit && strings.HasPrefix(key, string(rg.Prefix)) && (len(rg.From) == 0 || behind >= 0) {
			wanted = append(wanted, key)
		}
	}
	return wanted
}

// compare reads the same from a snapshot and from a model.
func (l *layered) compare(r store.Reader, model map[string]string) {
	for range 4 {
		rg := l.ranges()
		var got []string
		for entry := range r.Scan(rg) {
			require.NoError(l.t, entry.Err)
			got = append(got, string(entry.Key))
			l.same(model, string(entry.Key), entry.Value)
		}
		require.Equal(l.t, want(model, rg), got, "%+v", rg)
		key := l.key()
		value, err := r.Get(key)
		if _, there := model[string(key)]; there {
			require.NoError(l.t, err)
			l.same(model, string(key), value)
		} else {
			require.ErrorIs(l.t, err, store.ErrNotFound)
		}
	}
}

// same requires the value that the model has under a key. It copies none: the largest are a megabyte each.
func (l *layered) same(model map[string]string, key string, value []byte) {
	wanted, there := model[key]
	require.True(l.t, there, "%q", key)
	require.NotNil(l.t, value)
	if wanted != string(value) {
		require.Equal(l.t, wanted, string(value))
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

// plan notes the value of a key by a plan, beside other updates.
func (l *layered) plan() {
	key, runs := l.key(), 0
	noted := "none"
	require.NoError(l.t, store.Optimistic(l.t.Context(), l.s, func(tx store.Tx) error {
		noted = "none"
		if value, err := tx.Get(key); err == nil {
			noted = string(value)
		}
		if runs++; runs == 1 {
			for range l.dice.IntN(3) {
				l.hold()
				l.update()
			}
			l.hold()
		}
		return tx.Put([]byte("noted"), []byte(noted))
	}))
	want, there := l.model[string(key)]
	if !there {
		want = "none"
	}
	require.Equal(l.t, want, noted)
	l.model["noted"] = noted
}

// hold lets a full log wait, until the next one is full as well. Then the next update waits for the file, which has to
// be free.
func (l *layered) hold() {
	switch full := l.s.log != nil && l.s.log.Size() >= l.s.logSize; {
	case l.holder != nil && full:
		require.NoError(l.t, l.holder.Rollback())
		l.holder = nil
	case l.holder == nil && l.s.log != nil && !full:
		var err error
		l.holder, err = l.s.db.Begin(true)
		require.NoError(l.t, err)
	}
}

// Whatever layers the entries lie in, and those that hide them, every read and every scan has what a map has.
func TestLayersAgainstAMap(t *testing.T) {
	t.Parallel()
	for name, opt := range map[string]Option{"nothing stays": small, "some logs stay": keeping} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testLayersAgainstAMap(t, opt)
		})
	}
}

func testLayersAgainstAMap(t *testing.T, opt Option) {
	seed := uint64(number("TOLLGATE_SEED", rand.IntN(1<<24)))
	t.Logf("TOLLGATE_SEED=%d", seed)
	path := filepath.Join(t.TempDir(), "store.db")
	l := &layered{t: t, dice: rand.New(rand.NewPCG(seed, 0)), model: map[string]string{}}
	all := 0
	for range 3 {
		s, err := Open(path, opt)
		require.NoError(t, err)
		l.s = s
		for range number("TOLLGATE_UPDATES", 300) / 3 {
			l.hold()
			l.update()
			l.plan()
			if over := s.layers(); !over.recent.Ascend(nil, nil, none) && !over.earlier.Ascend(nil, nil, none) {
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

// removalCase is where a key lies when the log that takes batches removes it.
type removalCase struct {
	name   string
	before func(c *removing) // what happens before
	leaves bool              // a trace in the log may hide the key; otherwise there is none
}

// removing is a store of which a test removes a key.
type removing struct {
	t      *testing.T
	s      *Store
	holder *bbolt.Tx // keeps a full log from the file
}

func (r *removing) do(fn func(tx store.Tx) error) {
	require.NoError(r.t, r.s.Update(r.t.Context(), fn))
}

func (r *removing) put() { r.do(func(tx store.Tx) error { return tx.Put([]byte("key"), []byte("v")) }) }
func (r *removing) insert() {
	r.do(func(tx store.Tx) error { return tx.Insert([]byte("key"), []byte("v")) })
}
func (r *removing) remove() { r.do(func(tx store.Tx) error { return tx.Delete([]byte("key")) }) }

// exchange lets the next update write into the other log.
func (r *removing) exchange() {
	_, err := r.s.line.Wait(r.t.Context(), nil)
	require.NoError(r.t, err)
	_, err = r.s.exchangeNow(r.t.Context())
	require.NoError(r.t, err)
}

// hold lets the next full log wait for the file, until it is released.
func (r *removing) hold() {
	settled(r.t, r.s)
	var err error
	r.holder, err = r.s.db.Begin(true)
	require.NoError(r.t, err)
}

func (r *removing) release() {
	if r.holder != nil {
		require.NoError(r.t, r.holder.Rollback())
		r.holder = nil
	}
}

// push brings so much into a log that a layer which keeps 8000 bytes becomes the earlier one.
func (r *removing) push() {
	r.do(func(tx store.Tx) error { return tx.Put([]byte("other"), bytes.Repeat([]byte("v"), 9000)) })
	r.settle()
}

// goOn exchanges and settles a log that has another key.
func (r *removing) goOn() {
	r.do(func(tx store.Tx) error { return tx.Put([]byte("another"), []byte("v")) })
	r.settle()
}

// settle is exchange, and waits for the file.
func (r *removing) settle() {
	r.exchange()
	settled(r.t, r.s)
}

var removals = []removalCase{
	{"never written", func(*removing) {}, true},
	{"came with the log", (*removing).put, false},
	{"came with the log, inserted", (*removing).insert, false},
	{"came, went and came", func(r *removing) { r.insert(); r.remove(); r.insert() }, false},
	{"came with the same update", func(r *removing) {
		r.do(func(tx store.Tx) error {
			return errors.Join(tx.Insert([]byte("key"), []byte{}), tx.Put([]byte("key"), []byte("v")))
		})
	}, false},
	{"in the file", func(r *removing) { r.put(); r.settle() }, true},
	{"in the file and changed", func(r *removing) { r.put(); r.settle(); r.put() }, true},
	{"in the file since long and changed", func(r *removing) {
		r.put()
		for range 3 {
			r.goOn()
		}
		r.put()
	}, true},
	{"in the file, removed and inserted", func(r *removing) { r.put(); r.settle(); r.remove(); r.insert() }, true},
	{"on its way into the file", func(r *removing) { r.put(); r.exchange() }, true},
	{"on its way into the file and changed", func(r *removing) { r.put(); r.exchange(); r.put() }, true},
	{"its removal on the way into the file", func(r *removing) {
		r.put()
		r.settle()
		r.remove()
		r.exchange()
		r.insert()
	}, true},
	{"on its way into a busy file", func(r *removing) { r.put(); r.hold(); r.exchange() }, true},
	{"on its way into a busy file and changed", func(r *removing) { r.put(); r.hold(); r.exchange(); r.put() }, true},
	{"in the earlier layer", func(r *removing) { r.put(); r.push() }, true},
	{"in the earlier layer and changed", func(r *removing) { r.put(); r.push(); r.put() }, true},
	{"in the earlier layer, removed from the file and inserted", func(r *removing) {
		r.put()
		r.push()
		r.remove()
		r.settle()
		r.goOn()
		r.insert()
	}, true},
	{"removed from the file long ago", func(r *removing) {
		for range 3 {
			r.put()
			r.settle()
			r.remove()
			r.settle()
		}
		r.goOn()
		r.insert()
	}, false},
}

// What came with a log and goes with it leaves nothing behind. All else that is removed stays removed: for readers of
// now and of later, when the log is settled, and after a crash.
func TestRemovals(t *testing.T) {
	t.Parallel()
	usual := func(*Options) {}
	for keep, opt := range map[string]Option{"nothing stays": small, "some stays": keeping, "much stays": usual} {
		for _, c := range removals {
			t.Run(c.name+", "+keep, func(t *testing.T) {
				t.Parallel()
				testRemoval(t, opt, c)
			})
		}
	}
}

func testRemoval(t *testing.T, opt Option, c removalCase) {
	path := filepath.Join(t.TempDir(), "store.db")
	r := &removing{t: t, s: open(t, path, opt)}
	c.before(r)
	r.remove()
	if !c.leaves {
		require.NotContains(t, r.s.logged, "key", "nothing has to hide it")
	}
	gone := func(s *Store) { require.NotContains(t, contents(t, s), "key") }
	gone(r.s)
	if r.holder == nil {
		settled(t, r.s)
	}
	gone(open(t, copyFiles(t, path)))
	r.release()
	for range 3 {
		settled(t, r.s)
		gone(r.s)
		r.settle()
	}
	require.NoError(t, r.s.db.View(func(tx *bbolt.Tx) error {
		require.Nil(t, tx.Bucket(bucketName).Get([]byte("key")))
		return nil
	}))
}

// What a log brings into the file while a group has a snapshot of before stays hidden too.
func TestRemovalWhileALogIsSettled(t *testing.T) {
	t.Parallel()
	for _, opt := range []Option{small, keeping} {
		r := &removing{t: t, s: open(t, filepath.Join(t.TempDir(), "store.db"), opt)}
		r.insert()
		r.hold()
		r.exchange()
		r.put()
		r.do(func(tx store.Tx) error {
			r.release()
			<-r.s.other.done
			return tx.Delete([]byte("key"))
		})
		require.Empty(t, contents(t, r.s))
		r.settle()
		require.Empty(t, contents(t, r.s))
	}
}

// A huge update takes memory, and leaves none taken.
func TestRoomOfAHugeLogIsNotKept(t *testing.T) {
	t.Parallel()
	r := &removing{t: t, s: open(t, filepath.Join(t.TempDir(), "store.db"))}
	r.do(func(tx store.Tx) error {
		for n := range keptWrites + 1 {
			if err := tx.Put(fmt.Appendf(nil, "k%07d", n), make([]byte, 200)); err != nil {
				return err
			}
		}
		return nil
	})
	r.settle()
	huge := r.s.other.content
	r.put()
	r.settle()
	require.LessOrEqual(t, cap(r.s.room), keptRoom)
	require.NotEmpty(t, huge, "another map takes what comes")
	require.Empty(t, r.s.logged)
}

// size counts the entries of a layer.
func size(layer *tree.Tree) (n int) {
	layer.Ascend(nil, nil, func(store.Pair) bool { n++; return true })
	return n
}

// What stays in memory has a bound, in bytes and in keys that are hidden; what is dropped is read from the file.
func TestLayersAreBounded(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "store.db"), keeping)
	want, most, least := map[string]string{}, 0, 300
	for n := range 300 {
		key, value := fmt.Sprintf("k%04d", n), strings.Repeat("v", 100)
		want[key] = value
		require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { return tx.Put([]byte(key), []byte(value)) }))
		kept := size(s.layers().recent) + size(s.layers().earlier)
		if most = max(most, kept); n > 150 {
			least = min(least, kept)
		}
	}
	require.Equal(t, want, contents(t, s))
	require.Greater(t, least, 60, "two logs have 40")
	require.Less(t, most, 2*(8000+2*3000)/100)
}

func TestHiddenKeysAreBounded(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "store.db"), func(o *Options) { o.LogSize = 10_000 })
	all := func(edit func(tx store.Tx, key []byte) error) {
		for n := range 50 {
			require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
				for i := range 100 {
					if err := edit(tx, fmt.Appendf(nil, "k%05d", n*100+i)); err != nil {
						return err
					}
				}
				return nil
			}))
		}
	}
	all(func(tx store.Tx, key []byte) error { return tx.Put(key, []byte("v")) })
	require.Equal(t, 5000, size(s.layers().recent), "all of it stays")
	all(store.Tx.Delete)
	require.Empty(t, contents(t, s))
	require.Less(t, size(s.layers().recent)+size(s.layers().earlier), 2*(maxRemovals+2*10_000/20))
}
