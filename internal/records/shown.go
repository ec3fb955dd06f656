package records

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Show makes of a payment what callers of the gateway get: without sealed values, hashes of links, marks of calls and
// whatever else the record has for the gateway alone. The payment was just read, so that no other reader has its
// transactions.
func Show(p *store.Payment) {
	showFacts(p)
	for _, t := range p.Transactions {
		hide(t)
	}
}

// ShowResult is Show for a payment whose transactions have other readers. t, one of them, is shown and takes its place
// in the payment; the others are copied.
func ShowResult(p *store.Payment, t *store.Transaction) {
	showFacts(p)
	hide(t)
	shown := make([]*store.Transaction, len(p.Transactions))
	for i, one := range p.Transactions {
		if one.ID == t.ID {
			shown[i] = t
		} else {
			shown[i] = new(ShownTransaction(one))
		}
	}
	p.Transactions = shown
}

func showFacts(p *store.Payment) {
	p.Signature, p.Callbacks, p.OwnURL, p.Tried = "", 0, false, nil
}

// ShownTransaction returns a transaction as Show leaves it.
func ShownTransaction(t *store.Transaction) store.Transaction {
	shown := *t
	hide(&shown)
	return shown
}

// hide takes away what is stored of a transaction for the gateway alone.
func hide(t *store.Transaction) {
	t.Continuation, t.ReturnHash, t.NotifyHash = nil, "", ""
	t.SealedCode, t.SealedReturnPage, t.SealedRedirect = nil, nil, nil
	t.SealedCard, t.SealedParameters, t.SealedSent, t.SealedMPI, t.SealedWallet = nil, nil, nil, nil, nil
	t.CountedInLimits, t.Coded, t.OnFile = false, false, false
	t.PromptsAnswered, t.AnswerCount = nil, 0
	t.Returning, t.Answering = nil, nil
	t.LinkEndsAt, t.ErasedAt, t.DeadlineAt = time.Time{}, time.Time{}, time.Time{}
}
