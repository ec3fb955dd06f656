package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Dispute registers a dispute of a settled payment. It has already happened at the issuer, so no acquirer is
// called.
func (e *Engine) Dispute(ctx context.Context, f *FollowUp, d Dispute) (done *Result, err error) {
	var from store.Status
	var o outcome
	err = e.calls.update(ctx, func(tx store.Tx) error {
		o = outcome{}
		done, from, err = e.calls.dispute(tx, f, &d, &o)
		return err
	})
	if err != nil {
		return nil, err
	}
	e.calls.report(ctx, before{status: from}, done)
	e.calls.wake(done, o.queued)
	return done, nil
}

// disputedFacts returns the facts of the disputed charge: the callback of a dispute repeats every known fact
// of the extended block (decision bw).
func disputedFacts(charge *store.Facts) store.Facts {
	return store.Facts{
		RRN: charge.RRN, ApprovalCode: charge.ApprovalCode, ARN: charge.ARN, GatewayID: charge.GatewayID,
		ExtraGatewayID: charge.ExtraGatewayID, IssuerCountry: charge.IssuerCountry, IssuerBank: charge.IssuerBank,
		Descriptor: charge.Descriptor,
	}
}

// dispute stores a transaction that is final as soon as it begins.
func (v *settler) dispute(tx store.Tx, u *FollowUp, d *Dispute, o *outcome) (*Result, store.Status, error) {
	p, err := records.OwnPayment(tx, u.Owner, u.PaymentID)
	if err != nil {
		return nil, "", err
	}
	t, err := u.draft(&p)
	if err != nil {
		return nil, "", err
	}
	if err := u.claim(tx, &p); err != nil {
		return nil, "", err
	}
	from, left := p.Status, p.Refundable()
	if u.Whole {
		t.Amount = left
	}
	switch {
	case left.IsZero():
		return nil, "", refusal.ErrChargeback
	case t.Amount.Cmp(p.Captured) > 0: // the issuer may not know of refunds
		return nil, "", refusal.ErrDisputeAmount
	}
	charge := p.Charged()
	t.Facts, t.Extras = disputedFacts(&charge.Facts), charge.Extras
	t.Reason, t.Facts.ReasonCode = truncate(d.Reason, 1024), truncate(d.ReasonCode, 64)
	if !d.BankDate.IsZero() {
		t.Facts.BankDate = d.BankDate.UTC().Format(time.DateTime)
	}
	s := &Settlement{settler: v, Tx: tx, Merchant: u.Merchant, Now: t.CreatedAt, Payment: &p, Transaction: &t,
		o: o}
	if _, err := s.take(methods.Approved(repeatedPart(&t), "")); err != nil {
		return nil, "", fmt.Errorf("chargeback of %s: %w", p.ID, err)
	}
	return &Result{Payment: p, Transaction: t}, from, nil
}
