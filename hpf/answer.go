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
	// RedirectURL is where to send the payer: by POST with RedirectParams where there are any, else by GET.
	RedirectURL    string                `json:"redirect_url,omitempty"`
	RedirectParams []store.RedirectParam `json:"redirect_params,omitzero"`
	DeclineMessage string                `json:"decline_message,omitempty"`
	PublicID       string                `json:"public_id"` // payment_id of every other request
	// The chain that the payment began, once it is paid (SPEC1, recurring_init).
	RecurringToken string `json:"recurring_token,omitempty"`
	RecurringInit  string `json:"recurring_init_trans_id,omitempty"`
	FirstRecurring string `json:"first_recurring_date,omitempty"`
	// ReturnParams go with the payer to return_url where the merchant's own page takes him there.
	ReturnParams map[string]string `json:"return_url_query_params,omitempty"`
}

// paid tells what came of a payment. It stands whatever happens here: parameters that cannot be told are
// left out.
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
	params, err := gw.ReturnParams(ctx, r)
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

// resultOf is the outcome in the words of the protocol. Nobody knows yet what an operation in doubt came to.
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

// redirectOf is where to send the payer. What goes along by GET is in the address; params that are there,
// were it none, say POST.
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
