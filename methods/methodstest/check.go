package methodstest

import (
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// check is one part of the contract.
type check struct {
	name  string
	needs needs
	run   func(*probe)
}

// needs is what a check needs of the connector and its subject.
type needs struct {
	finder, completer, notified         bool // optional interfaces
	idempotent, holds, zeroAmount       bool // declared capabilities
	decline, away, payer, notify, stall bool // hooks of the subject
	payout, calc, open                  bool // hooks of the subject
	loseRequest, loseAnswer, fail       bool // hooks of the subject
	others                              bool // hooks of the subject
	operations                          []store.Operation
}

// missing returns what the probe lacks, or nothing.
func (n needs) missing(p *probe) string {
	var missing []string
	for _, row := range []struct {
		needed, there bool
		name          string
	}{
		{n.finder, p.finder != nil, "the connector is no Finder"},
		{n.completer, p.completer != nil, "the connector is no Completer"},
		{n.notified, p.notified != nil, "the connector is not Notified"},
		{n.idempotent, p.can.IdempotentByKey, "IdempotentByKey is not declared"},
		{n.holds, p.can.Holds, "Holds is not declared"},
		{n.zeroAmount, p.can.ZeroAmount, "ZeroAmount is not declared"},
		{n.decline, p.Decline != nil, "the subject has no Decline"},
		{n.away, p.Away != nil, "the subject has no Away"},
		{n.payer, p.Payer != nil, "the subject has no Payer"},
		{n.notify, p.Notify != nil, "the subject has no Notify"},
		{n.payout, p.Payout != nil, "the subject has no Payout"},
		{n.calc, p.Calc != nil, "the subject has no Calc"},
		{n.open, p.Open != nil && p.Pay != nil, "the subject has no Open and Pay"},
		{n.stall, p.Stall != nil, "the subject has no Stall"},
		{n.loseRequest, p.LoseRequest != nil, "the subject has no LoseRequest"},
		{n.loseAnswer, p.LoseAnswer != nil, "the subject has no LoseAnswer"},
		{n.fail, p.Fail != nil, "the subject has no Fail"},
		{n.others, len(p.Others) > 0, "the subject has no Others"},
		{len(n.operations) > 0, p.has(n.operations...), "the acquirer does not have one of the operations"},
	} {
		if row.needed && !row.there {
			missing = append(missing, row.name)
		}
	}
	return strings.Join(missing, "; ")
}
