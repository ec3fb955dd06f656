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
	Wrapped                               bool // as a gift
	PlacedAt                              time.Time
	Link                                  string // where to pay; empty when the gateway refused
	Token                                 string // of the session, where the shop's own page takes the card
	Tried                                 bool   // to pay there: the session cannot be updated any more
	Name                                  string // of the payer
	Country                               string // of the payer
	Plan                                  subscription
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

// data is what the gateway keeps for the shop.
func (o *order) data() map[string]any {
	data := map[string]any{"product": o.Product.ID, "quantity": o.Quantity}
	if o.Wrapped {
		data["gift_wrapping"] = true
	}
	return data
}

// mayWrap reports an order that the payer can still have wrapped. A subscription cannot.
func (o *order) mayWrap() bool { return !o.Wrapped && !o.Tried && o.Product.Plan == nil }

// wrap makes a present of an order, which costs.
func (o *order) wrap() { o.Wrapped, o.Amount = true, o.Product.Gift(o.Quantity) }

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

// change changes the order of a number, if it is remembered.
func (all *orders) change(number string, change func(*order)) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, o := range all.list {
		if o.Number == number {
			change(o)
		}
	}
}

// note adds what was said about an order.
func (all *orders) note(number string, e exchange) {
	all.change(number, func(o *order) {
		if len(o.Exchanges) == maxExchanges {
			o.Exchanges = slices.Delete(o.Exchanges, 0, 1)
		}
		o.Exchanges = append(o.Exchanges, e)
	})
}

func (o *order) copy() order {
	c := *o
	c.Exchanges = slices.Clone(o.Exchanges)
	c.Plan.Payments = slices.Clone(o.Plan.Payments)
	return c
}
