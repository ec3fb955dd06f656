package faults_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// recoveries are scenarios that continue, still with faults, until every doubt has an outcome.
func recoveries() []scenario {
	patient := func(order func(p *play)) func(p *play) {
		return func(p *play) {
			order(p)
			p.sleep(2 * time.Minute)
			p.sleep(10 * time.Minute)
			p.sleep(time.Hour)
		}
	}
	return []scenario{
		{name: "recovery of a lost answer", ends: []string{"SALE success"},
			play: patient(func(p *play) { p.charge("ORD-1", gatewaytest.Card(10, 2038)) })},
		{name: "recovery of a lost request", ends: []string{"SALE success"},
			play: patient(func(p *play) { p.charge("ORD-1", gatewaytest.Card(9, 2038)) })},
		{name: "recovery of a refund", ends: []string{"SALE success", "REFUND success"},
			play: patient(func(p *play) {
				id := p.charge("ORD-1", gatewaytest.Settles)
				p.kit.Vcard.Script(vcard.Script{Operation: store.OpRefund, Outcomes: []vcard.Outcome{vcard.UnknownAfter()}})
				p.follow("refund", id, "4.00")
			})},
		{name: "APM, told by the bank", ends: []string{"SALE success"},
			play: patient(func(p *play) { p.bank(vcard.BankACSC) })},
		{name: "APM, refused by the bank", ends: []string{"SALE fail"},
			play: patient(func(p *play) { p.bank(vcard.BankRJCT) })},
		{name: "settled by an operator", ends: []string{"SALE success"}, play: patient(func(p *play) {
			p.settle(p.remember(p.kit.Shop().Charge(p.t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Card(7, 2038)))),
				true)
		})},
		{name: "refund, refused by an operator", ends: []string{"SALE success", "REFUND fail", "REFUND success"},
			heal: refuseOpen, play: patient(func(p *play) {
				id := p.charge("ORD-1", gatewaytest.Settles)
				if id == "" {
					return
				}
				p.kit.Vcard.Script(vcard.Script{Operation: store.OpRefund, Outcomes: []vcard.Outcome{vcard.Pending()}})
				r := p.remember(kerneltest.Step{What: "refund", Amount: "4.00"}.Run(p.t.Context(), p.kit, store.Payment{ID: id}))
				p.settle(r, false)
				p.follow("refund", id, "5.00")
			})},
	}
}

// bank charges by QR code and lets the payer's bank report the result, twice, and again if there was no answer.
func (p *play) bank(status string) {
	p.charge("ORD-1", methods.Card{}, kerneltest.ViaIPS)
	for key, link := range p.by.Links {
		note, err := p.kit.Vcard.BankNote(p.t.Context(), key, status)
		if err != nil {
			continue // it never got the request
		}
		for told := 0; told < 4; told++ {
			if p.kit.Notify(p.t.Context(), link, note) == nil {
				told++
			}
			p.work()
		}
	}
}

// settle lets an operator decide an open result, and repeats that if it failed.
func (p *play) settle(r *gateway.Result, approved bool) {
	for range 2 {
		if r == nil {
			break
		}
		review := gateway.Review{PaymentID: r.Payment.ID, TransactionID: r.Transaction.ID, By: "ann",
			Why: "the acquirer's ledger says so"}
		if p.remember(p.kit.Operator().ResolveDoubt(p.t.Context(), review, approved)) != nil {
			break
		}
	}
	p.work()
}

// refuseOpen lets an operator decline what is still open.
func refuseOpen(t *testing.T, kit *gatewaytest.Kit) {
	t.Helper()
	for _, tr := range kerneltest.ReadBooks(t, kit).Transactions {
		if !tr.Outcome.Final() {
			_, err := kit.Operator().ResolveDoubt(t.Context(), kerneltest.ReviewOf(t, kit, tr.ID,
				"the acquirer's ledger says so"), false)
			require.NoError(t, err)
		}
	}
	kit.Advance(t, time.Hour)
}
