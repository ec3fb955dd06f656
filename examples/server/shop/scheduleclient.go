package shop

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
)

// schedule sends an action on a schedule as a form of S2S CARD (s2s_card.md, "Schedules"). Without a schedule_id
// it creates one. It changes fields.
func (c *client) schedule(ctx context.Context, action string, fields url.Values) exchange {
	formula, id := signature.Card4, fields.Get("schedule_id")
	if id == "" {
		formula = signature.Card3
	}
	fields.Set("action", action)
	fields.Set("client_key", c.account.Key)
	fields.Set("hash", c.account.signCard(formula, signature.Inputs{ScheduleID: id}))
	body := fields.Encode()
	e := exchange{
		At: c.now().UTC(), Name: action, Method: http.MethodPost, Path: "/post",
		Request: strings.ReplaceAll(body, "&", "\n&"), // for people; it is sent in one line
	}
	return c.ask(ctx, e, body, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}})
}
