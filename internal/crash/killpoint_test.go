package crash

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// TestKillAtEveryPoint kills the gateway, in each kind of load, at the first passage of each point, at the second,
// and so on until the point is no longer reached. Some of the following children die too, in the recovery of that
// crash.
func TestKillAtEveryPoint(t *testing.T) {
	needsSignals(t)
	if kerneltest.Raced {
		t.Skip("a child that is killed reports no race; go test without -race kills it")
	}
	t.Parallel()
	var mu sync.Mutex
	points, pairs, stride := 0, 0, 1
	if number("TOLLGATE_SHARE", 1) > 1 {
		stride = 4 // skips some passages
	}
	t.Cleanup(func() {
		if !t.Failed() {
			require.True(t, pairs > 0 || stride > 1, "no child died in the recovery of a crash")
			t.Logf("crash: points_in_turn=%d killed_in_recovery_of_those=%d", points, pairs)
		}
	})
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1)
			if s.chain {
				w.restart()
				w.createSchedule()
			}
			for _, name := range killPoints {
				n := 1
				for w.killedAt(s, name+":"+strconv.Itoa(n)) {
					n += stride
					require.Less(t, n, 200, "a point without an end")
				}
				require.Greater(t, n, 1, "%s was never reached", name)
				mu.Lock()
				points += (n - 1) / stride
				mu.Unlock()
			}
			w.settle()
			require.Empty(t, judge(w.evidence()))
			for _, call := range s.must[:len(s.must)/stride] { // with skipped passages there are fewer
				require.Contains(t, w.spots(), call+" before")
				require.Contains(t, w.spots(), call+" after")
			}
			mu.Lock()
			defer mu.Unlock()
			pairs += w.pairs
		})
	}
}

// killedAt plays a scene on a child that kills itself, and on the next one. It reports whether it did.
func (w *world) killedAt(s scene, point string) (killed bool) {
	w.t.Helper()
	w.child.kill(w.t)
	select {
	case <-w.child.launch(w.t, envStill+"=1", envAt+"="+point):
		w.wakeWaiters()
	case <-w.child.gone: // as it started
		return true
	}
	over := make(chan error, 1)
	go func() { over <- s.play(w) }()
	select {
	case <-w.child.gone:
		w.child.kill(w.t)
		w.clock.advance(time.Minute)
		w.killInRecovery()
		w.restart(envStill + "=1")
		<-over
		w.finishClaims()
		return true
	case err := <-over:
		return err != nil // its last answer was lost
	}
}

// finishClaims finishes what dead children had claimed, so that the next child has only its own load.
func (w *world) finishClaims() {
	w.t.Helper()
	for range 2 {
		w.clock.advance(leasesEnd)
		_, err := w.client.work()
		require.NoError(w.t, err)
	}
}

// killInRecovery follows every third crash by another one, at a random point of the recovery, if it gets there.
func (w *world) killInRecovery() {
	if !w.dice.chance(33) {
		return
	}
	before := len(w.spots())
	over := make(chan struct{})
	select {
	case <-w.child.launch(w.t, envStill+"=1", envAt+"="+w.randomPoint(6)):
		go func() {
			defer close(over)
			_, _ = w.client.work() // the answer is lost with the child
		}()
		select {
		case <-w.child.gone:
			<-over
		case <-over:
		}
	case <-w.child.gone: // as it started
	}
	w.child.kill(w.t)
	w.pairs += len(w.spots()) - before
}

// randomPoint is one of the points, at one of its first passages.
func (w *world) randomPoint(most int) string {
	return killPoints[w.dice.intN(len(killPoints))] + ":" + strconv.Itoa(1+w.dice.intN(most))
}

// distinct counts the different values.
func distinct(list []string) int {
	sorted := slices.Sorted(slices.Values(list))
	return len(slices.Compact(sorted))
}
