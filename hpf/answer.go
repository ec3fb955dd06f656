package hpf

import (
	"context"
	"net/url"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// payAnswer is the answer to a payment request (SPEC1, "payment response"; hpf.md).
type payAnswer struct {
	Result string `json:"result"`
	// RedirectURL is where to send the payer: by POST when there are RedirectParams, otherwise by GET.
	RedirectURL    string                `json:"redirect_url,omitempty"`
	RedirectParams []store.RedirectParam `json:"redirect_params,omitzero"`
	DeclineMessage string                `json:"decline_message,omitempty"`
	PublicID       string                `json:"public_id"` // payment_id in every other request
	// The chain that the payment began, once it is paid (SPEC1, recurring_init).
	RecurringToken string `json:"recurring_token,omitempty"`
	RecurringInit  string `json:"recurring_init_trans_id,omitempty"`
	FirstRecurring string `json:"first_recurring_date,omitempty"`
	// ReturnParams are the parameters for return_url when the merchant's own page sends the payer there.
	ReturnParams map[string]string `json:"return_url_query_params,omitempty"`
}

// paid returns the answer to a payment. The payment is made whatever fails here: parameters that cannot be read
// are left out.
func paid(ctx context.Context, gw *gateway.Gateway, r *gateway.Result) payAnswer {
	answer := payAnswer{Result: resultOf(r), PublicID: r.Payment.ID}
	switch answer.Result {
	case "redirect":
		answer.RedirectURL, answer.RedirectParams = redirectOf(r.Redirect)
	case "success":
		if answer.RecurringToken = r.Payment.ChainToken(); answer.RecurringToken != "" {
			answer.RecurringInit = r.Payment.RecurringInitID
		}
		answer.FirstRecurring = r.Payment.FirstRecurring
	case "decline":
		answer.DeclineMessage = callback.CheckoutReason(r.Payment.Reason)
	}
	params, err := gw.HostedFields().ReturnParams(ctx, r)
	if err != nil {
		gw.Logged(ctx, err)
		return answer
	}
	answer.ReturnParams = make(map[string]string, len(params))
	for _, p := range params {
		answer.ReturnParams[p.Name] = p.Value
	}
	return answer
}

// resultOf returns the outcome in the words of the protocol. An operation in doubt has no outcome yet.
func resultOf(r *gateway.Result) string {
	switch {
	case r.Redirect != nil:
		return "redirect"
	case r.Transaction.Outcome == store.Success:
		return "success"
	case r.Transaction.Outcome == store.Fail:
		return "decline"
	case r.Transaction.Outcome == store.Waiting:
		return "waiting"
	}
	return "undefined"
}

// redirectOf returns where to send the payer. For GET the parameters are in the address; for POST params is not
// nil, even if it is empty.
func redirectOf(next *store.Redirect) (address string, params []store.RedirectParam) {
	if next.Method == "POST" {
		return next.URL, append([]store.RedirectParam{}, next.Params...)
	}
	u, err := url.Parse(next.URL)
	if err != nil || len(next.Params) == 0 {
		return next.URL, nil
	}
	query := u.Query()
	for _, p := range next.Params {
		query.Add(p.Name, p.Value)
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}
