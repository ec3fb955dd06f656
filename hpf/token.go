package hpf

import (
	"context"

	"github.com/tollgatepay/gateway/internal/sessionjson"
)

// tokenAnswer is the answer to a token request.
type tokenAnswer struct {
	Token string `json:"token"`
}

// createToken makes a session. The payer's address is the caller's when the request names none (SPEC1,
// customer.ip).
func createToken(ctx context.Context, c call) (any, error) {
	key, request, err := sessionjson.Hosted(c.body)
	if err != nil {
		return nil, err
	}
	if request.Customer.IP == "" {
		request.Customer.IP = c.address
	}
	client, err := c.gw.Client(ctx, key)
	if err != nil {
		return nil, err
	}
	session, err := client.CreateHosted(ctx, request)
	if err != nil {
		return nil, err
	}
	return tokenAnswer{session.Token}, nil
}
