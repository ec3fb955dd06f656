package checkout

import (
	"context"
	"slices"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// followUpBody is the body of a capture, refund, void and retry (checkout.md, "Request bodies of follow-ups").
type followUpBody struct {
	MerchantKey string `json:"merchant_key"`
	PaymentID   string `json:"payment_id"`
	Amount      string `json:"amount"`
	Hash        string `json:"hash"`
}

var followUpDecoder = strictjson.For[followUpBody](strictjson.Limits{MaxBytes: MaxFollowUp})

type followUpTable = fields.Table[*sent[followUpBody]]

// names are the fields of every follow-up; all are required.
var names = followUpTable{Fields: []fields.Field[*sent[followUpBody]]{
	required("merchant_key", func(b *followUpBody) string { return b.MerchantKey }, fields.Name).Says("the merchant's key"),
	required("payment_id", func(b *followUpBody) string { return b.PaymentID }, fields.Name),
	hash(func(b *followUpBody) string { return b.Hash }),
}}

// The tables of the follow-ups: a capture has an amount, a refund may have none, a void and a retry have no such field.
var (
	captureFields = withAmount(someAmount)
	refundFields  = withAmount(fields.Field[*sent[followUpBody]]{
		Path: "amount", Check: anyAmount, Form: fields.Amount.Form,
		Needed: fields.If("unless an authorization of zero is refunded", func(*sent[followUpBody]) bool { return true })})
	otherFields = &names

	someAmount = required("amount", func(b *followUpBody) string { return b.Amount }, fields.Amount)
)

func withAmount(amount fields.Field[*sent[followUpBody]]) *followUpTable {
	return &followUpTable{Fields: slices.Insert(slices.Clone(names.Fields), 2, amount)}
}

// anyAmount is the rule of a refund. A zero amount, or none, is valid only for an authorization of zero (decision
// as), which only the kernel knows. So the kernel refuses it, unless the body has to be refused anyway.
func anyAmount(s *sent[followUpBody]) []gateway.Fault {
	isAsked := s.body.Amount != "" && !fields.IsZero(s.body.Amount)
	if isAsked || len(s.found) > 0 || len(names.Faults(s, s.refused)) > 0 {
		return someAmount.Faults(s)
	}
	return nil
}

// followUp reads a follow-up by its table, finds the client and calls the verb.
func followUp(ctx context.Context, gw *gateway.Gateway, text []byte, table *followUpTable,
	verb func(*gateway.Client, context.Context, gateway.FollowUp) (*gateway.Result, error),
) (*gateway.Result, *gateway.Client, error) {
	body, err := read(followUpDecoder, table, text)
	if err != nil {
		return nil, nil, err
	}
	client, err := gw.Client(ctx, body.MerchantKey)
	if err != nil {
		return nil, nil, err
	}
	f := body.followUp(table != otherFields)
	f.NeedsAmount = table == refundFields
	r, err := verb(client, ctx, f)
	return r, client, err
}

func (b *followUpBody) followUp(withAmount bool) gateway.FollowUp {
	proof := &gateway.Proof{Formula: signature.CheckoutPayment, Hash: b.Hash,
		Inputs: signature.Inputs{PaymentID: b.PaymentID}}
	f := gateway.FollowUp{Proof: proof, PaymentID: b.PaymentID}
	if withAmount {
		proof.Formula, proof.Inputs.Amount = signature.CheckoutAmount, b.Amount
		f.Amount = b.Amount
	}
	return f
}

// captureAnswer is the answer to a capture (checkout.md, "Responses").
type captureAnswer struct {
	PaymentID   string `json:"payment_id"`
	Status      string `json:"status"`
	TransStatus string `json:"trans_status"`
	Reason      string `json:"reason,omitempty"`
	Date        string `json:"date"`
	Amount      string `json:"amount,omitempty"`
	begun
}

// begun is the chain that a payment begins when its authorization is captured (decision ar).
type begun struct {
	RecurringToken string `json:"recurring_token,omitempty"`
	RecurringInit  string `json:"recurring_init_trans_id,omitempty"`
	ScheduleID     string `json:"schedule_id,omitempty"`
	FirstRecurring string `json:"first_recurring_date,omitempty"`
}

func begunBy(p *store.Payment) begun {
	if !p.RecurringInit || p.ChainToken() == "" {
		return begun{}
	}
	return begun{p.ChainToken(), p.RecurringInitID, p.ScheduleID, p.FirstRecurring}
}

func capture(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	r, client, err := followUp(ctx, gw, text, captureFields, (*gateway.Client).Capture)
	if err != nil {
		return nil, err
	}
	return captureAnswer{
		PaymentID: r.Payment.ID, Status: r.Payment.Status.Checkout(), TransStatus: verdict(&r.Transaction),
		Reason: callback.CheckoutReason(r.Transaction.Reason), Date: date(r.Transaction.CreatedAt),
		Amount: amountOf(client, r), begun: begunBy(&r.Payment),
	}, nil
}

// acceptedAnswer says that a refund, a retry or a payout is under way; a callback reports its outcome.
type acceptedAnswer struct {
	PaymentID string `json:"payment_id"`
	Result    string `json:"result"`
}

func accepted(r *gateway.Result) acceptedAnswer { return acceptedAnswer{r.Payment.ID, "accepted"} }

// refundAnswer says that a refund is under way, and its amount (decision aq).
type refundAnswer struct {
	acceptedAnswer
	Amount string `json:"amount,omitempty"`
}

func refund(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	r, client, err := followUp(ctx, gw, text, refundFields, (*gateway.Client).CreditVoid)
	if err != nil {
		return nil, err
	}
	return refundAnswer{accepted(r), amountOf(client, r)}, nil
}

// amountOf returns the amount of a follow-up, "" when the mapping leaves it out (decision aq).
func amountOf(client *gateway.Client, r *gateway.Result) string {
	if client.Mapping(store.Checkout).OrderAmountOnly {
		return ""
	}
	return r.Payment.AmountText(r.Transaction.Amount)
}

// retry repeats a later payment of a chain that was declined softly (lifecycle.md, RETRY).
func retry(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	r, _, err := followUp(ctx, gw, text, otherFields, (*gateway.Client).Retry)
	if err != nil {
		return nil, err
	}
	return accepted(r), nil
}

// voidAnswer is the answer to a void (decision d).
type voidAnswer struct {
	Status        string      `json:"status"`
	PaymentStatus string      `json:"payment_status"`
	PaymentID     string      `json:"payment_id"`
	Date          string      `json:"date"`
	Reason        string      `json:"reason,omitempty"`
	Order         orderAnswer `json:"order"`
}

func void(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	r, _, err := followUp(ctx, gw, text, otherFields, (*gateway.Client).Void)
	if err != nil {
		return nil, err
	}
	return voidAnswer{
		Status: verdict(&r.Transaction), PaymentStatus: r.Payment.Status.Checkout(), PaymentID: r.Payment.ID,
		Date: date(r.Transaction.CreatedAt), Reason: callback.CheckoutReason(r.Transaction.Reason),
		Order: orderOf(&r.Payment),
	}, nil
}

// verdict returns SUCCESS or FAIL, or UNDEFINED while the outcome is not known. The documents have no word for
// that here; UNDEFINED is their word elsewhere.
func verdict(t *store.Transaction) string {
	switch t.Outcome {
	case store.Success:
		return "SUCCESS"
	case store.Fail:
		return "FAIL"
	default:
		return "UNDEFINED"
	}
}

// date writes a time in the format of answers, in UTC.
func date(at time.Time) string { return at.Format(time.DateTime) }
