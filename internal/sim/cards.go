package sim

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Cards and card tokens. A token charges the card it was issued for, and only for the merchant it was issued to
// (S9).

var cardNumbers = []string{"4111111111111111", "5555555555554444", "4242424242424242"}

// card is a payer's card. One kind expires in the month in which the world begins.
func (c *clients) card() methods.Card {
	rng := c.w.rng
	pan, _ := store.ParsePAN(cardNumbers[rng.IntN(len(cardNumbers))])
	code, _ := store.ParseSecurityCode("123")
	expiry := store.Expiry{Year: 2039, Month: 12}
	if rng.IntN(3) == 0 {
		expiry = store.Expiry{Year: c.w.swarm.start.Year(), Month: int(c.w.swarm.start.Month())}
	}
	return methods.Card{PAN: pan, Expiry: expiry, Holder: "John Doe", Code: code}
}

// masked is a card number as records and callbacks show it.
func masked(digits string) string { return digits[:6] + "******" + digits[len(digits)-4:] }

// savedCard is a token that is used to charge.
type savedCard struct {
	CardToken string
	issuer    *paymentRecord
	forged    bool
}

// savedFor returns a card that was saved for a merchant, sometimes for another one, or an invalid token; nil for no
// saved card.
func (c *clients) savedFor(key string) *savedCard {
	a, rng := c.w.auditor, c.w.rng
	if rng.IntN(2) == 0 {
		return nil
	}
	anybodys := rng.IntN(5) == 0
	for i := len(a.order) - 1; i >= max(0, len(a.order)-60); i-- {
		p := a.payments[a.order[i]]
		if !p.ReqToken || p.CardToken == "" || !anybodys && keyOf(p) != key || rng.IntN(3) == 0 {
			continue
		}
		s := &savedCard{p.CardToken, p, rng.IntN(12) == 0}
		if s.forged {
			s.CardToken = s.CardToken[:63] + string("123456789abcdef0"[strings.IndexByte("0123456789abcdef", s.CardToken[63])])
		}
		return s
	}
	return nil
}

// judge checks that only the merchant of a token may use it.
func (s *savedCard) judge(c *clients, key string, err error) {
	if s == nil {
		return
	}
	own := keyOf(s.issuer) == key && !s.forged
	kept := c.w.auditor.payments[s.issuer.ID].CardToken == s.CardToken // an attempt of a cascade deletes its own
	switch {
	case err == nil && !own:
		c.w.fail("S9: %s charges by token %s, which is %s's", key, s.CardToken[:8], s.issuer.Merchant)
	case own && kept && (errors.Is(err, gateway.ErrCardToken) || errors.Is(err, gateway.ErrCardTokenOwner)):
		c.w.fail("S9: token %s is refused to %s, whose it is: %v", s.CardToken[:8], key, err)
	}
}

// byToken is a charge by a saved card.
func (c *clients) byToken() func(context.Context, *instance) {
	r := c.request([]action{actSale, actAuth, actDebit, actCharge}[c.w.rng.IntN(4)])
	saved := c.savedFor(r.key)
	if saved == nil {
		return nil
	}
	r.Card, r.CardToken, r.ReqToken = nil, saved.CardToken, false
	return func(ctx context.Context, inst *instance) {
		result, err := inst.gw.Merchant(r.key).Charge(ctx, r.ChargeRequest)
		c.judgeResult("token", result, err)
		saved.judge(c, r.key, err)
	}
}

// judgeCard checks the card of a new payment: it is the card of its token, and it has not expired.
func (a *auditor) judgeCard(p *paymentRecord) {
	if p.CardToken != "" && p.ReqToken {
		a.check(a.tokens[p.CardToken] == nil, "S9: payment %s issues a token that was issued before", p.ID)
		a.tokens[p.CardToken] = p
	}
	if p.Card == nil {
		return
	}
	if p.CardToken != "" && !p.ReqToken {
		issuer := a.tokens[p.CardToken]
		if issuer == nil {
			a.w.fail("S9: payment %s is charged by a token that was never issued", p.ID)
			return
		}
		a.check(issuer.Merchant == p.Merchant, "S9: payment %s of %s is charged by a token of %s", p.ID, p.Merchant,
			issuer.Merchant)
		a.check(*issuer.Card == *p.Card, "S9: payment %s charges card %v, its token is of %v", p.ID, *p.Card, *issuer.Card)
	}
	later := p.InitID != "" && !p.begins() // later payments of a chain continue after that
	last := lastMoment(p.Card.Expiry).Add(a.w.swarm.skew + 2*time.Hour)
	a.check(later || p.Cascade != "" || p.CreatedAt.Before(last), "S9: payment %s charges a card of %s on %s", p.ID,
		p.Card.Expiry, p.CreatedAt)
}

// lastMoment is when a card has expired everywhere: its month is over in the last time zone.
func lastMoment(expiry string) time.Time {
	month, err := time.Parse("01/2006", expiry)
	if err != nil {
		return time.Time{}
	}
	return month.AddDate(0, 1, 0).Add(12 * time.Hour)
}

// judgeHand checks that the acquirer gets the card of the payment.
func (a *acquirer) judgeHand(op *methods.Operation, p *paymentRecord) {
	if op.Card == nil {
		return
	}
	if digits := op.Card.PAN.Digits(); p.Card == nil || masked(digits) != p.Card.Mask ||
		op.Card.Expiry.String() != p.Card.Expiry {
		a.w.fail("K1: %s %s is sent with card %s, its payment has %v", op.Kind, op.TransactionID, masked(digits), p.Card)
	}
}
