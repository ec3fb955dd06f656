package crash

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// How often the long test kills, and at least however small its share.
const (
	allKills   = 100
	leastKills = 20
)

// number reads a number of the environment.
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

// TestKills kills the gateway in the middle of bursts, again and again on one file, and asks the others
// whether anything was lost or done twice.
func TestKills(t *testing.T) {
	needsSignals(t)
	kills := number("TOLLGATE_KILLS", max(allKills/number("TOLLGATE_SHARE", 1), leastKills))
	seed := uint64(number("TOLLGATE_SEED", int(time.Now().UnixNano()&0xffffff)))
	t.Logf("TOLLGATE_SEED=%d", seed)
	w := newWorld(t, seed)
	w.acquirer.tell(t, func(w *wishes) { w.Percent = 2 })
	w.merchant.tell(t, func(w *wishes) { w.Percent = 15 })
	w.killOften(kills)
	w.settle()
	e := w.evidence()
	w.child.kill(t)
	w.checkFile()
	w.report(kills, e)
	faults := judge(e)
	require.Empty(t, faults[:min(len(faults), 20)], "%d faults", len(faults))
	requireFalsifiable(t, w.dice, e)
	t.Logf("crash: kills=%d acknowledged=%d", w.child.kills, w.journal.acknowledged.Load())
}

// killOften is the bursts and the kills, 5 to 65 ms after the first request of each. Some children are
// killed as they come up. The clocks move on between two children, so that recovery and redeliveries
// run, and are killed, too.
func (w *world) killOften(kills int) {
	w.t.Helper()
	w.restart()
	for range 10 { // so that there is something to refund from the start
		w.people.Go((&shopper{w: w, order: w.newOrder(w.dice.chance(50)), cards: []string{settles}}).run)
	}
	w.people.Wait()
	for i := range kills {
		time.Sleep(w.dice.upTo(100 * time.Millisecond)) // for those whose answers were lost
		w.burst()
		time.Sleep(w.dice.between(5*time.Millisecond, 65*time.Millisecond))
		w.child.kill(w.t)
		if i%20 == 19 {
			w.checkFile()
		}
		w.clock.advance(w.dice.upTo(40 * time.Second))
		if i%8 == 7 {
			w.child.launch(w.t, w.clock.lead())
			time.Sleep(w.dice.upTo(60 * time.Millisecond))
			w.child.kill(w.t)
		}
		w.restart()
	}
}

// report prints what happened.
func (w *world) report(kills int, e evidence) {
	ids, outcomes, approved := map[string]bool{}, 0, 0
	for _, d := range e.Deliveries {
		if !ids[d.ID] && tellsOutcome(d) {
			outcomes++
		}
		ids[d.ID] = true
	}
	for _, entry := range e.Ledger {
		approved += entry.Effects
	}
	payments := 0
	for _, list := range e.Payments {
		payments += len(list)
	}
	w.t.Logf("cycles %d, kills %d (%d at start-up), clocks moved %s", kills, w.child.kills, kills/8, w.clock.lead().Round(time.Minute))
	w.t.Logf("requests %d, answers lost %d, acknowledged %d, orders %d, payments %d, follow-ups acknowledged %d, payers away during a kill %d",
		w.client.requests.Load(), w.client.lost.Load(), w.journal.acknowledged.Load(), len(e.Orders), payments, len(e.FollowUps), w.journal.tarried.Load())
	w.t.Logf("acquirer's entries %d, effects %d, resolved by recovery %d", len(e.Ledger), approved, w.acquirer.books(w.t, "").Recovered)
	w.t.Logf("callbacks %d (outcomes %d), deliveries %d, duplicates %d", len(ids), outcomes, len(e.Deliveries), len(e.Deliveries)-len(ids))
}

// requireFalsifiable drops one outcome from the merchant's log, and wants the judge to miss it.
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
	require.NotEmpty(t, judge(e), "callback %s is missing, and nobody sees it", lost)
}
