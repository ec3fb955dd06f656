package page

import (
	"net/http"

	"github.com/tollgatepay/gateway"
)

// next returns the payer's next action for a link.
func (p *pages) next(r *http.Request) (*gateway.NextAction, error) {
	token, ok := secret(r)
	if !ok {
		return nil, gateway.ErrNoSession
	}
	return p.gw.NextAction(r.Context(), token)
}

// known returns the action of a session whose request failed before it was loaded; nil without a session.
func (p *pages) known(r *http.Request, token string) *gateway.NextAction {
	next, err := p.gw.NextAction(r.Context(), token)
	if err != nil {
		return nil
	}
	return next
}
