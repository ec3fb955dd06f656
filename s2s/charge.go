package s2s

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// newPayment describes the payment that an action makes.
type newPayment struct {
	kind   store.Kind
	action string                                                   // the action in its callbacks
	calc   bool                                                     // report the commission only
	pays   func(*call, gateway.ChargeRequest) gateway.ChargeRequest // adds the instrument to the common fields
}

// charge runs an action that makes a payment.
func charge(n newPayment) func(context.Context, *call) (body, error) {
	return func(ctx context.Context, c *call) (body, error) {
		result, err := c.client.Charge(ctx, n.pays(c, c.request(n)))
		if err != nil {
			return nil, err
		}
		return c.outcome(result), nil
	}
}

// request returns the fields of every new payment.
func (c *call) request(n newPayment) gateway.ChargeRequest {
	return gateway.ChargeRequest{
		Proof: c.proof, Protocol: c.protocol, Action: n.action, Kind: n.kind, Calc: n.calc,
		Hold: c.holds(), ChannelID: c.text("channel_id"),
		Order: store.Order{
			Number: c.text("order_id"), Amount: c.text("order_amount"), Currency: c.text("order_currency"),
			Description: c.text("order_description"),
		},
		Payer: c.person(payerNames), Payee: c.payee(), Language: c.text("payer_language"),
		Parameters: c.object("parameters"), CustomData: c.object("custom_data"), CallbackURL: c.text("callback_url"),
	}
}

// cardSale is a SALE, an AUTH or a DEBIT.
func cardSale(c *call, r gateway.ChargeRequest) gateway.ChargeRequest {
	switch c.instrument() {
	case byToken:
		r.CardToken, r.Card = c.text("card_token"), c.payerCard(&r.Payer) // of the card only the code, if any
	case byWallet:
		r.Wallet, r.WalletToken = c.text("digital_wallet"), c.text("payment_token")
		r.Method = r.Wallet
	default:
		r.Card = c.payerCard(&r.Payer)
	}
	r.MPI = c.mpi()
	r.MOTOType, r.PayerPresent = c.own("moto_type"), c.own("payer_present")
	r.ReqToken = c.text("req_token") == "Y" && c.text("card_token") == "" // decision be
	r.RecurringInit = c.text("recurring_init") == "Y"
	r.ScheduleID, r.ScheduleStartDate = c.text("schedule_id"), c.text("schedule_start_date")
	r.PaymentScheduleAmount = c.text("payment_schedule_amount")
	r.ReturnURL, r.ReturnTarget = c.text("term_url_3ds"), c.text("term_url_target")
	return r
}

// cardPayout is a CREDIT2CARD: the card is the payee's.
func cardPayout(c *call, r gateway.ChargeRequest) gateway.ChargeRequest {
	if c.instrument() == byToken {
		r.CardToken = c.text("card_token")
		return r
	}
	holder := store.Payer{}
	if r.Payee != nil {
		holder = *r.Payee
	}
	r.Card = c.payerCard(&holder)
	r.Card.Code = store.SecurityCode{}
	return r
}

// cardTransfer is a CARD2CARD.
func cardTransfer(c *call, r gateway.ChargeRequest) gateway.ChargeRequest {
	r.Card = c.payerCard(&r.Payer)
	pan, _ := store.ParsePAN(c.text("payee_card_number")) // valid: the form was checked
	r.PayeeCard = &methods.Card{PAN: pan}
	if r.Payee != nil {
		r.PayeeCard.Holder = r.Payee.FullName()
	}
	r.ReturnURL, r.ReturnTarget = c.text("term_url_3ds"), c.text("term_url_target")
	return r
}

// payerCard reads the card. Its parts are valid or absent: the form was checked.
func (c *call) payerCard(holder *store.Payer) *methods.Card {
	card := &methods.Card{Holder: holder.FullName()}
	card.PAN, _ = store.ParsePAN(c.first(c.cards.number))
	card.Code, _ = store.ParseSecurityCode(c.first(c.cards.code))
	month, _ := strconv.Atoi(c.first(c.cards.month))
	year, _ := strconv.Atoi(c.first(c.cards.year))
	if month > 0 && year > 0 { // a payout may lack them
		card.Expiry = store.Expiry{Year: year, Month: month}
	}
	return card
}

// apmCharge is any new payment of S2S APM.
func apmCharge(c *call, r gateway.ChargeRequest) gateway.ChargeRequest {
	r.Method, r.Identifier, r.CryptoNetwork = c.text("brand"), c.own("identifier"), c.own("crypto_network")
	r.ReturnURL, r.ReturnTarget = c.own("return_url"), c.own("return_url_target")
	if c.takes("payer_return_url") {
		r.ReturnURL = c.text("payer_return_url")
	}
	if method, ok := c.client.Method(r.Method); ok && method.Kind == methods.KindWallet && r.Kind == store.Purchase {
		r.Wallet = r.Method
		r.WalletToken, r.Parameters = walletToken(r.Parameters)
	}
	return r
}

// walletToken takes paymentToken out of the parameters (SPEC2, "Wallet tokens"): it pays and is not stored with
// them. A value that is no text stays, so that the rules refuse it.
func walletToken(parameters json.RawMessage) (token string, rest json.RawMessage) {
	var sent map[string]json.RawMessage
	if len(parameters) == 0 || json.Unmarshal(parameters, &sent) != nil ||
		json.Unmarshal(sent["paymentToken"], &token) != nil {
		return "", parameters
	}
	delete(sent, "paymentToken")
	if rest, _ = json.Marshal(sent); len(sent) == 0 {
		rest = nil
	}
	return strings.TrimSpace(token), rest
}
