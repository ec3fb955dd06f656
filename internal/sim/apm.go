package sim

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// brand is an S2S APM method that redirects the payer and needs no parameters.
const brand = "araka"

// apm is a purchase by a method other than a card.
func (c *clients) apm() func(context.Context, *instance) {
	r := c.request(actSale)
	r.Protocol, r.Method, r.Identifier, r.Card, r.ReqToken = store.S2SAPM, brand, "success@gmail.com", nil, false
	return func(ctx context.Context, inst *instance) {
		result, err := inst.gw.Merchant(r.key).Charge(ctx, r.ChargeRequest)
		c.judgeResult("apm", result, err)
		if err == nil && result.Redirect != nil && result.Redirect.ThreeDS {
			c.w.fail("S1: the payer of %s by %s is sent to a card's issuer", result.Payment.ID, brand)
		}
	}
}

// rotate gives the key provider a new current key. Values sealed under an earlier one must still open.
func (c *clients) rotate() func(context.Context, *instance) {
	return func(context.Context, *instance) { c.w.keys.rotate() }
}

// callbackURL returns a payment's callback URL, in worlds where requests bring one: one of eight of the merchant's,
// or of a host that all merchants share. It draws no random numbers, so that existing seeds do not change.
func (c *clients) callbackURL(merchantKey string) string {
	at := "/orders/" + itoa(c.orders%8)
	switch merchant := itoa(slices.Index(merchantKeys[:], merchantKey)); c.w.cfg.Seed % 9 {
	case 2, 5:
		return "https://m" + merchant + ".example" + at
	case 7:
		return "https://hooks.example/m" + merchant + at
	}
	return ""
}

// charge is a request of a merchant.
type charge struct {
	key string
	gateway.ChargeRequest
}

// request is a charge of a kind with its own order.
func (c *clients) request(act action) charge {
	card, key := c.card(), c.key()
	r := gateway.ChargeRequest{
		Protocol: store.S2SCard, Action: "SALE", Kind: store.Purchase, Order: c.newOrder(), Card: &card,
		Payer:     store.Payer{FirstName: "John", LastName: "Doe", Email: "doe@example.com", IP: "203.0.113.7"},
		ReturnURL: "https://shop.example/back",
		ReqToken:  c.w.rng.IntN(4) == 0,
	}
	if act != actCharge {
		r.CallbackURL = c.callbackURL(key)
	}
	switch act {
	case actAuth:
		r.Hold = true
	case actDebit:
		r.Kind, r.Action = store.Debit, "DEBIT"
	case actCharge:
		r.Protocol, r.Action, r.Payer = "", "", store.Payer{Name: "John Doe", Email: "doe@example.com"}
		r.Hold = c.w.rng.IntN(3) == 0
	case actChain:
		r.RecurringInit, r.Hold = true, c.w.rng.IntN(3) == 0
	case actSubscribe:
		r.RecurringInit, r.ScheduleID, r.Hold = true, c.scheduleOf(key), c.w.rng.IntN(3) == 0
	}
	return charge{key, r}
}
