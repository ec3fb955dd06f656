package checkout

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// followUpBody is capture, refund, void and retry (checkout.md, "Request bodies of follow-ups").
type followUpBody struct {
	MerchantKey string `json:"merchant_key"`
	PaymentID   string `json:"payment_id"`
	Amount      string `json:"amount"`
	Hash        string `json:"hash"`
}

var followUpDecoder = strictjson.For[followUpBody](strictjson.Limits{MaxBytes: MaxFollowUp})

// decode reads a follow-up: every field is required, amount where withAmount says so.
func decode(text []byte, withAmount bool) (gateway.FollowUp, error) {
	body, faults := followUpDecoder.Decode(text)
	check := newFields(faults)
	if !sessionjson.CutShort(faults) {
		check.want("merchant_key", body.MerchantKey, isName)
		check.want("payment_id", body.PaymentID, isName)
		if withAmount {
			check.want("amount", body.Amount, isAmount)
		}
		check.want("hash", body.Hash, isText)
	}
	if err := check.err(); err != nil {
		return gateway.FollowUp{}, err
	}
	proof := &gateway.Proof{Formula: signature.CheckoutPayment, Hash: body.Hash, Inputs: signature.Inputs{PaymentID: body.PaymentID}}
	if withAmount {
		proof.Formula, proof.Inputs.Amount = signature.CheckoutAmount, body.Amount
	} else {
		body.Amount = ""
	}
	return gateway.FollowUp{MerchantKey: body.MerchantKey, Proof: proof, PaymentID: body.PaymentID, Amount: body.Amount}, nil
}

// captureAnswer is the answer to a capture (checkout.md, "Responses").
type captureAnswer struct {
	PaymentID   string `json:"payment_id"`
	Status      string `json:"status"`
	TransStatus string `json:"trans_status"`
	Reason      string `json:"reason,omitempty"`
	Date        string `json:"date"`
	begun
}

// begun is the chain that a payment begins with the capture of what it held, once that is done (decision ar).
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
	f, err := decode(text, true)
	if err != nil {
		return nil, err
	}
	r, err := gw.Capture(ctx, f)
	if err != nil {
		return nil, err
	}
	return captureAnswer{
		PaymentID: r.Payment.ID, Status: r.Payment.Status.Checkout(), TransStatus: verdict(&r.Transaction),
		Reason: callback.CheckoutReason(r.Transaction.Reason), Date: date(r.Transaction.CreatedAt),
		begun: begunBy(&r.Payment),
	}, nil
}

// acceptedAnswer says that a refund, a retry or a payout is under way; its outcome comes by callback.
type acceptedAnswer struct {
	PaymentID string `json:"payment_id"`
	Result    string `json:"result"`
}

func accepted(r *gateway.Result) acceptedAnswer { return acceptedAnswer{r.Payment.ID, "accepted"} }

func refund(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	f, err := decode(text, true)
	if err != nil {
		return nil, err
	}
	r, err := gw.CreditVoid(ctx, f)
	if err != nil {
		return nil, err
	}
	return accepted(r), nil
}

// retry tries a later payment of a chain again that was declined softly (lifecycle.md, RETRY).
func retry(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	f, err := decode(text, false)
	if err != nil {
		return nil, err
	}
	r, err := gw.Retry(ctx, f)
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
	f, err := decode(text, false)
	if err != nil {
		return nil, err
	}
	r, err := gw.Void(ctx, f)
	if err != nil {
		return nil, err
	}
	return voidAnswer{
		Status: verdict(&r.Transaction), PaymentStatus: r.Payment.Status.Checkout(), PaymentID: r.Payment.ID,
		Date: date(r.Transaction.CreatedAt), Reason: callback.CheckoutReason(r.Transaction.Reason), Order: orderOf(&r.Payment),
	}, nil
}

// verdict is SUCCESS or FAIL, or UNDEFINED while nobody knows: the documents have no word for that
// here, and this is the one they use elsewhere.
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

// date writes a moment as answers do, in UTC.
func date(at time.Time) string { return at.Format(time.DateTime) }
