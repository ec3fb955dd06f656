package gateway

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/once"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
)

// Dispute is an issuer's chargeback, as the acquirer reports it to the host.
type Dispute struct {
	PaymentID string
	Amount    string // decimal string, up to all that was captured (decision cf); empty for what is left of it
	Reason    string // the scheme's words
	// ReasonCode is the scheme's reason code, like 4853, and BankDate when the bank booked the dispute; the
	// callback has both where they are known (s2s_card.md, CHARGEBACK callback).
	ReasonCode string
	BankDate   time.Time
	// IdempotencyKey records a dispute once if it is reported several times within 24 hours, as for Merchant.Once.
	// Empty: every report is a dispute of its own.
	IdempotencyKey string
}

// Chargeback records a dispute of a settled payment. It has happened already, so no acquirer is called. Errors:
// ErrNoPayment, ErrChargeback, ErrDisputeAmount.
func (gw *Gateway) Chargeback(ctx context.Context, d Dispute) (*Result, error) {
	if err := made(gw).gate.Enter(); err != nil {
		return nil, err
	}
	defer gw.gate.Leave()
	p, err := gw.payment(ctx, d.PaymentID)
	if err != nil {
		return nil, records.NoPayment(err)
	}
	profile, err := gw.merchants.ByID(ctx, p.MerchantID)
	if err != nil {
		return nil, err
	}
	u := &followUp{
		gw: gw, profile: profile, amount: d.Amount,
		FollowUp: engine.FollowUp{
			Merchant: profile, Ask: state.Chargeback, PaymentID: d.PaymentID, Whole: d.Amount == "",
			Owner: records.OwnerOf(p),
		},
	}
	if d.IdempotencyKey == "" {
		return u.dispute(ctx, &d)
	}
	asked := once.Asked{Owner: u.Owner, Key: d.IdempotencyKey, Verb: "Chargeback", Request: d}
	if u.once, err = gw.once.Begin(ctx, asked); err != nil {
		return nil, err
	}
	c := &Client{gw: gw, profile: profile, test: p.Test, once: u.once}
	return once.Do(ctx, u.once, func(made *records.Made) (*Result, error) { return madePayment(ctx, c, made) },
		func() (*Result, error) { return u.dispute(ctx, &d) })
}

func (u *followUp) dispute(ctx context.Context, d *Dispute) (*Result, error) {
	if err := u.prepare(ctx); err != nil {
		return nil, err
	}
	u.takeKey()
	r, err := u.gw.engine.Dispute(ctx, &u.FollowUp,
		engine.Dispute{Reason: d.Reason, ReasonCode: d.ReasonCode, BankDate: d.BankDate})
	return shown(r), err
}
