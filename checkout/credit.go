package checkout

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
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
	body, faults := creditDecoder.Decode(text)
	check := newFields(faults)
	if !sessionjson.CutShort(faults) {
		body.check(check)
	}
	if err := check.err(); err != nil {
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

func (b *creditBody) check(f *fields) {
	f.want("merchant_key", b.MerchantKey, isName)
	f.want("order_id", b.OrderID, within(3, 255))
	f.want("order_amount", b.Amount, isAmount)
	f.want("order_currency", b.Currency, isText)
	f.want("order_description", b.Description, within(2, 1024))
	if b.CardNumber == "" && !f.already.Has("card_number") {
		f.want("card_token", b.CardToken, isCardToken)
	}
	if b.CardNumber != "" && b.CardToken != "" {
		f.refuse("card_number", "must not be sent together with card_token")
	} else {
		f.may("card_number", b.CardNumber, isCardNumber)
	}
	f.want("hash", b.Hash, isText)
}

// request is the body in the words of the gateway. The callback tells payee_ip as customer_ip.
func (b *creditBody) request() gateway.ChargeRequest {
	order := store.Order{Number: b.OrderID, Amount: b.Amount, Currency: b.Currency, Description: b.Description}
	r := gateway.ChargeRequest{
		MerchantKey: b.MerchantKey, Kind: store.Credit, Order: order, CardToken: b.CardToken,
		CustomData: sessionjson.Object(b.CustomData),
		Payer:      store.Payer{IP: b.PayeeIP},
		Payee:      &store.Payer{FirstName: b.PayeeFirstName, LastName: b.PayeeLastName, Email: b.PayeeEmail, IP: b.PayeeIP},
		Proof: &gateway.Proof{Formula: signature.CheckoutCredit, Hash: b.Hash, Inputs: signature.Inputs{
			OrderID: b.OrderID, Amount: b.Amount, Currency: b.Currency, Description: b.Description,
		}},
	}
	if pan, err := store.ParsePAN(b.CardNumber); err == nil {
		r.Card = &methods.Card{PAN: pan, Holder: r.Payee.FullName()}
	}
	return r
}

// creditNames are the fields of a card payout by the names the gateway has for them.
var creditNames = map[string]string{
	"order.number": "order_id", "order.amount": "order_amount", "amount": "order_amount",
	"order.currency":    "order_currency",
	"order.description": "order_description", "payee.name": "payee_first_name", "payee.email": "payee_email",
	"payee.first_name": "payee_first_name", "payee.last_name": "payee_last_name", "customer.ip": "payee_ip",
}

// spelledAsCredit names what the gateway refused as this request spells it.
func spelledAsCredit(err error) error {
	e := gateway.AsError(err)
	if len(e.Faults) == 0 {
		return err
	}
	faults := make([]gateway.Fault, len(e.Faults))
	for i, fault := range e.Faults {
		faults[i] = fault
		if name, ok := creditNames[fault.Path]; ok {
			faults[i].Path = name
		}
	}
	return e.Fields(faults...)
}
