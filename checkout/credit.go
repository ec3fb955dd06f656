package checkout

import (
	"context"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// creditBody is a card payout (SPEC1, "Card payout by token"; checkout.md, "Request bodies of
// follow-ups"). The card is a saved one or its number.
type creditBody struct {
	MerchantKey    string            `json:"merchant_key"`
	OrderID        string            `json:"order_id"`
	Amount         string            `json:"order_amount"`
	Currency       string            `json:"order_currency"`
	Description    string            `json:"order_description"`
	CardToken      string            `json:"card_token"`
	CardNumber     string            `json:"card_number"`
	PayeeFirstName string            `json:"payee_first_name"`
	PayeeLastName  string            `json:"payee_last_name"`
	PayeeEmail     string            `json:"payee_email"`
	PayeeIP        string            `json:"payee_ip"`
	CustomData     strictjson.Object `json:"custom_data"`
	Hash           string            `json:"hash"`
}

var creditDecoder = strictjson.For[creditBody](strictjson.Limits{MaxBytes: MaxCreate})

func credit(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	body, err := read(creditDecoder, creditFields, text)
	if err != nil {
		return nil, err
	}
	client, err := gw.Client(ctx, body.MerchantKey)
	if err != nil {
		return nil, err
	}
	r, err := client.Charge(ctx, body.request())
	if err != nil {
		return nil, spelledAsCredit(err)
	}
	return accepted(r), nil
}

// creditFields pay out to a card, by its number or by the token of a saved card.
var creditFields = &fields.Table[*sent[creditBody]]{Fields: []fields.Field[*sent[creditBody]]{
	required("merchant_key", func(b *creditBody) string { return b.MerchantKey }, fields.Name).Says("the merchant's key"),
	required("order_id", func(b *creditBody) string { return b.OrderID }, fields.Within(3, 255)).Says("the shop's number of the order"),
	required("order_amount", func(b *creditBody) string { return b.Amount }, fields.Amount),
	required("order_currency", func(b *creditBody) string { return b.Currency }).Says("code of ISO 4217"),
	required("order_description", func(b *creditBody) string { return b.Description }, fields.Within(2, 1024)),
	{Path: "card_token", Check: savedCard, Form: fields.CardToken.Form,
		Needed: fields.If("unless card_number is sent", func(s *sent[creditBody]) bool { return s.body.CardNumber == "" })},
	{Path: "card_number", Check: cardNumber, Form: fields.CardNumber.Form},
	hash(func(b *creditBody) string { return b.Hash }),
}}

var (
	byToken  = required("card_token", func(b *creditBody) string { return b.CardToken }, fields.CardToken)
	byNumber = optional("card_number", func(b *creditBody) string { return b.CardNumber },
		fields.Is(func(value string) bool { return fields.CardNumber.Check(value) == "" }, fields.TextInvalid))
)

// savedCard requires a token when no number is sent.
func savedCard(s *sent[creditBody]) []gateway.Fault {
	if s.body.CardNumber != "" || s.found.Has("card_number") {
		return nil
	}
	return byToken.Faults(s)
}

func cardNumber(s *sent[creditBody]) []gateway.Fault {
	if s.body.CardNumber != "" && s.body.CardToken != "" {
		return []gateway.Fault{{Path: "card_number", Text: "must not be sent together with card_token"}}
	}
	return byNumber.Faults(s)
}

// request converts the body into a request of the gateway. The callback has payee_ip as customer_ip.
func (b *creditBody) request() gateway.ChargeRequest {
	order := store.Order{Number: b.OrderID, Amount: b.Amount, Currency: b.Currency, Description: b.Description}
	r := gateway.ChargeRequest{
		Kind: store.Credit, Order: order, CardToken: b.CardToken,
		CustomData: sessionjson.Object(b.CustomData),
		Payer:      store.Payer{IP: b.PayeeIP},
		Payee:      &store.Payer{FirstName: b.PayeeFirstName, LastName: b.PayeeLastName, Email: b.PayeeEmail, IP: b.PayeeIP},
		Proof: &gateway.Proof{Formula: signature.CheckoutCredit, Hash: b.Hash, Inputs: signature.Inputs{
			OrderID: b.OrderID, Amount: b.Amount, Currency: b.Currency, Description: b.Description,
		}},
	}
	if pan, err := store.ParsePAN(strings.Clone(b.CardNumber)); err == nil { // or it would keep the whole body
		r.Card = &methods.Card{PAN: pan, Holder: r.Payee.FullName()}
	}
	return r
}

// creditNames maps the gateway's names of fields to those of a card payout.
var creditNames = map[string]string{
	"order.number": "order_id", "order.amount": "order_amount", "amount": "order_amount",
	"order.currency":    "order_currency",
	"order.description": "order_description", "payee.name": "payee_first_name", "payee.email": "payee_email",
	"payee.first_name": "payee_first_name", "payee.last_name": "payee_last_name", "customer.ip": "payee_ip",
}

// spelledAsCredit translates the field names of a refusal into those of this request.
func spelledAsCredit(err error) error {
	e := gateway.AsError(err)
	if len(e.Faults()) == 0 {
		return err
	}
	faults := make([]gateway.Fault, len(e.Faults()))
	for i, fault := range e.Faults() {
		faults[i] = fault
		if name, ok := creditNames[fault.Path]; ok {
			faults[i].Path = name
		}
	}
	return e.Fields(faults...)
}
