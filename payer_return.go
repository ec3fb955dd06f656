package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/methods"
)

// Return completes the operation of a payer whose browser comes back from the issuer or a bank. It does so once: a
// later browser, or one after recovery, gets the stored result and starts nothing. While the first call is under way
// the page waits. url is where to send the browser next, empty if that is not known; it may come with an error. Error:
// ErrNoSession for an unknown link.
func (gw *Gateway) Return(ctx context.Context, token string, back methods.Return) (url string, err error) {
	if err := made(gw).gate.Enter(); err != nil {
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

// ReturnPage returns our page that a return link leads to, for a browser whose return cannot be read. It changes
// nothing, so the browser may come back again. url is empty if there is no such page. Error: ErrNoSession for an
// unknown link.
func (gw *Gateway) ReturnPage(ctx context.Context, token string) (url string, err error) {
	if err := made(gw).gate.Enter(); err != nil {
		return "", err
	}
	defer gw.gate.Leave()
	r, secret, err := gw.engine.Linked(ctx, token, links.ReturnHash)
	if err != nil {
		return "", err
	}
	return gw.pageBack(r, secret), nil
}

// pageBack returns the page to go back to: the one that is sealed under the link, or the one that was made of it when
// the payer was sent away. Empty if there is none.
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

// Notify applies an acquirer's notification about the transaction that its link names. A notification that the
// connector cannot verify changes nothing. Errors: ErrNoSession for an unknown link. After any other, also if the
// connector could not read it in time, the acquirer should send it again.
func (gw *Gateway) Notify(ctx context.Context, token string, note methods.Note) error {
	if err := made(gw).gate.Enter(); err != nil {
		return err
	}
	defer gw.gate.Leave()
	return gw.engine.Notify(ctx, token, note)
}
