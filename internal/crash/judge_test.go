package crash

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// evidence is what the other processes know, and the gateway's final state.
type evidence struct {
	Orders     []order
	FollowUps  []followUp
	Ledger     []vcard.Entry        // the acquirer's
	Deliveries []delivery           // the merchant's
	Payments   map[string][]payment // the gateway's, by order

	DeadLinks  []string // orders whose link does not work
	Doubts     int      // transactions that wait for a person
	Later      []string // what came after the end: callbacks, and changes of the ledger
	Complaints string   // what the children wrote to standard error
}

// bench is the evidence, sorted for the judges.
type bench struct {
	evidence
	entries map[string]vcard.Entry   // by transaction
	charges map[string][]vcard.Entry // those that charge, by order
	final   map[string][]delivery    // the callbacks with an outcome, one per id, by transaction
	charged map[string][]string      // the transactions whose outcome charges a payment, by payment
	faults  []string
}

// judge lists every fault. It does not trust the gateway without evidence from others.
func judge(e evidence) []string {
	b := &bench{
		evidence: e, entries: map[string]vcard.Entry{}, charges: map[string][]vcard.Entry{},
		final: map[string][]delivery{}, charged: map[string][]string{},
	}
	for _, entry := range e.Ledger {
		b.entries[strings.TrimPrefix(entry.Key, "tg-")] = entry
		if charges(entry) {
			b.charges[entry.Order] = append(b.charges[entry.Order], entry)
		}
	}
	b.judgeDeliveries()
	b.judgeLedger()
	b.judgePayments()
	b.judgePromises()
	b.judgeChains()
	b.refuse(e.Doubts > 0, "%d transactions wait for a person", e.Doubts)
	for _, what := range e.Later {
		b.refuse(true, "%s came when everything was over", what)
	}
	b.refuse(e.Complaints != "", "complaints: %s", e.Complaints)
	return b.faults
}

func (b *bench) refuse(wrong bool, format string, args ...any) {
	if wrong {
		b.faults = append(b.faults, fmt.Sprintf(format, args...))
	}
}

// judgeDeliveries checks that every callback is signed, is accepted in the end, and has the same bytes each time;
// that a payment's callbacks are complete and in order; and that each transaction has one outcome, equal to the
// acquirer's.
func (b *bench) judgeDeliveries() {
	first, accepted := map[string]delivery{}, map[string]bool{}
	last := map[string]int{} // number of the newest callback, by payment
	for _, d := range b.Deliveries {
		accepted[d.ID] = accepted[d.ID] || d.Accepted
		if known, ok := first[d.ID]; ok {
			b.refuse(known.Body != d.Body, "callback %s was changed", d.ID)
			continue
		}
		first[d.ID] = d
		f := d.Form
		id := f.Get("payment_id")
		last[id]++
		b.refuse(d.ID != store.CallbackID(id, last[id]), "callback %s came where number %d was expected", d.ID, last[id])
		hash := sign(f.Get("payment_id"), f.Get("order_number"), f.Get("order_amount"), f.Get("order_currency"),
			f.Get("order_description"))
		b.refuse(f.Get("hash") != hash, "callback %s is not signed", d.ID)
		if tellsOutcome(d) {
			b.final[f.Get("trans_id")] = append(b.final[f.Get("trans_id")], d)
			if kind := f.Get("type"); kind == "sale" || kind == "recurring" {
				b.charged[id] = append(b.charged[id], f.Get("trans_id"))
			}
		}
	}
	for id, ok := range accepted {
		b.refuse(!ok, "callback %s was never accepted", id)
	}
	for transaction, told := range b.final {
		b.refuse(len(told) > 1, "transaction %s has %d outcomes", transaction, len(told))
		b.judgeOutcome(transaction, told[0])
	}
}

func tellsOutcome(d delivery) bool {
	kind, status := d.Form.Get("type"), d.Form.Get("status")
	return kind != "3ds" && kind != "redirect" && (status == "success" || status == "fail")
}

// judgeOutcome compares a callback with the acquirer's entry. A request that never reached the acquirer must have
// failed.
func (b *bench) judgeOutcome(transaction string, d delivery) {
	entry, known := b.entries[transaction]
	status := "fail"
	if known && entry.State == vcard.StateApproved {
		status = "success"
	}
	b.refuse(d.Form.Get("status") != status, "callback %s says %s, the acquirer says %s (%q)", d.ID, d.Form.Get("status"),
		status, entry.State)
	if !known {
		return
	}
	told := row{status, d.Form.Get("type"), d.Form.Get("order_status")}
	b.refuse(!slices.Contains(rows[entry.Kind], told), "callback %s of a %s says %v", d.ID, entry.Kind, told)
}

// row is how a callback reports an operation: transaction, type, order.
type row struct{ status, kind, order string }

// rows is the state table as a merchant sees it (SPEC1; callbacks.md).
var rows = map[store.Operation][]row{
	store.OpSale:     {{"success", "sale", "settled"}, {"fail", "sale", "decline"}, {"success", "recurring", "settled"}},
	store.OpAuth:     {{"success", "sale", "pending"}, {"fail", "sale", "decline"}},
	store.OpCapture:  {{"success", "capture", "settled"}, {"fail", "capture", "pending"}},
	store.OpVoid:     {{"success", "void", "void"}, {"fail", "void", "settled"}},
	store.OpReversal: {{"success", "refund", "reversal"}, {"fail", "refund", "pending"}},
	store.OpRefund:   {{"success", "refund", "refund"}, {"fail", "refund", "settled"}, {"fail", "refund", "refund"}},
}
