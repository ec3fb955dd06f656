package vcard

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"net/http"

	"github.com/tollgatepay/gateway/methods"
)

// Notify returns the acquirer's notification about the entry under key in its state now, as it would be sent to
// Operation.NotificationURL. Error: store.ErrNotFound for an unknown key.
func (c *Connector) Notify(ctx context.Context, key string) (methods.Note, error) {
	e, err := c.Entry(ctx, key)
	if err != nil {
		return methods.Note{}, err
	}
	e.ReturnHash, e.PayerID = "", ""
	return c.note(useNotification, e)
}

// Notification reads a notification that Notify or BankNote made. One without this acquirer's signature, or about
// another operation, is unverified. A replayed one reports the same again.
func (c *Connector) Notification(_ context.Context, op methods.Operation, note methods.Note) methods.Answer {
	var e Entry
	token := http.Header(note.Header).Get(signatureHeader)
	switch {
	case note.Method == http.MethodPost && c.signed(useBankNote, string(note.Body), token):
		return c.bankNote(op, note.Body)
	case note.Method != http.MethodPost || !c.signed(useNotification, string(note.Body), token):
		return methods.Unverified(op, "the notification is not signed by the acquirer")
	case json.Unmarshal(note.Body, &e) != nil || !hmac.Equal([]byte(e.Key), []byte(op.Key)):
		return methods.Unverified(op, "the notification is not about the operation")
	}
	return c.found(op, e)
}
