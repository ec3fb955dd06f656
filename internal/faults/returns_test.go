package faults_test

import (
	"net/url"
	"strings"
	"sync"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// returns are payers who return in two browsers, at an acquirer that is not idempotent: an approved payment never
// ends declined because of a second call.
func returns() []scenario {
	return []scenario{
		{name: "S2S: 3-D Secure, two browsers", ends: []string{"SALE success"}, play: func(p *play) {
			p.by.Strict = true
			r := p.remember(p.kit.Shop().Charge(p.t.Context(),
				kerneltest.ChargeOf("ORD-1", gatewaytest.ThreeDSPasses, kerneltest.ViaCard, kerneltest.GoesBack)))
			p.work()
			if r != nil && r.Redirect != nil {
				p.twoBrowsers(r.Redirect)
			}
		}, after: nothingElse(store.OpSale)},
		{name: "session: the bank, two browsers", ends: []string{"SALE success"}, play: func(p *play) {
			p.by.Strict = true
			token := p.opened(gatewaytest.Request("ORD-1", "10.00"))
			next, err := p.kit.PaySession(p.t.Context(), token, gateway.Submission{Card: gatewaytest.BankPasses})
			if err == nil && next.Kind == gateway.ActionRedirect {
				p.twoBrowsers(next.Redirect)
			}
		}, after: nothingElse(store.OpSale)},
		{name: "session: asked for a code, two browsers", ends: []string{"SALE success"}, play: func(p *play) {
			p.by.Strict = true
			token := p.opened(kerneltest.CodeSession("ORD-1"))
			next, err := p.kit.PaySession(p.t.Context(), token, gateway.Submission{Method: "mobile-collection"})
			if err != nil || next.Kind != gateway.ActionPrompt {
				return
			}
			answers := map[string]string{next.Prompts[0].Name: "123456"}
			for range 2 {
				_, _ = p.kit.AnswerSession(p.t.Context(), token, answers)
			}
			p.work()
		}, after: nothingElse(store.OpSale)},
	}
}

// opened opens a session; empty if it was never reported to a client.
func (p *play) opened(r gateway.SessionRequest) string {
	s, err := p.kit.Shop().CreateSession(p.t.Context(), r)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(s.RedirectURL, gatewaytest.PublicURL+"/auth/")
}

// twoBrowsers is one payer who returns in two browsers at once, and then reloads.
func (p *play) twoBrowsers(next *store.Redirect) {
	target, back := p.kit.Away(p.t, next, "confirm")
	link := strings.TrimPrefix(strings.SplitN(target, "?", 2)[0], gatewaytest.PublicURL+"/return/")
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { _, _ = p.kit.Return(p.t.Context(), link, back) })
	}
	all.Wait()
	_, _ = p.kit.Return(p.t.Context(), link, back)
	p.work()
}

// comesAgain is a payer whose interrupted return is repeated by our page.
func (p *play) comesAgain(next *store.Redirect) {
	u, err := url.Parse(next.URL)
	if err != nil {
		p.t.Error(err)
		return
	}
	back := methods.Return{Method: next.Method, Params: u.Query()}
	for _, param := range next.Params {
		back.Params[param.Name] = append(back.Params[param.Name], param.Value)
	}
	_, _ = p.kit.Return(p.t.Context(), strings.TrimPrefix(u.Path, "/return/"), back)
}
