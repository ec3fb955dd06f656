package page

import (
	"net/http"

	"github.com/tollgatepay/gateway"
)

// next is what the payer of a link should see next.
func (p *pages) next(r *http.Request) (*gateway.NextAction, error) {
	token, ok := secret(r)
	if !ok {
		return nil, gateway.ErrNoSession
	}
	return p.gw.NextAction(r.Context(), token)
}

// known is the turn of a session whose request went wrong before it was asked for; nil where there is none.
func (p *pages) known(r *http.Request, token string) *gateway.NextAction {
	next, err := p.gw.NextAction(r.Context(), token)
	if err != nil {
		return nil
	}
	return next
}
