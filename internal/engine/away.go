package engine

import (
	"encoding/base64"
	"encoding/json"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// away is where an answer sends the payer of this flight: to the issuer, to a bank, or to our own page,
// which shows and asks. A QR code goes along as a picture, for merchants who show it themselves (SPEC2,
// ips: redirect_params.qr_code).
func (f *flight) away(a methods.Answer) *store.Next {
	page := f.hosted
	if f.page != nil {
		page = f.page.URL
	}
	switch {
	case a.Result == methods.ResultRedirect:
		next := *a.Redirect
		next.URL = weburl.ASCII(next.URL)
		return &next
	case page == "" || a.Result != methods.ResultShow && a.Result != methods.ResultAsk:
		return nil
	}
	next := &store.Next{URL: page, Method: "GET"}
	if a.Show != nil && a.Show.QR != "" && f.page != nil {
		if picture, err := methods.QRCode(a.Show.QR); err == nil {
			next.Params = []store.NextParam{{Name: "qr_code", Value: base64.StdEncoding.EncodeToString(picture)}}
		}
	}
	return next
}

// sendsAway reports an answer that needs a page for its payer.
func sendsAway(a methods.Answer) bool {
	switch a.Result {
	case methods.ResultRedirect, methods.ResultShow, methods.ResultAsk:
		return true
	}
	return a.Show != nil
}

// maxNext bounds what an acquirer sends a payer away with, in bytes: it is kept, and told in a callback.
const maxNext = 64 << 10

func tooLarge(next *store.Next) bool {
	n := len(next.URL)
	for _, param := range next.Params {
		n += len(param.Name) + len(param.Value)
	}
	return n > maxNext
}

// keepNext keeps where the payer has to go for as long as he may reload, sealed: what a connector sends
// him to carries our return link, whose secret must not be stored. With Memory Storage it is kept here.
func (e *Engine) keepNext(f flight, next *store.Next) ([]byte, error) {
	if f.link == nil || next == nil || tooLarge(next) { // the last is not believed
		return nil, nil
	}
	if f.merchant.Mapping(f.protocol).MemoryRedirect {
		e.redirects.put(f.t.ID, next, e.Now())
		return nil, nil
	}
	plain, err := json.Marshal(next)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	return vault.SealHeld(f.link, vault.ReturnData, f.t.ID, e.Random, plain)
}

// Next is where the payer has to go; nil when that is not known.
func (e *Engine) Next(t *store.Transaction, link []byte) *store.Next {
	if next := e.redirects.get(t.ID, e.Now()); next != nil {
		return next
	}
	plain, err := vault.OpenHeld(link, vault.ReturnData, t.ID, t.Next)
	if err != nil {
		return nil
	}
	defer vault.Wipe(plain)
	var next store.Next
	if json.Unmarshal(plain, &next) != nil {
		return nil
	}
	return &next
}

// redirects is the Memory Storage of where payers have to go (store.Mapping, MemoryRedirect).
type redirects struct {
	mu   sync.Mutex
	byID map[string]memorized
}

type memorized struct {
	next  *store.Next
	until time.Time
}

// How much is kept and for how long.
const (
	maxRedirects = 10_000
	redirectLife = time.Hour
)

func (m *redirects) put(transactionID string, next *store.Next, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byID == nil || len(m.byID) >= maxRedirects {
		m.byID = map[string]memorized{}
	}
	m.byID[transactionID] = memorized{next, now.Add(redirectLife)}
}

func (m *redirects) get(transactionID string, now time.Time) *store.Next {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.byID[transactionID]
	if !ok || now.After(found.until) {
		delete(m.byID, transactionID)
		return nil
	}
	return found.next
}
