package gateway

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/engine"
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
	if err := u.prepare(ctx); err != nil {
		return nil, err
	}
	r, err := gw.engine.Dispute(ctx, &u.FollowUp,
		engine.Dispute{Reason: d.Reason, ReasonCode: d.ReasonCode, BankDate: d.BankDate})
	return (*Result)(r), err
}
