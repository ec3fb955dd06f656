package race_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// apart is a store that each instance opens for itself, as processes on one database do. Its own methods are for what
// no instance does: to prepare a trial, and to look at it.
type apart interface {
	store.Store
	Of(who int) store.Store // as an instance has opened it
	Asked() [2]int64        // how often the store of each instance has sent something to the server
	Committed() [2]int64    // how many transactions it has committed
}

// share is the store of the current trial as one instance has it.
type share struct {
	records *kerneltest.SwappedStore
	who     int
}

func (s share) Current() store.Store {
	now := s.records.Current()
	if several, ok := now.(apart); ok {
		return several.Of(s.who)
	}
	return now
}

func (s share) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.Current().View(ctx, fn)
}

func (s share) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.Current().Update(ctx, fn)
}

func (s share) Close() error { return s.records.Close() }

// requireApart requires of a store that is far that what an instance writes is committed by its own store and by no
// other.
func requireApart(t testing.TB, on backend) {
	t.Helper()
	if !on.far {
		return
	}
	several, ok := on.open(t).(apart)
	require.True(t, ok, "the instances share one store")
	defer several.Close() //nolint:errcheck // it is emptied before it is used again
	records := kerneltest.Swappable(several)
	for _, who := range []int{0, 0, 1, 1, 0} { // twice, so that taking turns is found too
		want := several.Committed()
		want[who]++
		require.NoError(t, share{records, who}.Update(t.Context(), func(tx store.Tx) error {
			return tx.Put([]byte("who"), []byte{byte(who)})
		}))
		require.Equal(t, want, several.Committed(), "instance %d does not write by a store of its own", who)
	}
}

// askedOf is how often the store of each instance has asked the server; nothing if the instances share one.
func askedOf(s store.Store) (n [2]int64) {
	if several, ok := s.(apart); ok {
		n = several.Asked()
	}
	return n
}

// requireBoth requires that the store of each instance did a part of a race. Not each commits something: a racer may
// see that it came too late.
func requireBoth(t testing.TB, s store.Store, before [2]int64) {
	t.Helper()
	several, ok := s.(apart)
	if !ok {
		return
	}
	for who, n := range several.Asked() {
		require.Greater(t, n, before[who], "the store of instance %d did nothing in a race", who)
	}
}

// pretended is a store that is apart as far as its counts say. at is the store that does a call of an instance.
type pretended struct {
	store.Store
	at               func(who, call int) int
	calls            int
	asked, committed [2]int64
}

func (p *pretended) Of(who int) store.Store { return &pretender{p, who} }
func (p *pretended) Asked() [2]int64        { return p.asked }
func (p *pretended) Committed() [2]int64    { return p.committed }
func (p *pretended) Close() error           { return nil } // another trial may have it

// pretender is a pretended store as one instance has it.
type pretender struct {
	*pretended
	who int
}

func (p *pretender) Update(ctx context.Context, fn func(store.Tx) error) error {
	at := p.at(p.who, p.calls)
	p.calls++
	p.asked[at]++
	p.committed[at]++
	return p.pretended.Update(ctx, fn)
}

// Instances that share a store, or lend each other theirs, are no two instances of which a race could tell something.
func TestApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		at          func(who, call int) int
		apart, race bool // found by requireApart, by requireBoth
	}{
		{"a store each", func(who, _ int) int { return who }, false, false},
		{"one for both", func(int, int) int { return 0 }, true, true},
		{"the other one for both", func(int, int) int { return 1 }, true, true},
		{"that of the other", func(who, _ int) int { return 1 - who }, true, false},
		{"in turns", func(_, call int) int { return call % 2 }, true, false},
		{"one for both later", func(who, call int) int { return min(who, max(0, 5-call)) }, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &pretended{Store: memory.New(), at: c.at}
			v := &verdict{TB: t}
			fault := v.judged(func() {
				requireApart(v, backend{"pretended", func(testing.TB) store.Store { return p }, true})
			})
			require.Equal(t, c.apart, fault != "", fault)
			p.calls = max(p.calls, 5)
			v, before := &verdict{TB: t}, p.asked
			for who := range 2 {
				require.NoError(t, p.Of(who).Update(t.Context(), func(store.Tx) error { return nil }))
			}
			fault = v.judged(func() { requireBoth(v, p, before) })
			require.Equal(t, c.race, fault != "", fault)
		})
	}
}
