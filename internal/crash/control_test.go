package crash

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// doctored is evidence with one fault, and the judge's expected complaint.
type doctored struct {
	name   string
	doctor func(*evidence)
	fault  string
}

// TestJudgeCanFail changes honest evidence by one fault each.
func TestJudgeCanFail(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	amount, err := store.ParseAmount("1000.00")
	require.NoError(t, err)
	requireSeen(t, []doctored{
		{"lost callback of a sale", func(e *evidence) { e.dropCallbacks("sale") }, "the merchant got no callback of SALE"},
		{"lost callback of a refund", func(e *evidence) { e.dropCallbacks("refund") }, "times refund was promised and is lost"},
		{"never accepted", func(e *evidence) { e.Deliveries[0].Accepted = false }, "was never accepted"},
		{"changed when it came again", func(e *evidence) {
			again := e.Deliveries[0]
			again.Body += "&x=1"
			e.Deliveries = append(e.Deliveries, again)
		}, "was changed"},
		{"told twice under two ids", func(e *evidence) {
			again := e.Deliveries[0]
			again.ID = strings.Replace(again.ID, ".0001", ".0009", 1)
			e.Deliveries = append(e.Deliveries, again)
		}, "has 2 outcomes"},
		{"out of order", func(e *evidence) { slices.Reverse(e.Deliveries) }, "was expected"},
		{"not signed", func(e *evidence) {
			e.Deliveries[0].Form = maps.Clone(e.Deliveries[0].Form)
			e.Deliveries[0].Form.Set("hash", "")
		}, "is not signed"},
		{"wrong order status", func(e *evidence) {
			e.Deliveries[0].Form = maps.Clone(e.Deliveries[0].Form)
			e.Deliveries[0].Form.Set("order_status", "pending")
		}, "of a SALE says"},
		{"charged twice under a key", func(e *evidence) { e.entry(store.OpSale).Effects = 2 }, "booked"},
		{"charged twice for an order", func(e *evidence) {
			again := *e.entry(store.OpSale)
			again.Key = "tg-another"
			e.Ledger = append(e.Ledger, again)
		}, "was charged 2 times"},
		{"charge that was undone in the books", func(e *evidence) { e.entry(store.OpSale).State = vcard.StateDeclined }, "the acquirer says fail"},
		{"still open", func(e *evidence) { e.entry(store.OpAuth).State = vcard.StatePending }, "open: pending"},
		{"refunded too much", func(e *evidence) { e.entry(store.OpSale).Refunded = amount }, "more refunded than captured"},
		{"captured too much", func(e *evidence) { e.entry(store.OpAuth).Captured = amount }, "more captured than authorized"},
		{"payment lost", func(e *evidence) { e.Payments[e.Orders[0].Number] = nil }, "was told and is lost"},
		{"payment in another state", func(e *evidence) { e.Payments[e.Orders[0].Number][0].Status = "decline" }, "the acquirer's books say refund"},
		{"payment open", func(e *evidence) { e.Payments[e.Orders[1].Number][0].Status = "prepare" }, "is prepare"},
		{"dead link", func(e *evidence) { e.DeadLinks = []string{"ORD-000001"} }, "leads nowhere"},
		{"broken promise", func(e *evidence) { e.FollowUps = append(e.FollowUps, e.FollowUps...) }, "promised and is lost"},
		{"in doubt", func(e *evidence) { e.Doubts = 1 }, "wait for a person"},
		{"not over", func(e *evidence) { e.Later = []string{"callback 5.0003"} }, "came when everything was over"},
		{"charged unasked", func(e *evidence) { e.Orders[0].Asks = 0 }, "1 charges for 0 requests"},
		{"refunded unasked", func(e *evidence) { e.FollowUps = nil }, "refund was done without a request"},
		{"complaint", func(e *evidence) { e.Complaints = "panic: oh" }, "panic: oh"},
	})
}

// TestJudgeCanFailChains does the same for scheduled charges and hosted fields.
func TestJudgeCanFailChains(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	requireSeen(t, []doctored{
		{"scheduled payment missing", func(e *evidence) { e.forget(e.recurring(1)) }, "the schedule charged 1 times, not 2"},
		{"scheduled payment charged twice", func(e *evidence) { e.again(e.recurring(1)) }, "the schedule charged 3 times, not 2"},
		{"scheduled payment charged twice in secret", func(e *evidence) {
			another := *e.charge(e.recurring(1))
			another.Key = "tg-another"
			e.Ledger = append(e.Ledger, another)
		}, "was charged 2 times"},
		{"scheduled payment charged twice under a key", func(e *evidence) { e.charge(e.recurring(0)).Effects = 2 }, "booked"},
		{"scheduled payment too early", func(e *evidence) {
			late := e.charge(e.recurring(1))
			late.At = late.At.Add(-24 * time.Hour)
		}, "came before its date"},
		{"scheduled payment declined", func(e *evidence) { e.charge(e.recurring(0)).State = vcard.StateDeclined }, "was not taken"},
		{"lost callback of a scheduled payment", func(e *evidence) { e.dropCallbacks("recurring") }, "the merchant got no callback of SALE"},
		{"schedule charges who is on none", func(e *evidence) { e.Orders[3].Chain = false }, "the schedule charged 2 times, not 0"},
		{"hosted payment lost", func(e *evidence) { e.Payments[e.Orders[4].Number] = nil }, "was told and is lost"},
		{"hosted payment not charged", func(e *evidence) {
			e.Ledger = slices.DeleteFunc(e.Ledger, func(entry vcard.Entry) bool {
				return entry.Order == e.Orders[4].Number && entry.Effects > 0
			})
		}, "the acquirer says fail"},
		{"hosted payment charged twice", func(e *evidence) {
			i := slices.IndexFunc(e.Ledger, func(entry vcard.Entry) bool {
				return entry.Order == e.Orders[4].Number && entry.Effects > 0
			})
			another := e.Ledger[i]
			another.Key = "tg-another"
			e.Ledger = append(e.Ledger, another)
		}, "was charged 2 times"},
	})
}

func requireSeen(t *testing.T, list []doctored) {
	t.Helper()
	whole := honest(t)
	require.Empty(t, judge(whole))
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := whole.clone()
			c.doctor(&e)
			require.Contains(t, strings.Join(judge(e), "\n"), c.fault)
		})
	}
}

// TestFiguresCanFail checks that the figures in the last line are counted: losses and double charges change them.
func TestFiguresCanFail(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	whole := honest(t)
	require.Equal(t, tally{callbacks: 11, scheduled: occurrences, hosted: 1}, count(whole))
	for _, c := range []struct {
		name   string
		doctor func(*evidence)
		seen   func(tally) int
	}{
		{"lost", func(e *evidence) { e.Payments[e.Orders[4].Number] = nil }, func(t tally) int { return t.lost }},
		{"not charged", func(e *evidence) { e.entry(store.OpSale).Effects = 0 }, func(t tally) int { return t.lost }},
		{"charged twice under a key", func(e *evidence) { e.entry(store.OpSale).Effects = 2 }, func(t tally) int { return t.twice }},
		{"scheduled payment charged twice", func(e *evidence) { e.again(e.recurring(1)) }, func(t tally) int { return t.twice }},
		{"callback lost", func(e *evidence) { e.Deliveries = e.Deliveries[1:] }, func(t tally) int { return t.untold }},
		{"callback not accepted", func(e *evidence) { e.Deliveries[0].Accepted = false }, func(t tally) int { return min(t.untold, 1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := whole.clone()
			c.doctor(&e)
			require.Equal(t, 1, c.seen(count(e)))
		})
	}
}

// TestFaultsAreSeen runs gateways with a fault.
func TestFaultsAreSeen(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	hosted := func(w *world) *shopper { return w.newHosted(settles) }
	chain := func(w *world) *shopper { return w.newChain(settles) }
	for _, c := range []struct {
		name, env string
		buyer     func(*world) *shopper
		fault     string
		settle    bool
	}{
		{"nothing wrong", "", cardOf(unheard), "", true},
		{"callbacks dropped", envFault + "=" + faultDrops, cardOf(settles), "the merchant got no callback", true},
		{"callbacks of hosted payments dropped", envFault + "=" + faultDrops, hosted, "the merchant got no callback", true},
		{"charges twice", envFault + "=" + faultTwice, cardOf(settles), "was charged 2 times", true},
		{"charges hosted payments twice", envFault + "=" + faultTwice, hosted, "was charged 2 times", true},
		{"charges schedules twice", envFault + "=" + faultTwice, chain, "was charged 4 times", true}, // once as requested, and all three once more
		{"no recovery", "", cardOf(unheard), "the merchant was never told the outcome", false},
		{"recovery that comes later", "", cardOf(unheard), "came when everything was over", false},
		{"no schedule", "", chain, "the schedule charged 0 times, not 2", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1, c.env)
			w.restart()
			w.createSchedule()
			for range 5 {
				c.buyer(w).run()
			}
			if c.settle {
				w.settle()
			}
			faults := judge(w.evidence())
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Contains(t, strings.Join(faults, "\n"), c.fault)
		})
	}
}
