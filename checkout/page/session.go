package page

import (
	"net/http"

	"github.com/tollgatepay/gateway"
)

// turn is what the payer of a link should see next.
func (p *pages) turn(r *http.Request) (*gateway.Turn, error) {
	token, ok := secret(r)
	if !ok {
		return nil, gateway.ErrNoSession
	}
	return p.gw.Turn(r.Context(), token)
}

// known is the turn of a session whose request went wrong before it was asked for; nil where there is none.
func (p *pages) known(r *http.Request, token string) *gateway.Turn {
	turn, err := p.gw.Turn(r.Context(), token)
	if err != nil {
		return nil
	}
	return turn
}
