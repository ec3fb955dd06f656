package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// MaxStatusSize limits how many payments one lookup by order returns (SPEC1, Limits).
const MaxStatusSize = 100

// Lookup asks for the status of payments: by PaymentID, or by OrderNumber.
type Lookup struct {
	Proof       *Proof
	PaymentID   string // of one payment; CascadingStatus returns the newest attempt of its cascade instead
	OrderNumber string // of an order, for its newest payments
	Size        int    // by order: how many, 1..100; 0 counts as 1
}

// Status is Merchant.Status for the client.
func (m *Client) Status(ctx context.Context, l Lookup) ([]Result, error) {
	if l.Size < 0 || l.Size > MaxStatusSize {
		return nil, refusal.ErrInvalid.Fields(refusal.Fault{Text: fields.TextStatusSize})
	}
	if err := m.enter(ctx, store.Checkout, l.Proof); err != nil {
		return nil, err
	}
	profile, w := m.profile, m.visible()
	var results []Result
	err := m.gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		results = nil // it may run again
		ids := []string{l.PaymentID}
		if l.PaymentID == "" {
			if ids, err = records.NewestOfOrder(r, w, l.OrderNumber, max(l.Size, 1)); err != nil {
				return err
			}
		}
		for _, id := range ids {
			p, err := records.OwnPayment(r, w, id)
			if err != nil {
				return err
			}
			if err := profile.Speaks(p.Protocol); err != nil {
				return err
			}
			if l.Proof == nil && profile.Off(p.Protocol) {
				return refusal.ErrNoMID
			}
			if l.PaymentID != "" && p.Next != "" && profile.Mapping(p.Protocol).CascadingStatus {
				last, err := records.NewestOfCascade(r, p)
				if err != nil {
					return err
				}
				if p, err = records.OwnPayment(r, w, last.ID); err != nil {
					return err
				}
			}
			results = append(results, Result{Payment: p.Payment, Transaction: *p.Payment.ChargeTransaction()})
		}
		return nil
	})
	return results, err
}
