package vcard

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"net/http"

	"github.com/tollgatepay/gateway/methods"
)

// signatureHeader carries the HMAC-SHA256 of a notification's body.
const signatureHeader = "Vcard-Signature"

// Notify builds the acquirer's notification about the entry under key as it stands now: what the
// gateway would be sent at Operation.NotificationURL. store.ErrNotFound when there is no such entry.
func (c *Connector) Notify(ctx context.Context, key string) (methods.Note, error) {
	e, err := c.Entry(ctx, key)
	if err != nil {
		return methods.Note{}, err
	}
	e.ReturnHash = ""
	body, err := json.Marshal(e)
	return methods.Note{
		Method: http.MethodPost,
		Header: http.Header{
			"Content-Type":  {"application/json"},
			signatureHeader: {c.sign("notification", string(body))},
		},
		Body: body,
	}, err
}

// Notification reads a notification that Notify built. One without this acquirer's signature, or about
// another operation, is unknown. Replaying one says again what it said.
func (c *Connector) Notification(_ context.Context, op methods.Operation, note methods.Note) methods.Answer {
	var e Entry
	token := http.Header(note.Header).Get(signatureHeader)
	switch {
	case note.Method != http.MethodPost || !c.signed("notification", string(note.Body), token):
		return methods.Unknown(op, "the notification is not signed by the acquirer")
	case json.Unmarshal(note.Body, &e) != nil || !hmac.Equal([]byte(e.Key), []byte(op.Key)):
		return methods.Unknown(op, "the notification is not about the operation")
	}
	return c.found(op, e)
}
