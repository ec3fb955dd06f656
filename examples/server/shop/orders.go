package shop

import (
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
)

// maxOrders and maxExchanges bound what is kept; the oldest are dropped first.
const (
	maxOrders    = 1000
	maxExchanges = 30
)

// order is an order of a payer. The return hash and every callback are checked against it.
type order struct {
	Number, Amount, Currency, Description string
	Product                               product
	Quantity                              int
	Hold                                  bool // authorize only
	Wrapped                               bool // as a gift
	PlacedAt                              time.Time
	Link                                  string // where to pay; empty when the gateway refused
	Token                                 string // of the session, when the shop's own page takes the card
	Tried                                 bool   // a payment was tried: the session cannot be updated any more
	Name                                  string // of the payer
	Country                               string // of the payer
	Plan                                  subscription
	Exchanges                             []exchange
}

// newNumber returns a new order number, hard to guess and easy to read out.
func newNumber() string { return "LARK-" + rand.Text()[:10] }

// signed returns the inputs of the hashes of callbacks and returns.
func (o *order) signed(paymentID string) signature.Inputs {
	return signature.Inputs{
		PaymentID: paymentID, OrderNumber: o.Number, Amount: o.Amount, Currency: o.Currency, Description: o.Description,
	}
}

// data returns the custom data that the gateway keeps for the shop.
func (o *order) data() map[string]any {
	data := map[string]any{"product": o.Product.ID, "quantity": o.Quantity}
	if o.Wrapped {
		data["gift_wrapping"] = true
	}
	return data
}

// mayWrap reports whether the order can still be wrapped. A subscription cannot.
func (o *order) mayWrap() bool { return !o.Wrapped && !o.Tried && o.Product.Plan == nil }

// wrap marks an order as a gift, which costs more.
func (o *order) wrap() { o.Wrapped, o.Amount = true, o.Product.Gift(o.Quantity) }

// orders keeps orders in the order in which they were placed.
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

// find returns a copy of an order.
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

// newest returns copies of the newest orders, newest first.
func (all *orders) newest(limit int) (list []order) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for i := len(all.list) - 1; i >= 0 && len(list) < limit; i-- {
		list = append(list, all.list[i].copy())
	}
	return list
}

// change changes the order with a number, if it is kept.
func (all *orders) change(number string, change func(*order)) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, o := range all.list {
		if o.Number == number {
			change(o)
		}
	}
}

// note adds an exchange to an order.
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
