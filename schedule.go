package gateway

import (
	"context"
	"fmt"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// CreateSchedule stores a new schedule, with an id and times made here. Error: ErrInvalid naming fields.
func (gw *Gateway) CreateSchedule(ctx context.Context, merchantKey string, s store.Schedule) (*store.Schedule, error) {
	return gw.onBehalf(ctx, merchantKey).CreateSchedule(ctx, s)
}

// CreateSchedule is Gateway.CreateSchedule for the client.
func (m *Client) CreateSchedule(ctx context.Context, s store.Schedule) (*store.Schedule, error) {
	w, err := m.owner()
	if err != nil {
		return nil, err
	}
	return m.gw.agreements.CreateSchedule(ctx, w, s)
}

// UpdateSchedule changes a schedule: change gets the current one and sets the new values. It may run more than once.
// Chains on the schedule use the new dates, counted from their newest payment; the next date is the first one in the
// future (decision bp). Errors: ErrNoSchedule, ErrInvalid naming fields, and those of change.
func (gw *Gateway) UpdateSchedule(ctx context.Context, merchantKey, id string,
	change func(*store.Schedule) error) (*store.Schedule, error) {
	return gw.onBehalf(ctx, merchantKey).UpdateSchedule(ctx, id, change)
}

// UpdateSchedule is Gateway.UpdateSchedule for the client.
func (m *Client) UpdateSchedule(ctx context.Context, id string,
	change func(*store.Schedule) error) (*store.Schedule, error) {
	w, err := m.owner()
	if err != nil {
		return nil, err
	}
	return m.gw.agreements.UpdateSchedule(ctx, w, id, change)
}

// PauseSchedule pauses a schedule: it charges nothing and begins no chains. Errors: ErrNoSchedule, and ErrSchedule if
// it is already paused.
func (gw *Gateway) PauseSchedule(ctx context.Context, merchantKey, id string) error {
	return gw.onBehalf(ctx, merchantKey).PauseSchedule(ctx, id)
}

// PauseSchedule is Gateway.PauseSchedule for the client.
func (m *Client) PauseSchedule(ctx context.Context, id string) error {
	w, err := m.owner()
	if err != nil {
		return err
	}
	return m.gw.agreements.SetPaused(ctx, w, id, true)
}

// RunSchedule resumes a paused schedule. Dates that passed meanwhile are not charged (decision bp). The payments move
// to later dates, so that a chain gets all of them. Errors: ErrNoSchedule, and ErrSchedule if it is not paused.
func (gw *Gateway) RunSchedule(ctx context.Context, merchantKey, id string) error {
	return gw.onBehalf(ctx, merchantKey).RunSchedule(ctx, id)
}

// RunSchedule is Gateway.RunSchedule for the client.
func (m *Client) RunSchedule(ctx context.Context, id string) error {
	w, err := m.owner()
	if err != nil {
		return err
	}
	return m.gw.agreements.SetPaused(ctx, w, id, false)
}

// DeleteSchedule deletes a schedule that no chain is on, and that no payment under way moves a chain to. A later
// payment that names it and was declined softly does not block it: when that payment is retried, it leaves its chain
// where it is. Errors: ErrNoSchedule, ErrSchedule.
func (gw *Gateway) DeleteSchedule(ctx context.Context, merchantKey, id string) error {
	return gw.onBehalf(ctx, merchantKey).DeleteSchedule(ctx, id)
}

// DeleteSchedule is Gateway.DeleteSchedule for the client.
func (m *Client) DeleteSchedule(ctx context.Context, id string) error {
	w, err := m.owner()
	if err != nil {
		return err
	}
	return m.gw.agreements.DeleteSchedule(ctx, w, id)
}

// Schedule returns one of the merchant's schedules. Error: ErrNoSchedule.
func (gw *Gateway) Schedule(ctx context.Context, merchantKey, id string) (*store.Schedule, error) {
	w, err := gw.onBehalf(ctx, merchantKey).owner()
	if err != nil {
		return nil, err
	}
	return gw.agreements.Schedule(ctx, w, id)
}

// Deschedule takes a chain off its schedule, so that it charges nothing more. Repeating it is no error (decision bz).
// Errors: ErrNoChain, and ErrNoSchedule if the schedule does not exist or the chain is on another.
func (gw *Gateway) Deschedule(ctx context.Context, merchantKey, token, scheduleID string) error {
	return gw.onBehalf(ctx, merchantKey).Deschedule(ctx, token, scheduleID)
}

// Deschedule is Gateway.Deschedule for the client.
func (m *Client) Deschedule(ctx context.Context, token, scheduleID string) error {
	w, err := m.owner()
	if err != nil {
		return err
	}
	return m.gw.agreements.Deschedule(ctx, w, token, scheduleID)
}

// StopSchedule asks the provider of a settled payment to stop a schedule that the provider runs (s2s_card.md,
// STOP_SCHEDULE). It changes no record and sends no callback. Errors: ErrNoPayment, ErrStop if the provider refuses or
// cannot stop schedules, and ErrInternal if it gives no answer.
func (gw *Gateway) StopSchedule(ctx context.Context, merchantKey, paymentID string) error {
	return gw.onBehalf(ctx, merchantKey).StopSchedule(ctx, paymentID)
}

// StopSchedule is Gateway.StopSchedule for the client.
func (m *Client) StopSchedule(ctx context.Context, paymentID string) error {
	gw, profile := m.gw, m.profile
	if err := gw.gate.Enter(); err != nil {
		return err
	}
	defer gw.gate.Leave()
	if err := m.known(); err != nil {
		return err
	}
	p, t, err := gw.chargeOf(ctx, m.visible(), paymentID)
	if err != nil {
		return err
	}
	if err := profile.Readable(p); err != nil {
		return err
	}
	stopper, ok := gw.cfg.Connectors[t.Connector].(methods.Stopper)
	if !ok || p.Status != store.Settled {
		return refusal.ErrStop
	}
	answer := gw.engine.Ask(ctx, profile, p, t, stopper.StopSchedule)
	switch answer.Result {
	case methods.ResultApproved:
		return nil
	case methods.ResultDeclined:
		return refusal.ErrStop
	default:
		return fmt.Errorf("STOP_SCHEDULE of %s: the provider answered %q", p.ID, answer.Result)
	}
}

// chargeOf returns a payment of the merchant and its charge.
func (gw *Gateway) chargeOf(ctx context.Context, w records.Owner,
	id string) (p *store.Payment, t *store.Transaction, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		found, err := records.OwnPayment(r, w, id)
		if err != nil {
			return err
		}
		p, t = &found, found.ChargeTransaction()
		return nil
	})
	return p, t, err
}
