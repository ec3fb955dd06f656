package engine

import (
	"encoding/json"
	"net/url"
	"slices"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// keep seals the return itself under the secret of the payer's page, so that the page can send the browser back
// to it where this process dies behind the mark: what came back comes once. It is no fault not to keep it.
func (l *laterCall) keep() []byte {
	if l.brought.Link == nil || l.merchant.Mapping(l.p.Protocol).MemoryRedirect {
		return nil
	}
	next := l.returns.backAgain(l.t.ID, &l.brought)
	plain, err := json.Marshal(next)
	if err != nil || tooLarge(next) {
		return nil
	}
	defer vault.Wipe(plain)
	box, err := vault.SealHeld(l.brought.Link, vault.ReturnData, l.t.ID+"/return", l.returns.Random, plain)
	if err != nil {
		l.returns.Log.Warn("a return is not kept", "transaction", l.t.ID, "error", err)
		return nil
	}
	return box
}

// backAgain is the way back that the payer's browser took.
func (r *returns) backAgain(id string, brought *PayerReturn) *store.Redirect {
	next := &store.Redirect{URL: r.Site.Return(links.Token(id, brought.Secret)), Method: brought.Back.Method}
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
