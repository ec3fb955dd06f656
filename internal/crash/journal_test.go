package crash

import (
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// order is an order and what the gateway has told about it.
type order struct {
	Number, Amount string
	Hold           bool
	Link           string   // the session's, once it was told
	Paid           string   // the payment that the payer was told is paid
	Named          []string // every payment that was named to him
}

// followUp is a capture, refund or void that the gateway answered with success or accepted.
type followUp struct {
	Payment, Kind string // kind is capture, refund or void
	Verdict       string // of a capture or void: SUCCESS, FAIL or UNDEFINED
}

// journal is what clients know: promises that the gateway has to keep.
type journal struct {
	mu        sync.Mutex
	orders    []*order
	paidFor   []*order // those of them that were told to be paid
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

// left notes that a payer was sent back to the shop, and with which news.
func (j *journal) left(o *order, location string) {
	u, err := url.Parse(location)
	if err != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	id := u.Query().Get("payment_id")
	o.Named = append(o.Named, id)
	if strings.HasSuffix(u.Path, "/success") {
		o.Paid, j.paidFor = id, append(j.paidFor, o)
		j.acknowledged.Add(1)
	}
}

func (j *journal) followed(f followUp) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.followUps = append(j.followUps, f)
	j.acknowledged.Add(1)
}

// paid picks a payment that is known to be paid, for a follow-up; nil when there is none.
func (j *journal) paid(d *dice) *order {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.paidFor) == 0 {
		return nil
	}
	found := *j.paidFor[d.intN(len(j.paidFor))]
	return &found
}

// promises is a copy of it all.
func (j *journal) promises() (orders []order, followUps []followUp) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, o := range j.orders {
		orders = append(orders, *o)
	}
	return orders, slices.Clone(j.followUps)
}
