package vcard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

func TestStopSchedule(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		setting string
		month   int // of the expiry, which decides
		stops   []methods.Result
		left    string
	}{
		{"a schedule runs", vcard.ScheduleRunning, 1, []methods.Result{methods.ResultApproved, methods.ResultApproved}, vcard.ScheduleStopped},
		{"none runs", "", 1, []methods.Result{methods.ResultDeclined}, ""},
		{"the charge was declined", vcard.ScheduleRunning, 2, []methods.Result{methods.ResultDeclined}, vcard.ScheduleRunning},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, ctx := newAcquirer(t), context.Background()
			op := charge(store.OpSale, "k", 2038, c.month)
			op.MID.Settings = map[string]string{vcard.SettingSchedule: c.setting}
			a.Perform(ctx, op)
			for _, want := range c.stops {
				got := a.StopSchedule(ctx, op)
				require.Equal(t, want, got.Result)
				require.True(t, got.Repeats(op))
			}
			e, err := a.Entry(ctx, "k")
			require.NoError(t, err)
			require.Equal(t, c.left, e.Schedule)
		})
	}
	a := newAcquirer(t)
	require.Equal(t, methods.ResultDeclined,
		a.StopSchedule(context.Background(), charge(store.OpSale, "never seen", 2038, 1)).Result)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	require.Equal(t, methods.ResultNotSent, a.StopSchedule(ended, charge(store.OpSale, "k", 2038, 1)).Result)
}
