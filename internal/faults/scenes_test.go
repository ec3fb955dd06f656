package faults_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// scenario is a play with its preparation and its checks.
type scenario struct {
	name   string
	config func(*gateway.Config)                                         // of every gateway
	set    func(t testing.TB, kit *gatewaytest.Kit)                      // the scene
	play   func(p *play)                                                 // with faults
	heal   func(t *testing.T, kit *gatewaytest.Kit)                      // what people do after the faults
	off    bool                                                          // a chain may have been taken off its schedule
	after  func(t *testing.T, kit *gatewaytest.Kit, b *kerneltest.Books) // checks beyond the invariants
	ends   []string                                                      // the outcomes of the operations without a fault
}

// everyScenario lists every scenario of the loop.
func everyScenario(t testing.TB) (list []scenario) {
	t.Helper()
	for _, sc := range scenarios {
		list = append(list, scenario{name: sc.name, play: sc.play})
	}
	return slices.Concat(list, twoSteps(), cascades(), recoveries(), chores(), returns(), []scenario{byWallet(t)})
}

// twoSteps are debits whose commission is reported first, and payouts.
func twoSteps() []scenario {
	return []scenario{
		{name: "debit, calculated and completed", ends: []string{"CALC success", "DEBIT success"},
			play: func(p *play) { p.complete(p.calculate()) }, after: nothingElse(store.OpCalc, store.OpDebit)},
		{name: "debit, calculated, completed, given back",
			ends: []string{"CALC success", "DEBIT success", "REVERSAL success"},
			play: func(p *play) {
				id := p.calculate()
				p.complete(id)
				p.follow("refund", id, "")
			}},
		{name: "debit, calculated, declined", ends: []string{"CALC success", "DEBIT fail"}, play: func(p *play) {
			id := p.calculate()
			p.kit.Vcard.Script(vcard.Script{For: "ORD-1", Operation: store.OpDebit,
				Outcomes: []vcard.Outcome{vcard.Decline("No")}})
			p.complete(id)
		}},
		{name: "payout", ends: []string{"CREDIT success"}, play: func(p *play) {
			p.charge("ORD-1", methods.Card{}, kerneltest.ViaAPM,
				func(r *gateway.ChargeRequest) { r.Action, r.Kind = "CREDIT2VIRTUAL", store.Credit })
		}, after: nothingElse(store.OpCredit)},
		{name: "payout to a card", ends: []string{"CREDIT success"}, play: func(p *play) {
			p.charge("ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.Kind = store.Credit })
		}, after: nothingElse(store.OpCredit)},
	}
}

// calculate asks what a debit costs; empty if there was no answer.
func (p *play) calculate() string {
	return p.charge("ORD-1", methods.Card{}, kerneltest.ViaAPM, func(r *gateway.ChargeRequest) {
		r.Action, r.Kind, r.Calc = "DEBIT2VIRTUAL_CALC", store.Debit, true
	})
}

// complete takes the money of a calculated debit, and repeats that if there was no answer.
func (p *play) complete(id string) {
	if id == "" {
		return
	}
	for range 2 {
		r := p.remember(p.kit.Shop().CompleteDebit(p.t.Context(), kerneltest.RetryOf(store.Payment{ID: id})))
		p.work()
		if r != nil {
			return
		}
	}
}

// nothingElse checks that the acquirer has at most one entry of each of these, and no other.
func nothingElse(ops ...store.Operation) func(*testing.T, *gatewaytest.Kit, *kerneltest.Books) {
	return func(t *testing.T, _ *gatewaytest.Kit, b *kerneltest.Books) {
		t.Helper()
		left := slices.Clone(ops)
		for _, e := range b.Ledger {
			i := slices.Index(left, e.Kind)
			require.GreaterOrEqual(t, i, 0, "an entry too many: %s", e.Kind)
			left = slices.Delete(left, i, i+1)
		}
	}
}

// elsewhere is a shop whose MID "live" declines the card 04/2038 softly, and whose other MIDs accept it; every
// protocol cascades.
func elsewhere(others ...string) func(testing.TB, *gatewaytest.Kit) {
	return func(t testing.TB, kit *gatewaytest.Kit) {
		t.Helper()
		for i, id := range others {
			require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: id, MerchantID: gatewaytest.MerchantID, Connector: "vcard",
				Priority: i + 1, Settings: map[string]string{vcard.SoftSetting: "off"}}))
		}
		for _, protocol := range store.Protocols() {
			kerneltest.SwitchCascading(t, kit, protocol)
		}
	}
}

var softly04 = gatewaytest.Card(4, 2038)

// cascades are payments that one MID declines softly and another approves.
func cascades() []scenario {
	sure := func(n int, outcome vcard.Outcome) []vcard.Outcome { return append(kerneltest.SoftDeclines(n), outcome) }
	return []scenario{
		{name: "cascade, the second MID takes it", ends: []string{"SALE fail", "SALE success"},
			set: elsewhere("second"), play: func(p *play) { p.charge("ORD-1", softly04) }},
		{name: "cascade, refunded", ends: []string{"SALE fail", "SALE success", "REFUND success"},
			set: elsewhere("second"), play: func(p *play) {
				p.follow("refund", p.charge("ORD-1", softly04, kerneltest.ViaCard), "")
			}},
		{name: "cascade, every MID declines", ends: []string{"SALE fail", "SALE fail", "SALE fail"},
			set: elsewhere("second", "third"), play: func(p *play) {
				p.kit.Vcard.On("ORD-1", sure(2, vcard.Decline("No"))...)
				p.charge("ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
			}},
		{name: "cascade of an APM payment", ends: []string{"SALE fail", "SALE fail", "SALE success"},
			set: elsewhere("second", "third"), play: func(p *play) {
				p.kit.Vcard.On("ORD-1", kerneltest.SoftDeclines(2)...)
				p.charge("ORD-1", methods.Card{}, kerneltest.ViaAPM)
			}},
		{name: "cascade of a session", ends: []string{"SALE fail", "SALE fail", "SALE success"},
			set: elsewhere("second"), play: func(p *play) { p.session(gatewaytest.Declines, softly04) }},
		{name: "cascade after the issuer", ends: []string{"SALE fail", "SALE success"},
			set: elsewhere("second"), play: func(p *play) {
				p.by.Softly = true
				p.kit.Vcard.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{vcard.Decline("No")}})
				p.session(gatewaytest.ThreeDSPasses)
			}},
		{name: "cascade that begins a chain", ends: []string{"SALE fail", "SALE success", "SALE success"},
			set: elsewhere("second"), play: func(p *play) {
				if first := p.firstBy(softly04, kerneltest.BeginsChain, kerneltest.AsksToken); first != nil {
					p.remember(p.kit.Shop().Recur(p.t.Context(), kerneltest.LaterOf(*first, "ORD-2")))
					p.work()
				}
			}},
	}
}
