package s2s

import (
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// signed are the formulas that sign an action: for card payments, and for those of APM. All of them are computed
// for every request, so that a check of the hash always costs the same; the payment decides which of them count.
type signed struct{ card, apm []signature.Formula }

func (s signed) all() []signature.Formula {
	list := slices.Clone(s.card)
	for _, formula := range s.apm {
		if !slices.Contains(list, formula) {
			list = append(list, formula)
		}
	}
	return list
}

// by has the same formulas for every payment.
func by(formulas ...signature.Formula) signed { return signed{card: formulas, apm: formulas} }

// request returns what the door checks: all formulas of the row, and those that count for the payment.
func (s signed) request(c *call, about subject) gateway.Admission {
	counting := s.card
	if c.protocol == store.S2SAPM {
		counting = s.apm
	}
	r := gateway.Admission{Protocol: c.protocol, Inputs: c.inputs(about), Hash: c.text("hash"), Refused: errHash}
	for _, formula := range s.all() {
		before := len(r.Formulas)
		r.Formulas = c.variants(r.Formulas, about, formula)
		if slices.Contains(counting, formula) {
			r.Counting = append(r.Counting, r.Formulas[before:]...)
		}
	}
	return r
}

// variants adds the formulas for one to a list: that of the instrument that pays, and for a card also that of a card
// token that was sent and is ignored (decision ao).
func (c *call) variants(list []signature.Formula, about subject, formula signature.Formula) []signature.Formula {
	list = append(list, c.variant(about, formula))
	token, known := ofToken[formula]
	if known && about == noSubject && c.instrument() == byCard && c.own("card_token") != "" {
		list = append(list, token)
	}
	return list
}

// ofToken are the formulas of a card token, by those of a card.
var ofToken = map[signature.Formula]signature.Formula{signature.Card1: signature.Card1Token,
	signature.Card5: signature.Card5Token}

// variant returns the formula for the instrument that pays: a card token and a wallet's token each have their own.
// A request about an existing payment has no instrument.
func (c *call) variant(about subject, formula signature.Formula) signature.Formula {
	if about != noSubject {
		return formula
	}
	switch pays := c.instrument(); {
	case formula == signature.Card1 && pays == byToken:
		return signature.Card1Token
	case formula == signature.Card1 && pays == byWallet:
		return signature.Card8
	case formula == signature.Card5 && pays == byToken:
		return signature.Card5Token
	}
	return formula
}

// inputs returns the values of the formulas: those of the request, and e-mail and card of its payment
// (s2s_card.md, "Rules").
func (c *call) inputs(about subject) signature.Inputs {
	in := signature.Inputs{
		OrderID: c.text("order_id"), Amount: c.text("order_amount"), Currency: c.text("order_currency"),
		TransID: c.text("trans_id"), ScheduleID: c.text("schedule_id"), Identifier: c.text("identifier"),
		CardToken: c.text("card_token"),
	}
	switch about {
	case noSubject:
		in.Email, in.Card = c.text("payer_email"), c.first(c.cards.number)
	case bySchedule:
	default:
		in.Email, in.Card = c.remembered()
	}
	return in
}

// remembered returns e-mail and card of the payment. A CREDIT2CARD has no e-mail in any formula: Formula 6 is
// Formula 2 without it.
func (c *call) remembered() (email, card string) {
	p := c.payment
	if p == nil {
		p = &noPayment
	}
	if p.Card != nil && p.Wallet == nil && !p.OfWallet { // the merchant has not sent the card of a wallet's token
		card = p.Card.Mask
	}
	if p.Kind == store.Credit && p.Protocol != store.S2SAPM {
		return "", card
	}
	return p.Payer.Email, card
}
