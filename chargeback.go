package gateway

import (
	"context"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Dispute is an issuer's chargeback, as the acquirer reports it to the host.
type Dispute struct {
	PaymentID string
	Amount    string // decimal string, up to all that was captured (decision cf); empty for what is left of it
	Reason    string // the scheme's words
	// ReasonCode is the scheme's reason code, like 4853, and BankDate when the bank booked the dispute; both
	// are told by callback where they are known (s2s_card.md, CHARGEBACK callback).
	ReasonCode string
	BankDate   time.Time
}

// Chargeback registers a dispute of a settled payment; it happened, nobody is asked. Errors:
// ErrNoPayment, ErrChargeback, ErrDisputeAmount.
func (gw *Gateway) Chargeback(ctx context.Context, d Dispute) (*Result, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	p, err := gw.payment(ctx, d.PaymentID)
	if err != nil {
		return nil, records.NoPayment(err)
	}
	profile, err := gw.profileByID(ctx, p.MerchantID)
	if err != nil {
		return nil, err
	}
	u := &followUp{gw: gw, ask: state.Chargeback, Merchant: profile, whose: records.Owner{MerchantID: p.MerchantID, Test: p.Test}, amount: d.Amount, id: d.PaymentID}
	if err := u.prepare(ctx); err != nil {
		return nil, err
	}
	var done *Result
	var from store.Status
	err = gw.update(ctx, func(tx store.Tx) error {
		done, from, err = u.dispute(tx, &d)
		return err
	})
	if err != nil {
		return nil, err
	}
	gw.report(ctx, from, done)
	gw.nudge()
	return done, nil
}

// disputedFacts is what is known of the charge that a dispute is about: its callback tells every fact of the
// extended block that is known (decision bw).
func disputedFacts(charge *store.Facts) store.Facts {
	return store.Facts{
		RRN: charge.RRN, ApprovalCode: charge.ApprovalCode, ARN: charge.ARN, GatewayID: charge.GatewayID,
		ExtraGatewayID: charge.ExtraGatewayID, IssuerCountry: charge.IssuerCountry, IssuerBank: charge.IssuerBank,
		Descriptor: charge.Descriptor,
	}
}

// dispute stores a transaction that is over as soon as it begins.
func (u *followUp) dispute(tx store.Tx, d *Dispute) (*Result, store.Status, error) {
	p, err := records.OwnPayment(tx, u.whose, u.id)
	if err != nil {
		return nil, "", err
	}
	t, from, left := u.draft, p.Status, p.Refundable()
	if t.Operation, err = allowed(&p, u.ask); err != nil {
		return nil, "", err
	}
	if u.amount == "" {
		t.Amount = left
	}
	switch {
	case left.IsZero():
		return nil, "", refusal.ErrChargeback
	case t.Amount.Cmp(p.Captured) > 0: // the issuer need not know of refunds
		return nil, "", refusal.ErrDisputeAmount
	}
	charge, err := records.Transactions.Get(tx, p.ChargeID())
	if err != nil {
		return nil, "", err
	}
	t.Facts, t.Extras = disputedFacts(&charge.Facts), charge.Extras
	t.Reason, t.Facts.ReasonCode = truncate(d.Reason, 1024), truncate(d.ReasonCode, 64)
	if !d.BankDate.IsZero() {
		t.Facts.BankDate = d.BankDate.UTC().Format(time.DateTime)
	}
	p.Transactions = append(p.Transactions, t.ID)
	if err := records.Transactions.Insert(tx, t, t.ID); err != nil {
		return nil, "", err
	}
	s := &Settlement{gw: u.gw, Tx: tx, Merchant: u.Merchant, Now: t.CreatedAt, Payment: &p, Transaction: &t, o: &outcome{}}
	if _, err := s.take(methods.Approved(told(&t), "")); err != nil {
		return nil, "", fmt.Errorf("chargeback of %s: %w", p.ID, err)
	}
	return &Result{Payment: p, Transaction: t}, from, nil
}
