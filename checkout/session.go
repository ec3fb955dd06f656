package checkout

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/sessionjson"
)

// sessionAnswer is the answer to a session request.
type sessionAnswer struct {
	RedirectURL string `json:"redirect_url"`
}

func createSession(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	key, request, err := sessionjson.Checkout(text)
	if err != nil {
		return nil, err
	}
	client, err := gw.Client(ctx, key)
	if err != nil {
		return nil, err
	}
	session, err := client.CreateSession(ctx, request)
	if err != nil {
		return nil, err
	}
	return sessionAnswer{session.RedirectURL}, nil
}
