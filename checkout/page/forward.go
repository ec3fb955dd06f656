package page

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/store"
)

// showForward sends the payer to the issuer or a bank. The policy allows the form to go there and nowhere else.
func (p *pages) showForward(w http.ResponseWriter, r *http.Request, next *gateway.NextAction) {
	view := p.view(r, next, "forward")
	forward, to, ok := forwardView(next.Redirect)
	if !ok {
		p.failed(w, r, fromPage, errors.New("forward: the acquirer's URL cannot be used"), next)
		return
	}
	view.Forward, view.Title = forward, view.T.AwayTitle
	if forward.Bank {
		view.Title = view.T.BankTitle
	}
	allowed := policy.Policy{Forms: []string{to}, Frames: policy.Origins(next.Origins)}
	p.write(w, r, http.StatusOK, pageForward, view, allowed)
}

func forwardView(next *store.Redirect) (forward *ForwardView, to string, ok bool) {
	if next == nil {
		return nil, "", false
	}
	u, ok := policy.WebURL(next.URL)
	to, named := policy.Origin(next.URL)
	if !ok || !named {
		return nil, "", false
	}
	post := !strings.EqualFold(next.Method, http.MethodGet)
	forward = &ForwardView{Post: post, Params: next.Params, Bank: next.ThreeDS}
	if !forward.Post {
		u.RawQuery, forward.Params = query(u.RawQuery, next.Params), nil
	}
	forward.URL = template.URL(policy.ASCII(u.String()))
	return forward, to, true
}

// query adds the parameters of a GET in their order; the URL's own query is not changed.
func query(raw string, params []store.RedirectParam) string {
	parts := make([]string, 0, len(params)+1)
	if raw != "" {
		parts = append(parts, raw)
	}
	for _, param := range params {
		parts = append(parts, url.QueryEscape(param.Name)+"="+url.QueryEscape(param.Value))
	}
	return strings.Join(parts, "&")
}
