package crash

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// honest is what a few orders without any kill leave behind: order 1 is settled and partly refunded, 2 is
// held and captured, 3 is declined at first.
func honest(t *testing.T) evidence {
	t.Helper()
	w := newWorld(t, 1)
	w.restart()
	for i, cards := range [][]string{{settles}, {settles}, {declines, settles}} {
		o := w.newOrder(i == 1)
		(&shopper{w: w, order: o, cards: cards}).run()
		require.NotEmpty(t, o.Paid)
		body := map[string]any{"payment_id": o.Paid, "amount": "3.00"}
		switch i {
		case 0:
			r, err := w.client.call("/api/v1/payment/refund", body, o.Paid, "3.00")
			require.NoError(t, err)
			require.Equal(t, 200, r.status, r.body)
			w.journal.followed(followUp{Payment: o.Paid, Kind: "refund"})
		case 1:
			r, err := w.client.call("/api/v1/payment/capture", body, o.Paid, "3.00")
			require.NoError(t, err)
			require.Contains(t, r.body, `"SUCCESS"`)
			w.journal.followed(followUp{Payment: o.Paid, Kind: "capture", Verdict: "SUCCESS"})
		}
	}
	w.settle()
	return w.evidence()
}

func (e evidence) clone() evidence {
	e.Orders, e.FollowUps, e.Ledger = slices.Clone(e.Orders), slices.Clone(e.FollowUps), slices.Clone(e.Ledger)
	e.Deliveries, e.Payments = slices.Clone(e.Deliveries), maps.Clone(e.Payments)
	for number, list := range e.Payments {
		e.Payments[number] = slices.Clone(list)
	}
	return e
}

func (e *evidence) entry(kind store.Operation) *vcard.Entry {
	return &e.Ledger[slices.IndexFunc(e.Ledger, func(entry vcard.Entry) bool { return entry.Kind == kind })]
}

func (e *evidence) dropCallbacks(kind string) {
	e.Deliveries = slices.DeleteFunc(e.Deliveries, func(d delivery) bool { return d.Form.Get("type") == kind })
}

// TestJudgeCanFail doctors honest evidence with one fault each.
func TestJudgeCanFail(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	whole := honest(t)
	require.Empty(t, judge(whole))
	amount, err := store.ParseAmount("1000.00")
	require.NoError(t, err)
	for _, c := range []struct {
		name   string
		doctor func(*evidence)
		fault  string
	}{
		{"lost callback of a sale", func(e *evidence) { e.dropCallbacks("sale") }, "nobody told the merchant of SALE"},
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
		{"due", func(e *evidence) { e.Due = true }, "still due"},
		{"complaint", func(e *evidence) { e.Complaints = "panic: oh" }, "panic: oh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := whole.clone()
			c.doctor(&e)
			require.Contains(t, strings.Join(judge(e), "\n"), c.fault)
		})
	}
}

// TestFaultsAreSeen runs gateways that do wrong.
func TestFaultsAreSeen(t *testing.T) {
	needsSignals(t)
	t.Parallel()
	for _, c := range []struct {
		name, env, card, fault string
		settle                 bool
	}{
		{"nothing wrong", "", unheard, "", true},
		{"callbacks dropped", envFault + "=" + faultDrops, settles, "nobody told the merchant", true},
		{"charges twice", envFault + "=" + faultTwice, settles, "was charged 2 times", true},
		{"no recovery", "", unheard, "the merchant was never told the outcome", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1, c.env)
			w.restart()
			for range 5 {
				(&shopper{w: w, order: w.newOrder(false), cards: []string{c.card}}).run()
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
