package bolt

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// places are where a key is before a plan reads it.
var places = []struct {
	name  string
	bring func(r *removing)
}{
	{"nowhere", func(*removing) {}},
	{"in the log", (*removing).put},
	{"removed by the log", func(r *removing) { r.put(); r.settle(); r.remove() }},
	{"on its way into the file", func(r *removing) { r.put(); r.exchange() }},
	{"in the file", func(r *removing) { r.put(); r.settle() }},
	{"in the file alone", func(r *removing) {
		r.put()
		for range 3 {
			r.settle()
		}
	}},
}

// changes are what others do between the plan and its commit.
var changes = []struct {
	name    string
	make    func(r *removing)
	touches bool // the key
}{
	{"nothing", func(*removing) {}, false},
	{"another key", func(r *removing) { r.do(func(tx store.Tx) error { return tx.Put([]byte("other"), []byte("new")) }) }, false},
	{"put", func(r *removing) { r.do(func(tx store.Tx) error { return tx.Put([]byte("key"), []byte("new")) }) }, true},
	{"removed", (*removing).remove, true},
	{"put and removed", func(r *removing) { r.put(); r.remove() }, true},
	{"removed and put", func(r *removing) { r.remove(); r.put() }, true},
}

// A plan is carried out as it is only while what it read is as it was, wherever that lies and whatever happened to the
// logs meanwhile.
func TestPlansBesideChanges(t *testing.T) {
	t.Parallel()
	exchanges := map[string]func(*removing){
		"in one log": func(*removing) {}, "exchanged": (*removing).exchange, "settled": (*removing).settle}
	for when, exchange := range exchanges {
		for _, place := range places {
			for _, change := range changes {
				for _, opt := range []Option{small, keeping} {
					t.Run(place.name+", "+change.name+", "+when, func(t *testing.T) {
						t.Parallel()
						r := &removing{t: t, s: open(t, filepath.Join(t.TempDir(), "store.db"), opt)}
						r.do(func(tx store.Tx) error { return tx.Put([]byte("other"), []byte("v")) })
						place.bring(r)
						runs := planBeside(r, func() { change.make(r); exchange(r) })
						if !change.touches {
							require.Equal(t, 1, runs)
						}
					})
				}
			}
		}
	}
}

// planBeside notes the value of the key by a plan beside which something happens, checks that it is the present one,
// and returns how often the plan ran.
func planBeside(r *removing, meanwhile func()) (runs int) {
	read := func(reader store.Reader) string {
		value, err := reader.Get([]byte("key"))
		if errors.Is(err, store.ErrNotFound) {
			return "none"
		}
		require.NoError(r.t, err)
		return string(value)
	}
	require.NoError(r.t, store.Optimistic(r.t.Context(), r.s, func(tx store.Tx) error {
		noted := read(tx)
		if runs++; runs == 1 {
			meanwhile()
		}
		return tx.Put([]byte("noted"), []byte(noted))
	}))
	require.NoError(r.t, r.s.View(r.t.Context(), func(reader store.Reader) error {
		noted, err := reader.Get([]byte("noted"))
		require.NoError(r.t, err)
		require.Equal(r.t, read(reader), string(noted))
		return nil
	}))
	return runs
}

// The state that a member of a group sees is that of a reader before the group, until another member has written.
func TestStateOfAGroup(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "store.db"))
	require.NoError(t, s.Update(t.Context(), putter(0)))
	state := func() (state any) {
		require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
			state = r.(*reader).State()
			return nil
		}))
		return state
	}
	before := state()
	require.Equal(t, before, state())
	var seen []any
	see := func(do func(tx store.Tx) error) func(tx store.Tx) error {
		return func(member store.Tx) error {
			seen = append(seen, member.(*tx).State())
			return do(member)
		}
	}
	nothing := func(store.Tx) error { return nil }
	together(t, s, (*Store).Update, []func(store.Tx) error{see(nothing), see(nothing), see(nothing)})
	require.Equal(t, []any{before, before, before}, seen)

	seen = nil
	together(t, s, (*Store).Update, []func(store.Tx) error{see(putter(1)), see(nothing), see(putter(2)), see(nothing)})
	require.Same(t, before, seen[0])
	for _, later := range seen[1:] {
		require.NotSame(t, before, later)
	}
	require.NotSame(t, before, state())
}
