package s2s

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// reply is an answer with the outcome of a transaction.
type reply struct {
	c      *call
	r      *gateway.Result
	result string
	names  string // of the parameters that it has when they have a value
}

// outcome answers with the outcome of a transaction.
func (c *call) outcome(r *gateway.Result) body {
	result := resultOf(r)
	t := &reply{c, r, result, c.answers[result]}
	if answeredAsSuccess[c.action] == result {
		t.result = success
	}
	return t
}

// answeredAsSuccess are the results for which an action's own table has SUCCESS, though callbacks do not: a crypto
// address that is ready, and a depositor who has to go to another page (s2s_apm.md, SALE and DEBIT2VIRTUAL).
var answeredAsSuccess = map[string]string{
	"SALE": started, "DEBIT2VIRTUAL": redirect, "DEBIT2VIRTUAL_COMPLETE": redirect,
}

// encode writes the parameters that have a value. They are texts, but for those of a redirect.
func (t *reply) encode() []byte {
	w := newWriter()
	w.out = append(w.out, '{')
	var errs error
	for name := range strings.FieldsSeq(t.names) {
		if name == "redirect_params" {
			errs = errors.Join(errs, w.member(name, redirectParams(t.r.Redirect.Params, t.c.list)))
		} else if value := values[name](t); value != "" {
			errs = errors.Join(errs, w.name(name), w.plain(value))
		}
	}
	if errs != nil { // cannot fail: texts and lists of them
		return []byte("{}")
	}
	return append(w.out, '}')
}

// resultOf returns the result of a transaction that was performed. In crypto the address is ready, even if the
// payer is also sent to a page that shows it.
func resultOf(r *gateway.Result) string {
	switch t := &r.Transaction; {
	case t.Outcome == store.Success:
		return success
	case t.Outcome == store.Fail:
		return declined
	case t.Outcome != store.Waiting:
		return undefined
	case r.Payment.Status == store.Pending && !r.Payment.Hold:
		return started
	case r.Redirect != nil:
		return redirect
	}
	return undefined
}

// values read the text of each parameter; "" is left out.
var values = map[string]func(*reply) string{
	"action":               func(t *reply) string { return t.c.text("action") },
	"result":               func(t *reply) string { return t.result },
	"status":               func(t *reply) string { return string(t.r.Payment.Status) },
	"order_id":             func(t *reply) string { return t.r.Payment.Order.Number },
	"trans_id":             func(t *reply) string { return t.r.Payment.ID },
	"trans_date":           func(t *reply) string { return date(t.r.Transaction.CreatedAt) },
	"descriptor":           func(t *reply) string { return cmp.Or(t.r.Transaction.Facts.Descriptor, t.r.Payment.Descriptor) },
	"amount":               func(t *reply) string { return amountOf(&t.r.Payment, &t.r.Transaction) },
	"currency":             func(t *reply) string { return t.r.Payment.Order.Currency },
	"decline_reason":       func(t *reply) string { return cmp.Or(t.r.Transaction.Reason, t.r.Payment.Reason) },
	"recurring_token":      func(t *reply) string { return t.chain().ChainToken() },
	"schedule_id":          func(t *reply) string { return t.chain().ScheduleID },
	"first_recurring_date": func(t *reply) string { return t.chain().FirstRecurring },
	"card_token":           func(t *reply) string { return t.r.Payment.CardToken },
	"digital_wallet":       func(t *reply) string { return walletOf(&t.r.Payment).Wallet },
	"pan_type":             func(t *reply) string { return walletOf(&t.r.Payment).PANType },
	"redirect_url":         func(t *reply) string { return t.r.Redirect.URL },
	"redirect_method":      func(t *reply) string { return t.r.Redirect.Method },
	"crypto_address":       func(t *reply) string { return t.r.Transaction.Facts.CryptoAddress },
	"crypto_network": func(t *reply) string {
		return cmp.Or(t.r.Transaction.Facts.CryptoNetwork,
			t.r.Payment.CryptoNetwork)
	},
	"commission":   func(t *reply) string { return t.r.Transaction.Facts.Commission },
	"total_amount": func(t *reply) string { return t.r.Transaction.Facts.TotalAmount },
}

// chain returns the payment whose chain is reported. A capture reports one only if its chain begins with it
// (decision ar).
func (t *reply) chain() *store.Payment {
	if p := &t.r.Payment; t.r.Transaction.Operation != store.OpCapture || p.RecurringInit {
		return p
	}
	return &store.Payment{}
}

// date writes a time in the format of answers, in UTC.
func date(at time.Time) string { return at.UTC().Format(time.DateTime) }

// amountOf returns the order's amount as it was sent, or the transaction's when it has its own or the payer chose
// it; callbacks do the same.
func amountOf(p *store.Payment, t *store.Transaction) string {
	switch t.Operation {
	case store.OpCapture, store.OpVoid, store.OpRefund, store.OpReversal, store.OpChargeback:
		return p.AmountText(t.Amount)
	default: // of the charge
	}
	if p.Order.Amount == "" && !t.Amount.IsZero() {
		return t.Amount.String()
	}
	return p.Order.Amount
}

func walletOf(p *store.Payment) store.WalletFacts {
	if p.Wallet == nil {
		return store.WalletFacts{}
	}
	return *p.Wallet
}

// redirectParams returns an object, empty without parameters, or on /v2/post a list (decisions c and e).
func redirectParams(params []store.RedirectParam, list bool) any {
	if list {
		entries := make([]any, len(params))
		for i, param := range params {
			entries[i] = object{{"name", param.Name}, {"value", param.Value}}
		}
		return entries
	}
	fields := object{}
	for _, param := range params {
		fields = append(fields, member{param.Name, param.Value})
	}
	return fields
}
