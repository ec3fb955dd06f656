package engine

import (
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// refused holds the error for each follow-up request that the payment's status does not allow.
var refused = map[state.Request]*refusal.Error{
	state.Capture:    refusal.ErrCaptureStatus,
	state.Void:       refusal.ErrVoid,
	state.CreditVoid: refusal.ErrRefund,
	state.Chargeback: refusal.ErrChargeback,
	state.Retry:      refusal.ErrRetry,
	state.Complete:   refusal.ErrComplete,
}

func allowed(p *records.Payment, ask state.Request) (store.Operation, error) {
	op, ok := state.Follow(p.Kind, p.Status, ask)
	// A crypto payment holds nothing: the chain still has to confirm it (decision bd).
	if p.Status == store.Pending && !p.Hold {
		ok = false
	}
	if ask == state.Retry && p.Hold {
		op = store.OpAuth // the operation that was first requested
	}
	switch {
	case !ok, len(p.Transactions) >= store.MaxTransactions:
		return "", refused[ask]
	case p.Running != "":
		return "", refusal.ErrBusy
	}
	return op, nil
}

// IsSoft refuses to retry a payment whose newest attempt was declined for good.
func IsSoft(p *records.Payment) error {
	if !p.ChargeTransaction().Soft {
		return refusal.ErrRetry
	}
	return nil
}
