package methodstest

import (
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func storedChecks() []check {
	return []check{
		{"stored card/registered, then used", needs{}, checkStored},
		{"stored card/by a MID that registers none", needs{}, checkStoredOff},
	}
}

// maxCredential bounds the reference of a stored card (store.Facts).
const maxCredential = 255

// checkStored: a connector that answers with a reference accepts it with the next charge.
func checkStored(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	op.MID.COF = true
	op.COF = store.COF{Initiator: store.ByCardholder, Source: store.Recurring, Sequence: store.FirstUse}
	a := p.approved(op)
	if a.Facts.Credential == "" {
		p.tb.Log("the connector gives stored cards no reference")
		return
	}
	require.LessOrEqual(p.tb, len(a.Facts.Credential), maxCredential, "the reference of a stored card, in bytes")
	later := p.operation(store.OpSale, p.Approve)
	later.MID, later.Authentication, later.Credential = op.MID, methods.AuthOff, a.Facts.Credential
	later.COF = store.COF{Initiator: store.ByMerchant, Source: store.Recurring, Sequence: store.SubsequentUse}
	p.repeats(later, p.approved(later))
	p.effects(later, 1)
}

// checkStoredOff: without MID.COF the connector accepts stored cards, but registers none.
func checkStoredOff(p *probe) {
	op := p.operation(store.OpSale, p.Approve)
	op.COF = store.COF{Initiator: store.ByCardholder, Source: store.Unscheduled, Sequence: store.FirstUse}
	require.Empty(p.tb, p.approved(op).Facts.Credential, "nothing is registered unless the MID asks for it")
}
