package gateway

import (
	"cmp"
	"context"
	"fmt"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// CreateSchedule is Merchant.CreateSchedule for the client.
func (m *Client) CreateSchedule(ctx context.Context, s store.Schedule) (*store.Schedule, error) {
	w, err := m.owner()
	if err != nil {
		return nil, err
	}
	return m.gw.agreements.CreateSchedule(ctx, w, s, func(tx store.Tx, id string) error { return m.once.Take(tx, id, "") })
}

// UpdateSchedule is Merchant.UpdateSchedule for the client.
func (m *Client) UpdateSchedule(ctx context.Context, id string,
	change func(*store.Schedule) error) (*store.Schedule, error) {
	w, err := m.owner()
	if err != nil {
		return nil, err
	}
	return m.gw.agreements.UpdateSchedule(ctx, w, id, change)
}

// PauseSchedule is Merchant.PauseSchedule for the client.
func (m *Client) PauseSchedule(ctx context.Context, id string) error {
	w, err := m.owner()
	if err != nil {
		return err
	}
	return m.gw.agreements.SetPaused(ctx, w, id, true)
}

// RunSchedule is Merchant.RunSchedule for the client.
func (m *Client) RunSchedule(ctx context.Context, id string) error {
	w, err := m.owner()
	if err != nil {
		return err
	}
	return m.gw.agreements.SetPaused(ctx, w, id, false)
}

// DeleteSchedule is Merchant.DeleteSchedule for the client.
func (m *Client) DeleteSchedule(ctx context.Context, id string) error {
	w, err := m.owner()
	if err != nil {
		return err
	}
	return m.gw.agreements.DeleteSchedule(ctx, w, id)
}

// Deschedule is Merchant.Deschedule for the client.
func (m *Client) Deschedule(ctx context.Context, token, scheduleID string) error {
	w, err := m.owner()
	if err != nil {
		return err
	}
	return m.gw.agreements.Deschedule(ctx, w, token, scheduleID)
}

// StopSchedule is Merchant.StopSchedule for the client.
func (m *Client) StopSchedule(ctx context.Context, paymentID string) error {
	gw, profile := m.gw, m.profile
	if err := gw.gate.Enter(); err != nil {
		return err
	}
	defer gw.gate.Leave()
	if err := m.known(); err != nil {
		return err
	}
	p, t, err := m.chargeOf(ctx, paymentID)
	if err != nil {
		return err
	}
	if err := cmp.Or(profile.Readable(p), store.Confirm(ctx, gw.cfg.Store)); err != nil {
		return err
	}
	stopper, ok := gw.cfg.Connectors[t.Connector].(methods.Stopper)
	if !ok || p.Status != store.Settled {
		return refusal.ErrStop
	}
	answer := gw.engine.Stop(ctx, profile, p, t, stopper.StopSchedule)
	switch answer.Result {
	case methods.ResultApproved:
		return nil
	case methods.ResultDeclined:
		return refusal.ErrStop
	default:
		return fmt.Errorf("STOP_SCHEDULE of %s: the provider answered %q", p.ID, answer.Result)
	}
}

// chargeOf returns a payment of the client and its charge.
func (m *Client) chargeOf(ctx context.Context, id string) (p *records.Payment, t *records.Transaction, err error) {
	err = m.gw.cfg.Store.View(ctx, func(r store.Reader) error {
		found, err := records.OwnPayment(r, m.visible(), id)
		p, t = &found, found.ChargeTransaction()
		return err
	})
	return p, t, err
}
