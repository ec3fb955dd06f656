package crash

import (
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// order is an order, the requests for it, and what the gateway has reported about it.
type order struct {
	Number, Amount string
	Hold           bool
	Hosted         bool     // paid by hosted fields
	Chain          bool     // its payment begins a chain on the schedule
	Link           string   // the session's, once it was returned
	Paid           string   // the payment that was reported to the payer as paid
	Named          []string // every payment that was reported to the payer

	Asks  int       // requests to pay that were sent, answered or not
	First time.Time // by the clock, when the first of them was sent
}

// The answer to a request.
const (
	answerKept    = "kept"    // a success, or accepted: a promise
	answerRefused = "refused" // declined or refused
	answerMissing = "missing" // no answer
)

// followUp is a request to capture, refund or void, and its answer.
type followUp struct {
	Payment, Kind string // kind is capture, refund or void
	Answer        string
	Verdict       string // of an accepted capture or void: SUCCESS, FAIL or UNDEFINED
}

// journal is what clients know: their requests, and the promises that the gateway has to keep.
type journal struct {
	mu        sync.Mutex
	orders    []*order
	paidFor   []*order // those of them that were reported as paid
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

// asked records a request to pay before it is sent.
func (j *journal) asked(o *order, now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if o.Asks++; o.Asks == 1 {
		o.First = now
	}
}

// left records that a payer was redirected to the shop, and with which result.
func (j *journal) left(o *order, location string) {
	u, err := url.Parse(location)
	if err != nil {
		return
	}
	j.named(o, u.Query().Get("payment_id"), strings.HasSuffix(u.Path, "/success"))
}

// named records that a payment of an order was reported to a client, and whether as paid.
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

// paid picks a payment that is known to be paid, for a follow-up; nil when there is none. fresh means that there
// was no follow-up for it yet, because most others are already refunded.
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

// promises returns a copy of everything.
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
