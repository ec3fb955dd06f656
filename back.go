package gateway

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Return is the payer's browser coming back from the issuer or a bank. It completes the operation once: a browser
// that comes later, or after recovery, gets what is stored, never a second operation. While the first call is
// under way the page waits. url is where to send the browser next, empty when that is not known; it may come with an
// error. Error: ErrNoSession for a link that is none.
func (gw *Gateway) Return(ctx context.Context, token string, back methods.Return) (url string, err error) {
	if err := gw.enter(); err != nil {
		return "", err
	}
	defer gw.leave()
	t, secret, err := gw.linked(ctx, token, links.ReturnHash)
	if err != nil {
		return "", err
	}
	page, err := gw.pageBack(ctx, t, secret)
	if err != nil {
		return "", err
	}
	if !t.Outcome.Final() && accepted(t) {
		trip := PayerReturn{Back: back, Secret: secret, Code: links.Code(t, pageLink(t, secret)), Page: page, Link: links.OfPage(page)}
		if err := gw.comesBack(ctx, t, trip); err != nil {
			return page, err
		}
	} // else there is an outcome, or nobody was sent away
	return page, nil
}

// ReturnPage is the page of ours that a return link leads to, for a browser that came back with what cannot be read. It
// completes nothing, and changes nothing: the browser may come back again. url is empty when there is no such page.
// Error: ErrNoSession for a link that is none.
func (gw *Gateway) ReturnPage(ctx context.Context, token string) (url string, err error) {
	if err := gw.enter(); err != nil {
		return "", err
	}
	defer gw.leave()
	t, secret, err := gw.linked(ctx, token, links.ReturnHash)
	if err != nil {
		return "", err
	}
	return gw.pageBack(ctx, t, secret)
}

// pageBack is the page to go back to: the one that is sealed under the link, or the one that was made of it
// when the payer was sent away. Empty when there is none.
func (gw *Gateway) pageBack(ctx context.Context, t *store.Transaction, secret []byte) (string, error) {
	if t.Back != nil {
		return links.Back(t, secret), nil
	}
	p, err := gw.payment(ctx, t.PaymentID)
	if err != nil || p.SessionID == "" {
		return "", err
	}
	return gw.site.Page(links.Token(p.SessionID, links.PageSecret(secret))), nil
}

// linked finds the transaction of a return or notification link, by the hash of that kind.
func (gw *Gateway) linked(ctx context.Context, token string, hash func(*store.Transaction) string) (*store.Transaction, []byte, error) {
	id, secret, ok := links.Split(token)
	if !ok {
		return nil, nil, refusal.ErrNoSession
	}
	t, err := gw.transaction(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil, refusal.ErrNoSession
	}
	if err != nil {
		return nil, nil, err
	}
	kept := hash(t)
	if kept == "" || subtle.ConstantTimeCompare([]byte(kept), []byte(links.Hash(secret))) != 1 {
		return nil, nil, refusal.ErrNoSession
	}
	return t, secret, nil
}

// Notify is an acquirer's own notification about one transaction, which its link names. What the
// connector cannot verify changes nothing. Errors: ErrNoSession for a link that is none; any other, also where the
// connector could not read it in time, is one after which the acquirer should send it again.
func (gw *Gateway) Notify(ctx context.Context, token string, note methods.Note) error {
	if err := gw.enter(); err != nil {
		return err
	}
	defer gw.leave()
	t, _, err := gw.linked(ctx, token, links.NotifyHash)
	if err != nil {
		return err
	}
	profile, err := gw.profileByID(ctx, t.MerchantID)
	if err != nil {
		return err
	}
	p, err := gw.payment(ctx, t.PaymentID)
	if err != nil {
		return err
	}
	if err := profile.Readable(p); err != nil {
		return err
	}
	reader, ok := gw.cfg.Connectors[t.Connector].(methods.Notified)
	if !ok {
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: "", Text: fmt.Sprintf("connector %q takes no notifications", t.Connector)})
	}
	try := *t
	try.DeadlineAt = gw.now().Add(gw.timeout(t.Connector))
	op := gw.operation(p, &try, profile)
	answer := gw.call(context.WithoutCancel(ctx), &try, func(ctx context.Context) methods.Answer {
		return reader.Notification(ctx, op, note)
	}, nil)
	switch answer.Result {
	case methods.ResultUnknown: // it was not read: whoever sent it has to send it again
		return fmt.Errorf("a notification about transaction %s was not read: %s", t.ID, answer.Cause)
	case methods.ResultUnverified:
		gw.cfg.Log.Warn("a notification says nothing that can be believed", "transaction", t.ID, "cause", answer.Cause)
		return nil
	}
	_, err = gw.apply(ctx, profile, t, answer)
	return err
}
