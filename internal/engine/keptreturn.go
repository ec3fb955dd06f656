package engine

import (
	"encoding/json"
	"net/url"
	"slices"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// sealReturn seals the payer's return under the secret of their page. If this process dies during the marked call,
// the page can send the browser back to the same return, because the issuer sends it only once. It returns nil if
// the return cannot be kept.
func (l *laterCall) sealReturn() []byte {
	if l.brought.Link == nil || l.merchant.Mapping(l.p.Protocol).MemoryRedirect {
		return nil
	}
	next := l.returns.repeatReturn(l.t.PaymentID, &l.brought)
	plain, err := json.Marshal(next)
	if err != nil || tooLarge(next) {
		return nil
	}
	defer vault.Wipe(plain)
	box, err := vault.SealHeld(l.brought.Link, vault.ReturnData, l.t.ID+"/return", l.returns.Random, plain)
	if err != nil {
		l.returns.Log.Warn("a payer's return could not be kept", "transaction", l.t.ID, "error", err)
		return nil
	}
	return box
}

// repeatReturn returns the redirect that repeats the payer's return.
func (r *returns) repeatReturn(paymentID string, brought *PayerReturn) *store.Redirect {
	next := &store.Redirect{URL: r.Site.Return(links.Token(paymentID, brought.Secret)), Method: brought.Back.Method}
	if next.Method == "GET" {
		if query := url.Values(brought.Back.Params).Encode(); query != "" {
			next.URL += "?" + query
		}
		return next
	}
	names := make([]string, 0, len(brought.Back.Params))
	for name := range brought.Back.Params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range brought.Back.Params[name] {
			next.Params = append(next.Params, store.RedirectParam{Name: name, Value: value})
		}
	}
	return next
}
