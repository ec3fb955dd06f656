package crash

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/vcard"
)

// evidence collects the judge's evidence while the last child still runs.
func (w *world) evidence() evidence {
	w.t.Helper()
	var e evidence
	var err error
	e.Orders, e.FollowUps = w.journal.promises()
	e.Deliveries = w.merchant.deliveries()
	e.Ledger = w.acquirer.books(w.t, "").Ledger
	e.Payments = map[string][]payment{}
	for _, o := range e.Orders {
		e.Payments[o.Number], err = w.client.payments(o.Number)
		require.NoError(w.t, err, o.Number)
		if o.Link == "" {
			continue
		}
		page, err := w.client.get(w.t.Context(), o.Link)
		require.NoError(w.t, err)
		if page.status >= 400 {
			e.DeadLinks = append(e.DeadLinks, o.Number)
		}
	}
	e.Later = w.later(e)
	left, err := w.client.work()
	require.NoError(w.t, err)
	e.Doubts = left.Doubts
	e.Complaints = complaints(w.child.errors.String() + w.acquirer.errors.String() + w.merchant.errors.String())
	return e
}

// later waits once more and lists what still happened: it must be nothing, otherwise the evidence was incomplete.
func (w *world) later(e evidence) (came []string) {
	w.t.Helper()
	w.wait()
	for _, d := range w.merchant.deliveries()[len(e.Deliveries):] {
		came = append(came, "callback "+d.ID)
	}
	known := map[string]bool{}
	for _, entry := range e.Ledger {
		known[written(w.t, entry)] = true
	}
	for _, entry := range w.acquirer.books(w.t, "").Ledger {
		if !known[written(w.t, entry)] {
			came = append(came, string(entry.Kind)+" "+entry.Key)
		}
	}
	return came
}

// written is an entry as the books have it.
func written(t *testing.T, entry vcard.Entry) string {
	t.Helper()
	text, err := json.Marshal(entry)
	require.NoError(t, err)
	return string(text)
}

// complaints returns what children logged, without requests whose clients were gone, and without callbacks whose last
// try failed: the merchant of the test refuses often, and judgeDeliveries refuses a callback that it never accepted.
func complaints(log string) string {
	var rest []string
	for line := range strings.Lines(log) {
		if !strings.Contains(line, "context canceled") && !strings.Contains(line, dead) {
			rest = append(rest, line)
		}
	}
	return strings.Join(rest[:min(len(rest), 50)], "")
}

// dead is the message of an event that a person looks at (docs/events.md), and no fault of the gateway.
const dead = "a callback is dead: its last try failed"
