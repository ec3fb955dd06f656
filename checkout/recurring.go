package checkout

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// recurringBody is a later payment of a chain (checkout.md, "Request bodies of follow-ups"). The currency
// is that of the first payment; customer and custom_data, when they are sent, stand in place of its own.
type recurringBody struct {
	MerchantKey string `json:"merchant_key"`
	Order       struct {
		Number      string `json:"number"`
		Amount      string `json:"amount"`
		Description string `json:"description"`
	} `json:"order" empty:"refused"`
	InitID     string `json:"recurring_init_trans_id"`
	Token      string `json:"recurring_token"`
	ScheduleID string `json:"schedule_id"`
	Customer   struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	} `json:"customer"`
	CustomData strictjson.Object `json:"custom_data"`
	Hash       string            `json:"hash"`
}

var recurringDecoder = strictjson.For[recurringBody](strictjson.Limits{MaxBytes: MaxCreate})

// recurringAnswer is the answer to a later payment, in the order of the sample.
type recurringAnswer struct {
	Status         string          `json:"status"`
	Reason         string          `json:"reason,omitempty"`
	PaymentID      string          `json:"payment_id"`
	Date           string          `json:"date"`
	ScheduleID     string          `json:"schedule_id,omitempty"`
	FirstRecurring string          `json:"first_recurring_date,omitempty"`
	RecurringToken string          `json:"recurring_token,omitempty"`
	Order          orderAnswer     `json:"order"`
	Customer       *customerAnswer `json:"customer,omitempty"`
}

func recurring(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	body, faults := recurringDecoder.Decode(text)
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
	r, err := client.Recur(ctx, body.request())
	if err != nil {
		return nil, err
	}
	p := &r.Payment
	return recurringAnswer{
		Status: p.Status.Checkout(), Reason: callback.CheckoutReason(p.Reason), PaymentID: p.ID, Date: date(p.CreatedAt),
		ScheduleID: p.ScheduleID, FirstRecurring: p.FirstRecurring, RecurringToken: p.ChainToken(), Order: orderOf(p),
		Customer: customerOf(p),
	}, nil
}

// check names what can be told before the chain is known.
func (b *recurringBody) check(f *fields) {
	f.want("merchant_key", b.MerchantKey, isName)
	f.want("order.number", b.Order.Number, within(3, 255))
	if isZero(b.Order.Amount) {
		f.refuse("amount", textPositive) // decision ac
	} else {
		f.want("order.amount", b.Order.Amount, isAmount)
	}
	f.want("order.description", b.Order.Description, within(2, 1024))
	f.want("recurring_init_trans_id", b.InitID, isName)
	f.want("recurring_token", b.Token, isName)
	f.may("schedule_id", b.ScheduleID, within(0, 255))
	f.want("hash", b.Hash, isText)
}

func (b *recurringBody) request() gateway.RecurRequest {
	order := store.Order{Number: b.Order.Number, Amount: b.Order.Amount, Description: b.Order.Description}
	return gateway.RecurRequest{
		MerchantKey: b.MerchantKey, Order: order, InitID: b.InitID, Token: b.Token, ScheduleID: b.ScheduleID,
		Name: b.Customer.Name, Email: b.Customer.Email, CustomData: sessionjson.Object(b.CustomData),
		Proof: &gateway.Proof{Formula: signature.CheckoutRecurring, Hash: b.Hash, Inputs: signature.Inputs{
			RecurringInitTransID: b.InitID, RecurringToken: b.Token,
			OrderNumber: order.Number, Amount: order.Amount, Description: order.Description,
		}},
	}
}
