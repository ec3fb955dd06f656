package checkout

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// recurringBody is a later payment of a chain (checkout.md, "Request bodies of follow-ups"). Its currency is that
// of the first payment. customer and custom_data, when sent, replace those of the first payment.
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
	body, err := read(recurringDecoder, recurringFields, text)
	if err != nil {
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

// recurringFields are the checks that do not need the chain.
var recurringFields = &fields.Table[*sent[recurringBody]]{Fields: []fields.Field[*sent[recurringBody]]{
	required("merchant_key", func(b *recurringBody) string { return b.MerchantKey }, fields.Name).Says("the merchant's key"),
	required("order.number", func(b *recurringBody) string { return b.Order.Number }, fields.Within(3, 255)),
	{Path: "order.amount", Check: laterAmount, Needed: chargedLater.Needed, Form: fields.Amount.Form},
	required("order.description", func(b *recurringBody) string { return b.Order.Description }, fields.Within(2, 1024)),
	required("recurring_init_trans_id", func(b *recurringBody) string { return b.InitID }, fields.Name).
		Says("the payment_id of the first payment, as its callback tells it"),
	required("recurring_token", func(b *recurringBody) string { return b.Token }, fields.Name),
	optional("schedule_id", func(b *recurringBody) string { return b.ScheduleID }, fields.AtMost(255)).
		Says(fields.SaysSchedule),
	hash(func(b *recurringBody) string { return b.Hash }),
}}

var chargedLater = required("order.amount", func(b *recurringBody) string { return b.Order.Amount }, fields.Amount)

// laterAmount names an amount of zero by the field name of decision ac.
func laterAmount(s *sent[recurringBody]) []gateway.Fault {
	if fields.IsZero(s.body.Order.Amount) {
		return []gateway.Fault{{Path: "amount", Text: fields.TextPositive}}
	}
	return chargedLater.Faults(s)
}

func (b *recurringBody) request() gateway.RecurRequest {
	order := store.Order{Number: b.Order.Number, Amount: b.Order.Amount, Description: b.Order.Description}
	return gateway.RecurRequest{
		Order: order, InitID: b.InitID, Token: b.Token, ScheduleID: b.ScheduleID,
		Name: b.Customer.Name, Email: b.Customer.Email, CustomData: sessionjson.Object(b.CustomData),
		Proof: &gateway.Proof{Formula: signature.CheckoutRecurring, Hash: b.Hash, Inputs: signature.Inputs{
			RecurringInitTransID: b.InitID, RecurringToken: b.Token,
			OrderNumber: order.Number, Amount: order.Amount, Description: order.Description,
		}},
	}
}
