package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/methods"
)

// Return is the payer's browser coming back from the issuer or a bank. It completes the operation once: a browser
// that comes later, or after recovery, gets what is stored, never a second operation. While the first call is
// under way the page waits. url is where to send the browser next, empty when that is not known; it may come with an
// error. Error: ErrNoSession for a link that is none.
func (gw *Gateway) Return(ctx context.Context, token string, back methods.Return) (url string, err error) {
	if err := gw.gate.Enter(); err != nil {
		return "", err
	}
	defer gw.gate.Leave()
	r, secret, err := gw.engine.Linked(ctx, token, links.ReturnHash)
	if err != nil {
		return "", err
	}
	t, page := &r.Transaction, gw.pageBack(r, secret)
	return page, gw.engine.Complete(ctx, &r.Payment, t, engine.PayerReturn{
		Back: back, Secret: secret, Code: links.Code(t, charge.PageLink(t, secret)), Page: page, Link: links.OfPage(page),
	})
}

// ReturnPage is the page of ours that a return link leads to, for a browser that came back with what cannot be read. It
// completes nothing, and changes nothing: the browser may come back again. url is empty when there is no such page.
// Error: ErrNoSession for a link that is none.
func (gw *Gateway) ReturnPage(ctx context.Context, token string) (url string, err error) {
	if err := gw.gate.Enter(); err != nil {
		return "", err
	}
	defer gw.gate.Leave()
	r, secret, err := gw.engine.Linked(ctx, token, links.ReturnHash)
	if err != nil {
		return "", err
	}
	return gw.pageBack(r, secret), nil
}

// pageBack is the page to go back to: the one that is sealed under the link, or the one that was made of it
// when the payer was sent away. Empty when there is none.
func (gw *Gateway) pageBack(r *engine.Result, secret []byte) string {
	switch {
	case r.Transaction.SealedReturnPage != nil:
		return links.Back(&r.Transaction, secret)
	case r.Payment.SessionID == "":
		return ""
	default:
		return gw.site.PageOf(r.Payment.SessionID, links.PageSecret(secret))
	}
}

// Notify is an acquirer's own notification about one transaction, which its link names. What the
// connector cannot verify changes nothing. Errors: ErrNoSession for a link that is none; any other, also where the
// connector could not read it in time, is one after which the acquirer should send it again.
func (gw *Gateway) Notify(ctx context.Context, token string, note methods.Note) error {
	if err := gw.gate.Enter(); err != nil {
		return err
	}
	defer gw.gate.Leave()
	return gw.engine.Notify(ctx, token, note)
}
