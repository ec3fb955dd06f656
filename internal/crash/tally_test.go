package crash

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods/vcard"
)

// tally is the figures of a run, counted from the ledgers and independent of the judge.
type tally struct {
	lost, twice, callbacks, untold int
	scheduled, hosted              int
}

func count(e evidence) (t tally) {
	told, accepted := map[string]string{}, map[string]bool{} // outcomes by transaction, callbacks by id
	for _, d := range e.Deliveries {
		accepted[d.ID] = accepted[d.ID] || d.Accepted
		if tellsOutcome(d) && d.Accepted {
			told[d.Form.Get("trans_id")] = d.Form.Get("type")
		}
	}
	t.callbacks = len(accepted)
	for _, ok := range accepted {
		if !ok {
			t.untold++
		}
	}
	charged := map[string]int{}
	for _, entry := range e.Ledger {
		kind, ok := told[strings.TrimPrefix(entry.Key, "tg-")]
		t.add(entry, kind, charged)
		if !ok {
			t.untold++
		}
	}
	t.ofOrders(e, charged)
	return t
}

// add counts an entry by what was reported to the merchant.
func (t *tally) add(entry vcard.Entry, kind string, charged map[string]int) {
	t.twice += max(entry.Effects-1, 0)
	switch {
	case !charges(entry) || entry.Effects == 0:
	case kind == "recurring":
		t.scheduled++
		charged["schedule of "+entry.Order]++
	default:
		charged[entry.Order]++
	}
}

func (t *tally) ofOrders(e evidence, charged map[string]int) {
	for _, o := range e.Orders {
		due := 0
		if o.Chain {
			due = occurrences
		}
		t.twice += max(charged[o.Number]-1, 0) + max(charged["schedule of "+o.Number]-due, 0)
		if o.Hosted {
			t.hosted += charged[o.Number]
		}
		if o.Paid == "" {
			continue
		}
		there := slices.ContainsFunc(e.Payments[o.Number],
			func(p payment) bool { return p.ID == o.Paid && p.Status != "decline" })
		if !there || charged[o.Number] == 0 {
			t.lost++
		}
	}
}

// printFigures prints the figures of a run in one line.
func (w *world) printFigures(e evidence, took time.Duration) {
	t, spots := count(e), w.spots()
	words := []string{
		fmt.Sprintf("kills=%d", w.child.kills), fmt.Sprintf("points=%d", distinct(spots)),
		fmt.Sprintf("killed_at_points=%d", len(spots)),
		fmt.Sprintf("killed_in_recovery=%d", w.pairs), fmt.Sprintf("stopped=%d", w.stopped),
		fmt.Sprintf("acknowledged=%d", w.journal.acknowledged.Load()), fmt.Sprintf("lost=%d", t.lost),
		fmt.Sprintf("charged_twice=%d", t.twice),
		fmt.Sprintf("callbacks=%d", t.callbacks), fmt.Sprintf("callbacks_lost=%d", t.untold),
		fmt.Sprintf("resolved_by_recovery=%d", w.acquirer.books(w.t, "").Recovered),
		fmt.Sprintf("scheduled=%d", t.scheduled), fmt.Sprintf("hosted=%d", t.hosted),
		fmt.Sprintf("seconds=%.0f", took.Seconds()),
		fmt.Sprintf("kills_per_minute=%.0f", float64(w.child.kills)/took.Minutes()),
	}
	w.t.Log("crash: " + strings.Join(append(words, w.beside.struck()...), " "))
}
