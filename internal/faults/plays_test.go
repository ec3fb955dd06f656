package faults_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// play drives a gateway with faults. After a fault it continues as a merchant and a payer would, and remembers what
// it was told for certain.
type play struct {
	t    *testing.T
	kit  *gatewaytest.Kit
	by   *kerneltest.Fault // nil without sabotage
	acks []gateway.Result
}

func (p *play) remember(r *gateway.Result, err error) *gateway.Result {
	if err != nil {
		return nil
	}
	p.acks = append(p.acks, *r)
	return r
}

func (p *play) charge(order string, card methods.Card, change ...func(*gateway.ChargeRequest)) string {
	r := p.remember(p.kit.Shop().Charge(p.t.Context(), kerneltest.ChargeOf(order, card, change...)))
	p.work()
	if r == nil {
		return ""
	}
	return r.Payment.ID
}

func (p *play) follow(what, id, amount string) {
	if id != "" {
		p.remember(kerneltest.Step{What: what, Amount: amount}.Run(p.t.Context(), p.kit, store.Payment{ID: id}))
	}
	p.work()
}

func (p *play) work() {
	for range 5 {
		_, next, err := p.kit.Tick(p.t.Context(), 100)
		if err == nil && (next.IsZero() || next.After(p.kit.Clock.Now())) {
			return
		}
	}
}

// session opens a session and pays it with each card in turn, following each redirect.
func (p *play) session(cards ...methods.Card) {
	s, err := p.kit.Shop().CreateSession(p.t.Context(), gatewaytest.Request("ORD-1", "10.00"))
	if err != nil {
		return
	}
	token := strings.TrimPrefix(s.RedirectURL, gatewaytest.PublicURL+"/auth/")
	for _, card := range cards {
		next, err := p.kit.NextAction(p.t.Context(), token)
		if err != nil || next.Kind != gateway.ActionCollect {
			continue
		}
		next, err = p.kit.PaySession(p.t.Context(), token, gateway.Submission{Attempt: next.Attempt, Card: card})
		for before := ""; err == nil && next.Kind == gateway.ActionRedirect &&
			fmt.Sprint(*next.Redirect) != before; next, err = p.kit.NextAction(p.t.Context(), token) {
			before = fmt.Sprint(*next.Redirect) // the payer goes to the same page only once
			p.comesBack(next.Redirect)
		}
		p.work()
	}
}

// comesBack is the payer elsewhere, who confirms, returns, and reloads if that fails.
func (p *play) comesBack(next *store.Redirect) {
	if strings.HasPrefix(next.URL, gatewaytest.PublicURL+"/return/") { // the same return once more
		p.comesAgain(next)
		return
	}
	target, back := p.kit.Away(p.t, next, "confirm")
	link := strings.TrimPrefix(strings.SplitN(target, "?", 2)[0], gatewaytest.PublicURL+"/return/")
	if _, err := p.kit.Return(p.t.Context(), link, back); err != nil {
		_, _ = p.kit.Return(p.t.Context(), link, back)
	}
}

var scenarios = []struct {
	name string
	play func(p *play)
}{
	{"sale", func(p *play) { p.charge("ORD-1", gatewaytest.Settles) }},
	{"declined sale", func(p *play) { p.charge("ORD-1", gatewaytest.Declines) }},
	{"sale whose answer is lost", func(p *play) { p.charge("ORD-1", gatewaytest.Card(10, 2038)) }},
	{"sale that never arrived", func(p *play) { p.charge("ORD-1", gatewaytest.Card(9, 2038)) }},
	{"sale that is late", func(p *play) { p.charge("ORD-1", gatewaytest.Card(11, 2038)) }},
	{"sale that is pending", func(p *play) { p.charge("ORD-1", gatewaytest.Card(7, 2038)) }},
	{"refunds", func(p *play) {
		id := p.charge("ORD-1", gatewaytest.Settles)
		p.follow("refund", id, "4.00")
		p.follow("refund", id, "4.00")
		p.follow("refund", id, "4.00")
		p.follow("refund", id, "")
	}},
	{"void", func(p *play) { p.follow("void", p.charge("ORD-1", gatewaytest.Settles), "") }},
	{"hold, capture, refund", func(p *play) {
		id := p.charge("ORD-1", gatewaytest.Settles, kerneltest.Held)
		p.follow("capture", id, "6.00")
		p.follow("capture", id, "6.00")
		p.follow("refund", id, "")
	}},
	{"capture that fails, reversal", func(p *play) {
		id := p.charge("ORD-1", gatewaytest.CaptureFails, kerneltest.Held)
		p.follow("capture", id, "")
		p.follow("refund", id, "")
	}},
	{"debit, reversal", func(p *play) {
		p.follow("refund",
			p.charge("ORD-1", gatewaytest.Settles, kerneltest.AsDebit), "")
	}},
	{"dispute of what is left", func(p *play) {
		id := p.charge("ORD-1", gatewaytest.Settles)
		p.follow("refund", id, "1.00")
		p.follow("dispute", id, "")
	}},
	{"session: declined, then paid", func(p *play) { p.session(gatewaytest.Declines, gatewaytest.Settles) }},
	{"session: 3-D Secure", func(p *play) { p.session(gatewaytest.ThreeDSPasses) }},
	{"session: 3-D Secure fails, then the bank",
		func(p *play) { p.session(gatewaytest.ThreeDSFails, gatewaytest.BankPasses) }},
	{"session: declined to the end", func(p *play) {
		p.session(gatewaytest.Declines, gatewaytest.BankFails, gatewaytest.Declines, gatewaytest.Settles)
	}},
	{"chain, a later payment and its retry", func(p *play) {
		first := p.first(kerneltest.BeginsChain)
		p.kit.Vcard.On("ORD-2", vcard.SoftDecline("Try later"))
		if first == nil {
			return
		}
		r := p.remember(p.kit.Shop().Recur(p.t.Context(), kerneltest.LaterOf(*first, "ORD-2")))
		p.work()
		if r != nil {
			p.remember(p.kit.Shop().Retry(p.t.Context(), kerneltest.RetryOf(r.Payment)))
			p.work()
		}
	}},
	{"card token, issued and used", func(p *play) {
		if first := p.first(kerneltest.AsksToken); first != nil {
			p.charge("ORD-2", gatewaytest.Settles, kerneltest.ByToken(first.CardToken))
		}
	}},
	{"scheduled payments", func(p *play) {
		p.subscribe()
		p.sleep(24 * time.Hour)
		p.sleep(24 * time.Hour)
	}},
	{"scheduled payments, paused and run", func(p *play) {
		if set := p.subscribe(); set != nil {
			_ = p.kit.Shop().PauseSchedule(p.t.Context(), set.ID)
			p.sleep(48 * time.Hour)
			_ = p.kit.Shop().RunSchedule(p.t.Context(), set.ID)
			p.work()
		}
	}},
	{"scheduled payments, changed", func(p *play) {
		if set := p.subscribe(); set != nil {
			_, _ = p.kit.Shop().UpdateSchedule(p.t.Context(), set.ID, func(s *store.Schedule) error {
				s.IntervalLength = 2
				return nil
			})
			p.work()
			p.sleep(48 * time.Hour)
		}
	}},
	{"hosted fields: collected, paid", func(p *play) { p.hosted(gatewaytest.Settles) }},
	{"hosted fields: declined, changed in vain, paid",
		func(p *play) { p.hosted(gatewaytest.Declines, gatewaytest.Settles) }},
	{"S2S debit, given back", func(p *play) {
		p.follow("refund", p.charge("ORD-1", methods.Card{}, kerneltest.ViaAPM, func(r *gateway.ChargeRequest) {
			r.Action, r.Kind = "DEBIT2VIRTUAL", store.Debit
		}), "")
	}},
}

// hosted opens a session of hosted fields; each card in turn is collected and charged.
func (p *play) hosted(cards ...methods.Card) {
	s, err := p.kit.Shop().CreateHosted(p.t.Context(), kerneltest.HostedRequest("ORD-1"))
	if err != nil {
		return
	}
	amount := "11.00"
	for _, card := range cards {
		_ = p.kit.HostedFields().Update(p.t.Context(), s.Token, gateway.HostedUpdate{Amount: &amount})
		if p.kit.HostedFields().Collect(p.t.Context(), s.Token, card) == nil {
			p.remember(p.kit.HostedFields().Pay(p.t.Context(), s.Token, kerneltest.HostedPayment))
		}
		p.work()
	}
}

// first makes the first payment of a longer scenario; nil if it was never reported to a client.
func (p *play) first(change ...func(*gateway.ChargeRequest)) *store.Payment {
	return p.firstBy(gatewaytest.Settles, change...)
}

func (p *play) firstBy(card methods.Card, change ...func(*gateway.ChargeRequest)) *store.Payment {
	r := p.remember(p.kit.Shop().Charge(p.t.Context(), kerneltest.ChargeOf("ORD-1", card, change...)))
	p.work()
	if r == nil {
		return nil
	}
	return &r.Payment
}

// subscribe begins a chain with two daily payments; nil if it was never reported to a client.
func (p *play) subscribe() *store.Schedule {
	set, err := p.kit.Shop().CreateSchedule(p.t.Context(), kerneltest.EveryDays(1, 2))
	if err != nil || p.first(kerneltest.OnSchedule(set)) == nil {
		return nil
	}
	return set
}

// sleep moves the clock and does what is then due.
func (p *play) sleep(d time.Duration) {
	p.kit.Clock.Set(p.kit.Clock.Now().Add(d))
	p.work()
}
