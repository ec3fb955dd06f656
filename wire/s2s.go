package wire

import (
	"cmp"
	"context"
	"fmt"
	"net/url"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/methods/rest"
)

// Form is a request of S2S. Nested values have bracket names, like "parameters[code]".
type Form map[string]string

// Original is what signs an action on an existing payment and is not in its request: what was sent when the payment was
// made. Of S2S APM only GET_TRANS_STATUS_BY_ORDER needs the e-mail.
type Original struct {
	Email string
	// Card is the number, whole or masked (411111******1111); of a CREDIT2CARD the payee's. It is empty for a payment
	// without a card and for one by a wallet's token.
	Card string
	// Payout is set for a CREDIT2CARD, which is signed without an e-mail.
	Payout bool
}

// cardActions are the formulas of S2S CARD (docs/protocol/s2s_card.md, "Hash formulas").
var cardActions = map[string]signature.Formula{
	"SALE": signature.Card1, "AUTH": signature.Card1, "DEBIT": signature.Card1, "CARD2CARD": signature.Card1,
	"RECURRING_SALE": signature.Card1, "RECURRING_DEBIT": signature.Card1, "RETRY": signature.Card1,
	"CREDIT2CARD": signature.Card5,
	"CAPTURE":     signature.Card2, "CREDITVOID": signature.Card2, "VOID": signature.Card2, "STOP_SCHEDULE": signature.Card2,
	"GET_TRANS_STATUS": signature.Card2, "GET_TRANS_DETAILS": signature.Card2,
	"GET_TRANS_STATUS_BY_ORDER": signature.Card7,
	"CREATE_SCHEDULE":           signature.Card3,
	"UPDATE_SCHEDULE":           signature.Card4, "DELETE_SCHEDULE": signature.Card4, "SCHEDULE_INFO": signature.Card4,
	"PAUSE_SCHEDULE": signature.Card4, "RUN_SCHEDULE": signature.Card4, "DESCHEDULE": signature.Card4,
	"PAUSE": signature.Card4, "RUN": signature.Card4,
}

// apmActions are those of S2S APM (docs/protocol/s2s_apm.md, "Hash formulas").
var apmActions = map[string]signature.Formula{
	"SALE": signature.APMSale, "DEBIT2VIRTUAL": signature.APMSale, "DEBIT2VIRTUAL_CALC": signature.APMSale,
	"CREDIT2VIRTUAL": signature.APMCredit, "CREDIT2CRYPTO": signature.APMCredit,
	"CREDITVOID": signature.APMCreditvoid,
	"VOID":       signature.APMTrans, "CAPTURE": signature.APMTrans, "DEBIT2VIRTUAL_COMPLETE": signature.APMTrans,
	"GET_TRANS_STATUS": signature.APMTrans, "GET_TRANS_DETAILS": signature.APMTrans,
	"GET_TRANS_STATUS_BY_ORDER": signature.Card7,
}

// creating are the actions of S2S CARD that charge or pay a card of the request: its own e-mail and card sign them.
var creating = map[string]bool{"SALE": true, "AUTH": true, "DEBIT": true, "CARD2CARD": true, "CREDIT2CARD": true}

// Card signs a request of S2S CARD and sends it to /post. of is the payment that the action is about, and for
// RECURRING_SALE and RECURRING_DEBIT the first of the chain; nil for other new payments, and for actions on schedules.
func (c *Client) Card(ctx context.Context, form Form, of *Original) (*Answer, error) {
	formula, ok := cardActions[form["action"]]
	if !ok {
		return nil, fmt.Errorf("wire: %q is no action of S2S CARD", form["action"])
	}
	in := formInputs(form)
	if creating[form["action"]] {
		in.Email, in.Card = form["payer_email"], cmp.Or(form["payer_card_number"], form["card_number"])
		formula = instrument(formula, form, in.Card)
	} else {
		in.Email, in.Card = of.signs()
	}
	return c.post(ctx, "/post", form, c.sign(formula, in))
}

// APM signs a request of S2S APM and sends it to /post-va. of is needed for GET_TRANS_STATUS_BY_ORDER only.
func (c *Client) APM(ctx context.Context, form Form, of *Original) (*Answer, error) {
	formula, ok := apmActions[form["action"]]
	if !ok {
		return nil, fmt.Errorf("wire: %q is no action of S2S APM", form["action"])
	}
	in := formInputs(form)
	in.Email, in.Card = of.signs()
	return c.post(ctx, "/post-va", form, c.sign(formula, in))
}

// instrument returns the formula of what pays: a card wins over a card token, and that over a wallet.
func instrument(formula signature.Formula, form Form, card string) signature.Formula {
	switch {
	case card != "":
		return formula
	case form["card_token"] != "" && formula == signature.Card5:
		return signature.Card5Token
	case form["card_token"] != "":
		return signature.Card1Token
	case form["payment_token"] != "":
		return signature.Card8
	}
	return formula
}

func (o *Original) signs() (email, card string) {
	switch {
	case o == nil:
		return "", ""
	case o.Payout:
		return "", o.Card
	}
	return o.Email, o.Card
}

func formInputs(form Form) signature.Inputs {
	return signature.Inputs{
		OrderID: form["order_id"], Amount: form["order_amount"], Currency: form["order_currency"],
		TransID: form["trans_id"], ScheduleID: form["schedule_id"], Identifier: form["identifier"],
		CardToken: form["card_token"],
	}
}

func (c *Client) post(ctx context.Context, path string, form Form, hash string) (*Answer, error) {
	sent := url.Values{}
	for name, value := range form {
		sent.Set(name, value)
	}
	sent.Set("client_key", c.key)
	sent.Set("hash", hash)
	return c.send(ctx, rest.Request{Path: path, Body: sent})
}
