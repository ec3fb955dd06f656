package checkout

import (
	"bytes"
	"encoding/json"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// statusAnswer is one payment (checkout.md, "Status response"), followed by what the Protocol Mapping adds.
type statusAnswer struct {
	paymentAnswer
	added    []callback.Field
	extended map[string]string // the connector's own facts, under its own names
}

// paymentAnswer is the part of every status answer. The schedule has both of its names.
type paymentAnswer struct {
	PaymentID      string          `json:"payment_id"`
	Date           string          `json:"date"`
	Status         string          `json:"status"`
	Reason         string          `json:"reason,omitempty"`
	RecurringToken string          `json:"recurring_token,omitempty"`
	RecurringInit  string          `json:"recurring_init_trans_id,omitempty"`
	ScheduleID     string          `json:"schedule_id,omitempty"`
	SheduleID      string          `json:"shedule_id,omitempty"`
	FirstRecurring string          `json:"first_recurring_date,omitempty"`
	DigitalWallet  string          `json:"digital_wallet,omitempty"`
	Captured       string          `json:"captured_amount,omitempty"`
	Refunded       string          `json:"refunded_amount,omitempty"`
	Pending        string          `json:"pending_refund_amount,omitempty"`
	Order          orderAnswer     `json:"order"`
	Customer       *customerAnswer `json:"customer,omitempty"`
}

// orderAnswer is the order in answers.
type orderAnswer struct {
	Number      string `json:"number"`
	Amount      string `json:"amount"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
}

// customerAnswer is the payer in answers.
type customerAnswer struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
}

func statusOf(client *gateway.Client, r *gateway.Result) statusAnswer {
	p := &r.Payment
	answer := paymentAnswer{
		PaymentID: p.ID, Date: date(p.CreatedAt), Status: p.Status.Checkout(), Reason: callback.CheckoutReason(p.Reason),
		RecurringToken: p.ChainToken(), RecurringInit: chainInit(p), ScheduleID: p.ScheduleID, SheduleID: p.ScheduleID,
		FirstRecurring: p.FirstRecurring,
		Order:          orderOf(p), Customer: customerOf(p),
	}
	if p.Wallet != nil {
		answer.DigitalWallet = p.Wallet.Wallet
	}
	if !client.Mapping(store.Checkout).OrderAmountOnly {
		answer.Captured, answer.Refunded = someOf(p, p.Captured), someOf(p, p.Refunded)
	}
	if client.Mapping(store.Checkout).PendingRefunds {
		answer.Pending = someOf(p, pendingRefunds(p))
	}
	return statusAnswer{answer, client.Additions(p, &r.Transaction), extendedOf(client.Extras(p, &r.Transaction))}
}

func extendedOf(extras []store.Extra) map[string]string {
	values := map[string]string{}
	for _, extra := range extras {
		values[extra.Name] = extra.Value
	}
	return values
}

// someOf returns an amount of a payment, or nothing while it is zero (decision aq).
func someOf(p *store.Payment, a store.Amount) string {
	if a.IsZero() {
		return ""
	}
	return p.AmountText(a)
}

// pendingRefunds returns the amount of the refunds and reversals that are under way, waiting or in doubt (decision cg).
func pendingRefunds(p *store.Payment) store.Amount {
	pending := p.Reserved
	if t := p.Transaction(p.Running); t != nil && t.Operation == store.OpReversal {
		pending = pending.Add(t.Amount)
	}
	return pending
}

func orderOf(p *store.Payment) orderAnswer {
	return orderAnswer{p.Order.Number, p.Order.Amount, p.Order.Currency, p.Order.Description}
}

func customerOf(p *store.Payment) *customerAnswer {
	c := customerAnswer{p.Payer.FullName(), p.Payer.Email}
	if c == (customerAnswer{}) {
		return nil
	}
	return &c
}

// chainInit returns the id of the first payment of the chain, sent with its token (SPEC1, recurring_init).
func chainInit(p *store.Payment) string {
	if p.ChainToken() == "" {
		return ""
	}
	return p.RecurringInitID
}

// MarshalJSON writes the additions after the fields of every answer, in the order of the table.
func (a statusAnswer) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(a.paymentAnswer); err != nil {
		return nil, err
	}
	add := func(name string, value any) error {
		out.Truncate(bytes.LastIndexByte(out.Bytes(), '}'))
		out.WriteByte(',')
		for i, part := range []any{name, value} {
			if err := encoder.Encode(part); err != nil {
				return err
			}
			out.WriteByte(":}"[i])
		}
		return nil
	}
	for _, field := range a.added {
		if err := add(field.Name, field.Value); err != nil {
			return nil, err
		}
	}
	if len(a.extended) > 0 {
		if err := add("extended_data", a.extended); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
