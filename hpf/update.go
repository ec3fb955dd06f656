package hpf

import (
	"context"
	"encoding/json"

	"github.com/tollgatepay/gateway"
	rules "github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

// updateBody is what can be updated (SPEC1, "session update fields"). Any other field is refused by its name,
// merchant_key and hash too (decision j).
type updateBody struct {
	Amount        string                      `json:"order_amount"`
	Currency      string                      `json:"order_currency"`
	RecurringInit strictjson.Optional[bool]   `json:"recurring_init"`
	ReqToken      strictjson.Optional[bool]   `json:"req_token"`
	ScheduleID    strictjson.Optional[string] `json:"schedule_id"`
	Parameters    strictjson.Object           `json:"parameters"`
	CustomData    strictjson.Object           `json:"custom_data"`

	ExpectedAmount   string `json:"expected_amount"` // additions of ours: see gateway.HostedUpdate
	ExpectedCurrency string `json:"expected_currency"`

	Unknown []string `json:",unknown"`
}

var updateDecoder = strictjson.For[updateBody](strictjson.Limits{MaxBytes: MaxUpdate})

// updateAnswer is the answer to an update.
type updateAnswer struct {
	Result string `json:"result"`
}

func update(ctx context.Context, c call) (any, error) {
	body, faults, whole := updateDecoder.Read(c.body)
	list := sessionjson.Faults(faults)
	if !whole {
		return nil, gateway.ErrInvalid.Fields(list...)
	}
	changes := body.update()
	changes.Malformed = body.check(list)
	if err := c.gw.HostedFields().Update(ctx, c.token, changes); err != nil {
		return nil, err
	}
	return updateAnswer{"success"}, nil
}

// check refuses fields that cannot be updated, each with the message of SPEC1, and an empty update.
func (b *updateBody) check(list []gateway.Fault) []gateway.Fault {
	for _, field := range []struct {
		name  string
		value strictjson.Optional[bool]
	}{{"recurring_init", b.RecurringInit}, {"req_token", b.ReqToken}} {
		if field.value.Presence == strictjson.Null {
			list = append(list, gateway.Fault{Path: field.name, Text: rules.TextBool})
		}
	}
	for _, name := range b.Unknown {
		list = append(list, gateway.Fault{Text: rules.TextFixed(name)})
	}
	if len(list) == 0 && b.empty() {
		list = append(list, gateway.Fault{Path: "body", Text: "must have at least one parameter"})
	}
	return list
}

func (b *updateBody) empty() bool {
	u := b.update()
	return u.Amount == nil && u.Currency == nil && u.RecurringInit == nil && u.ReqToken == nil &&
		u.ScheduleID == nil && u.Parameters == nil && u.CustomData == nil
}

// update converts the body into a request of the gateway. An empty text counts as absent (decision m): null
// removes a schedule.
func (b *updateBody) update() gateway.HostedUpdate {
	u := gateway.HostedUpdate{
		Amount: text(b.Amount), Currency: text(b.Currency),
		Parameters: object(b.Parameters), CustomData: object(b.CustomData),
		ExpectedAmount: b.ExpectedAmount, ExpectedCurrency: b.ExpectedCurrency,
	}
	if b.RecurringInit.Presence == strictjson.Given {
		u.RecurringInit = &b.RecurringInit.Value
	}
	if b.ReqToken.Presence == strictjson.Given {
		u.ReqToken = &b.ReqToken.Value
	}
	switch {
	case b.ScheduleID.Presence == strictjson.Null:
		u.ScheduleID = new(string)
	case b.ScheduleID.Value != "":
		u.ScheduleID = &b.ScheduleID.Value
	}
	return u
}

// object returns a free-form object as JSON, nil when it was not sent. An empty one clears the value (SPEC1,
// "session update fields").
func object(o strictjson.Object) json.RawMessage {
	if o.IsZero() {
		return nil
	}
	return o.AppendJSON(nil)
}

func text(value string) *string {
	if value == "" {
		return nil
	}
	return &value
}
