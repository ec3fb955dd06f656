package vcard

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// SettingSchedule is a setting of a MID. With "running" the acquirer itself runs a schedule for every charge that
// it approves there. It books no later payments: Entry.Schedule shows a test whether it would.
const SettingSchedule = "schedule"

// The values of Entry.Schedule.
const (
	ScheduleRunning = "running"
	ScheduleStopped = "stopped"
)

// StopSchedule stops the schedule of a charge. A second stop is approved too. An unknown charge, one that was not
// approved and one without a schedule are declined.
func (c *Connector) StopSchedule(ctx context.Context, op methods.Operation) methods.Answer {
	if ctx.Err() != nil {
		return methods.NotSent(op, "the context had ended before anything was sent")
	}
	var e Entry
	err := c.books.store.Update(ctx, func(tx store.Tx) (err error) {
		if e, err = c.books.get(tx, op.Key); err != nil {
			return err
		}
		if e = e.at(c.now()); e.State != StateApproved || e.Schedule != ScheduleRunning {
			return nil
		}
		e.Schedule = ScheduleStopped
		return c.books.put(tx, e)
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return methods.Declined(op, "Charge is not known")
	case err != nil:
		return methods.Unknown(op, "the ledger failed: "+err.Error())
	case e.State != StateApproved || e.Schedule == "":
		return methods.Declined(op, "No schedule runs for the charge")
	}
	return methods.Approved(op, e.Reference)
}

// scheduleOf returns the schedule that a charge begins.
func scheduleOf(op methods.Operation) string {
	if charges(op.Kind) && op.MID.Settings[SettingSchedule] == ScheduleRunning {
		return ScheduleRunning
	}
	return ""
}
