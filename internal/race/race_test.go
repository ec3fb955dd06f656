package race_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// trials is how often each pair meets; TOLLGATE_TRIALS=1000 asks for more, TOLLGATE_SHARE for a part.
func trials(t testing.TB) int {
	all := asked(t, "TOLLGATE_TRIALS", 40)
	return max(all/asked(t, "TOLLGATE_SHARE", 1), min(all, 10))
}

// asked is a number in a variable of the environment, or the usual one.
func asked(t testing.TB, variable string, usual int) int {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return usual
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	require.Positive(t, n, variable)
	return n
}

// pair is two concurrent operations, named as in the list of contended pairs, and the ways in which they meet.
type pair struct {
	name string
	ways []way
}

// way is one way for a pair to meet.
type way struct {
	name string
	meet func(d *duel)
	end  store.Status // of the payments, when all is done; empty for any
}

// The ways at an acquirer other than the usual one, which is idempotent by key and can be asked.
const (
	atStrict       = "at an acquirer that is idempotent in nothing"
	atBlind        = "at one that cannot be asked either"
	atBlindAndFake = "that is forged, at one that cannot be asked either"
)

// TestPairs makes every pair meet in every way on every store. Its command line for a release is
//
//	TOLLGATE_TRIALS=1000 go test -count=1 -timeout=60m -run 'TestPairs|Control' -v ./internal/race
//
// Every trial is on two instances over one store and begins with only the merchant. A database has each of them open
// it (apart), and both have to ask it in every race. A trial counts only if all racers ran at the same time, and ends
// with the judges: those of every commit (kerneltest.JudgedStore), and the audit of all records against the acquirer's
// own ledger, after the race and again when nothing is left to do.
func TestPairs(t *testing.T) {
	t.Parallel()
	require.Len(t, pairs, 18, "as many as the list of contended pairs has")
	counts := &tally{by: map[[2]string]tried{}}
	t.Cleanup(func() { counts.print(t) })
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			t.Parallel()
			for _, pair := range append(pairs[:len(pairs):len(pairs)], morePairs...) {
				t.Run(pair.name, func(t *testing.T) {
					t.Parallel()
					for _, way := range pair.ways {
						t.Run(way.name, func(t *testing.T) {
							t.Parallel()
							tried := tried{ways: 1}
							defer func() { counts.add(pair.name, backend.name, tried) }() // of a failed test too
							way.play(t, backend, &tried)
						})
					}
				})
			}
		})
	}
}

// play makes a pair meet repeatedly, and judges each time.
func (w way) play(t *testing.T, on backend, tried *tried) {
	t.Helper()
	var s *stage
	blind := w.name == atBlind || w.name == atBlindAndFake
	can := kerneltest.Powers(!blind && w.name != atStrict, time.Minute)
	open, arena := places(t, on)
	requireApart(t, on)
	first := asked(t, "TOLLGATE_FROM", 1) - 1 // so that a long run has parts that differ
	for round := first; round < first+trials(t); round++ {
		if s == nil || round%perStage == 0 {
			if s != nil {
				s.close()
			}
			s = newStageOf(t, &can, blind, open, arena)
		}
		s.next(t)
		d := &duel{T: t, one: s.one, two: s.two, spy: s.spy, stage: s, round: round}
		tried.trials++
		func() {
			defer func() { tried.met += min(1, d.met) }() // even if a fault is found then
			w.meet(d)
		}()
		require.Positive(t, d.met, "nothing was raced")
		w.judge(t, s)
		require.False(t, t.Failed(), "a racer told a fault")
		tried.right++
	}
}

// places returns how the stores of trials are made and, if it is another one, that of a race. With TOLLGATE_NEAR=1 a
// store that is far has the records during races alone: before, when a trial is prepared, and afterwards, when it is
// judged, they are in memory. So ten thousand trials take minutes.
func places(t testing.TB, on backend) (open, arena func() store.Store) {
	open = func() store.Store { return on.open(t) }
	if !on.far || os.Getenv("TOLLGATE_NEAR") == "" {
		return open, nil
	}
	return func() store.Store { return memory.New() }, open
}

// perStage is how many trials two instances play before new ones with empty caches replace them.
const perStage = 50

// judge checks the result of a race, at once and when nothing is left to do.
func (w way) judge(t testing.TB, s *stage) {
	t.Helper()
	kerneltest.Audit(t, s.one)
	s.one.Advance(t, 72*time.Hour)
	b := kerneltest.Quiet(t, s.one)
	for _, judge := range s.judges {
		require.Empty(t, judge.Faults())
	}
	for _, tr := range b.Transactions {
		require.Empty(t, tr.Review)
	}
	for _, payment := range b.Payments {
		if w.end != "" {
			require.Equal(t, w.end, payment.Status)
		}
	}
}
