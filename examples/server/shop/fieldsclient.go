package shop

import (
	"context"
	"net/http"
)

// token requests a session whose card the shop's own page takes. back is where the payer returns.
func (c *client) token(ctx context.Context, o *order, back string, payer *wireCustomer) exchange {
	request := c.purchase(o, payer)
	request.ReturnURL = back
	return c.post(ctx, "Token", "/api/v1/session/token", request)
}

// updateRequest changes a session before it is paid.
type updateRequest struct {
	Amount     string         `json:"order_amount"`
	CustomData map[string]any `json:"custom_data"`
}

// update sends the gateway the current price of the order.
func (c *client) update(ctx context.Context, o *order) exchange {
	e := exchange{Name: "Update", Method: http.MethodPut, Path: "/api/v1/session/update"}
	return c.say(ctx, e, o.Token, updateRequest{o.Amount, o.data()})
}

// payRequest charges the card. The expected amount guards it, because the token is in the payer's browser.
type payRequest struct {
	Name             string            `json:"name"`
	WithHostedFields bool              `json:"with_hosted_fields"`
	ExpectedAmount   string            `json:"expected_amount"`
	ExpectedCurrency string            `json:"expected_currency"`
	Browser          map[string]string `json:"browser_info,omitempty"`
}

// payAnswer is its result: success, decline, redirect, waiting or undefined.
type payAnswer struct {
	Result         string            `json:"result"`
	RedirectURL    string            `json:"redirect_url"`
	RedirectParams []wireParam       `json:"redirect_params"`
	ReturnParams   map[string]string `json:"return_url_query_params"`
}

type wireParam struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (c *client) pay(ctx context.Context, o *order, name string, browser map[string]string) exchange {
	e := exchange{Name: "Payment", Method: http.MethodPost, Path: "/api/v1/processing/purchase/card"}
	return c.say(ctx, e, o.Token, payRequest{
		Name: name, WithHostedFields: true, ExpectedAmount: o.Amount, ExpectedCurrency: o.Currency, Browser: browser,
	})
}

// browserOf returns the data of the payer's browser for 3-D Secure: what the page measured, and two headers.
func browserOf(r *http.Request) map[string]string {
	browser := map[string]string{"accept_header": r.Header.Get("Accept"), "user_agent": r.UserAgent()}
	for _, name := range []string{"color_depth", "java_enabled", "java_script_enabled", "language", "screen_height",
		"screen_width", "time_zone_offset"} {
		if value := r.PostForm.Get(name); value != "" && len(value) < 100 {
			browser[name] = value
		}
	}
	return browser
}
