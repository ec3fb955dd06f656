package crash

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// How often the long test kills, and the least share of each kind.
const (
	allKills   = 100
	leastKills = 20
)

// number reads a number from the environment.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return otherwise
}

func needsSignals(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("children inherit a listener")
	}
}

// TestKills kills the gateway in the middle of bursts, repeatedly on one file, and compares the books of acquirer,
// merchant and clients: nothing may be lost or done twice.
func TestKills(t *testing.T) {
	needsSignals(t)
	kills := number("TOLLGATE_KILLS", max(allKills/number("TOLLGATE_SHARE", 1), leastKills))
	seed := uint64(number("TOLLGATE_SEED", int(time.Now().UnixNano()&0xffffff)))
	t.Logf("TOLLGATE_SEED=%d", seed)
	began := time.Now()
	w := newWorld(t, seed, envTimeout+"="+shortCall.String())
	w.acquirer.instruct(t, func(w *wishes) { w.Percent = 2 })
	w.merchant.instruct(t, func(w *wishes) { w.Percent = 15 })
	w.killOften(kills)
	w.settle()
	e := w.evidence()
	w.child.kill(t)
	w.checkFile()
	w.report(e)
	w.printFigures(e, time.Since(began))
	faults := judge(e)
	require.Empty(t, faults[:min(len(faults), 20)], "%d faults", len(faults))
	requireFalsifiable(t, w.dice, e)
	if kills >= allKills {
		w.requireLoad(e)
	}
}

// requireLoad checks that each kind of operation happened. Voids and reversals are rare; TestKillAtEveryPoint has
// them for sure.
func (w *world) requireLoad(e evidence) {
	w.t.Helper()
	t := count(e)
	require.Positive(w.t, t.scheduled)
	require.Positive(w.t, t.hosted)
	require.Positive(w.t, w.stopped)
	require.NotEmpty(w.t, w.spots())
	for _, kind := range []store.Operation{store.OpSale, store.OpAuth, store.OpCapture, store.OpRefund} {
		done := func(entry vcard.Entry) bool { return entry.Kind == kind && approved(entry) }
		require.True(w.t, slices.ContainsFunc(e.Ledger, done), "no %s in all the load", kind)
	}
}

// report prints what happened beside the figures.
func (w *world) report(e evidence) {
	approved, payments := 0, 0
	for _, entry := range e.Ledger {
		approved += entry.Effects
	}
	for _, list := range e.Payments {
		payments += len(list)
	}
	ids := map[string]bool{}
	for _, d := range e.Deliveries {
		ids[d.ID] = true
	}
	w.t.Logf("clocks moved %s, payers away during a kill %d", w.clock.lead().Round(time.Minute), w.journal.tarried.Load())
	w.t.Logf("requests %d, answers lost %d, orders %d, payments %d, follow-ups %d", w.client.requests.Load(),
		w.client.lost.Load(), len(e.Orders), payments, len(e.FollowUps))
	w.t.Logf("acquirer's entries %d, effects %d; deliveries %d, duplicates %d", len(e.Ledger), approved,
		len(e.Deliveries), len(e.Deliveries)-len(ids))
}

// requireFalsifiable removes one outcome from the merchant's log, and requires the judge to miss it.
func requireFalsifiable(t *testing.T, d *dice, e evidence) {
	t.Helper()
	var outcomes []string
	for _, told := range e.Deliveries {
		if tellsOutcome(told) {
			outcomes = append(outcomes, told.ID)
		}
	}
	require.NotEmpty(t, outcomes)
	lost := outcomes[d.intN(len(outcomes))]
	e.Deliveries = slices.DeleteFunc(slices.Clone(e.Deliveries), func(told delivery) bool { return told.ID == lost })
	require.NotEmpty(t, judge(e), "the judge misses that callback %s is missing", lost)
}
