package sim

import (
	"context"

	"github.com/tollgatepay/gateway/store"
)

// payout pays to a card: a second effect would be the merchant's loss (M7).
func (c *clients) payout() func(context.Context, *instance) {
	r := c.request(actSale)
	r.Kind, r.Action, r.Payer, r.ReturnURL, r.ReqToken = store.Credit, "CREDIT2CARD", store.Payer{}, "", false
	r.Card.Code = store.SecurityCode{}
	return c.chargeOf(r)
}

// mid is a MID of a merchant, on a connector.
func (c *clients) mid(merchant, number, connector int) store.MID {
	s := &c.w.swarm
	return store.MID{ID: "mid" + itoa(number), MerchantID: "m" + itoa(merchant), Name: "MID",
		Connector: connectorName(connector),
		Priority:  number, TimeZone: s.zone, DayEnd: s.dayEnd}
}

// repoint moves a MID to either connector. Earlier charges stay with their acquirer.
func (c *clients) repoint() func(context.Context, *instance) {
	rng := c.w.rng
	m := c.mid(rng.IntN(len(merchantKeys)), rng.IntN(connectors), rng.IntN(connectors))
	return func(ctx context.Context, inst *instance) {
		c.judgeError("repoint", inst.gw.SaveMID(ctx, m))
	}
}
