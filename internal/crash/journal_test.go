package crash

import (
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// order is an order, what was asked for it, and what the gateway has told about it.
type order struct {
	Number, Amount string
	Hold           bool
	Hosted         bool     // paid by hosted fields
	Chain          bool     // its payment begins a chain on the schedule
	Link           string   // the session's, once it was told
	Paid           string   // the payment that the payer was told is paid
	Named          []string // every payment that was named to him

	Asks  int       // requests to pay that were sent, answered or not
	First time.Time // by the clock, when the first of them was sent
}

// What came of a request.
const (
	answerKept    = "kept"    // a success, or accepted: a promise
	answerRefused = "refused" // it came to nothing, says the answer
	answerMissing = "missing" // nobody knows
)

// followUp is a request to capture, refund or void, and its answer.
type followUp struct {
	Payment, Kind string // kind is capture, refund or void
	Answer        string
	Verdict       string // of a capture or void that was accepted: SUCCESS, FAIL or UNDEFINED
}

// journal is what clients know: what they asked for, and the promises that the gateway has to keep.
type journal struct {
	mu        sync.Mutex
	orders    []*order
	paidFor   []*order // those of them that were told to be paid
	used      int      // how many of those were picked as fresh ones
	followUps []followUp

	acknowledged atomic.Int64 // answers that promise something
	tarried      atomic.Int64 // payers who were away while a child died
}

func (j *journal) add(o *order) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.orders = append(j.orders, o)
}

func (j *journal) opened(o *order, link string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	o.Link = link
	if link != "" {
		j.acknowledged.Add(1)
	}
}

// asked notes a request to pay before it is sent.
func (j *journal) asked(o *order, now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if o.Asks++; o.Asks == 1 {
		o.First = now
	}
}

// left notes that a payer was sent back to the shop, and with which news.
func (j *journal) left(o *order, location string) {
	u, err := url.Parse(location)
	if err != nil {
		return
	}
	j.named(o, u.Query().Get("payment_id"), strings.HasSuffix(u.Path, "/success"))
}

// named notes that a payment of an order was named to a client, and whether as a paid one.
func (j *journal) named(o *order, id string, paid bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	o.Named = append(o.Named, id)
	if paid {
		o.Paid, j.paidFor = id, append(j.paidFor, o)
		j.acknowledged.Add(1)
	}
}

func (j *journal) followed(f followUp) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.followUps = append(j.followUps, f)
	if f.Answer == answerKept {
		j.acknowledged.Add(1)
	}
}

// paid picks a payment that is known to be paid, for a follow-up; nil when there is none. Where there is a
// fresh one, nobody has asked for anything yet: most others are given back already.
func (j *journal) paid(d *dice) (o *order, fresh bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.paidFor) == 0 {
		return nil, false
	}
	n := d.intN(len(j.paidFor))
	if fresh = j.used < len(j.paidFor) && d.chance(60); fresh {
		n = j.used
		j.used++
	}
	found := *j.paidFor[n]
	return &found, fresh
}

// promises is a copy of it all.
func (j *journal) promises() (orders []order, followUps []followUp) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, o := range j.orders {
		known := *o
		known.Named = slices.Clone(o.Named)
		orders = append(orders, known)
	}
	return orders, slices.Clone(j.followUps)
}
