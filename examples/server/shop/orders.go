package shop

import (
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
)

// maxOrders and maxExchanges bound what is remembered; the oldest go first.
const (
	maxOrders    = 1000
	maxExchanges = 30
)

// order is what a payer wants. The return hash and every callback are checked against it.
type order struct {
	Number, Amount, Currency, Description string
	Product                               product
	Quantity                              int
	Hold                                  bool // authorize only
	PlacedAt                              time.Time
	Link                                  string // the payment page; empty when the gateway refused
	Exchanges                             []exchange
}

// newNumber is a new order number, hard to guess and easy to read out.
func newNumber() string { return "LARK-" + rand.Text()[:10] }

// signed is what the hashes of callbacks and returns cover.
func (o *order) signed(paymentID string) signature.Inputs {
	return signature.Inputs{
		PaymentID: paymentID, OrderNumber: o.Number, Amount: o.Amount, Currency: o.Currency, Description: o.Description,
	}
}

// orders remembers orders in the order in which they were placed.
type orders struct {
	mu   sync.Mutex
	list []*order
}

func (all *orders) add(o order) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if len(all.list) == maxOrders {
		all.list = slices.Delete(all.list, 0, 1)
	}
	all.list = append(all.list, &o)
}

// find answers a copy, which nobody else changes.
func (all *orders) find(number string) (order, bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, o := range all.list {
		if o.Number == number {
			return o.copy(), true
		}
	}
	return order{}, false
}

// newest answers copies of the newest orders, newest first.
func (all *orders) newest(limit int) (list []order) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for i := len(all.list) - 1; i >= 0 && len(list) < limit; i-- {
		list = append(list, all.list[i].copy())
	}
	return list
}

// note adds what was said about an order.
func (all *orders) note(number string, e exchange) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, o := range all.list {
		if o.Number != number {
			continue
		}
		if len(o.Exchanges) == maxExchanges {
			o.Exchanges = slices.Delete(o.Exchanges, 0, 1)
		}
		o.Exchanges = append(o.Exchanges, e)
	}
}

func (o *order) copy() order {
	c := *o
	c.Exchanges = slices.Clone(o.Exchanges)
	return c
}
