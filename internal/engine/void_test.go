package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// M5: the financial day of the MID, to the nanosecond, across changes to and from daylight saving time.
func TestVoidOnTheFinancialDay(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339Nano, text)
		require.NoError(t, err)
		return moment
	}
	for _, c := range []struct {
		name        string
		zone, end   string
		taken, void string
		ok          bool
	}{
		{"UTC, last moment", "", "", "2027-03-10T00:00:00Z", "2027-03-10T23:59:59.999999999Z", true},
		{"UTC, next day", "", "", "2027-03-10T23:59:59.999999999Z", "2027-03-11T00:00:00Z", false},
		{"cut-off, one before", "", "18:00", "2027-03-10T12:00:00Z", "2027-03-10T17:59:59.999999999Z", true},
		{"cut-off, at it", "", "18:00", "2027-03-10T12:00:00Z", "2027-03-10T18:00:00Z", false},
		{"cut-off, one after", "", "18:00", "2027-03-10T17:59:59.999999999Z", "2027-03-10T18:00:00.000000001Z", false},
		{"cut-off, from it on", "", "18:00", "2027-03-10T18:00:00Z", "2027-03-11T17:59:59.999999999Z", true},
		{"cut-off, over midnight", "", "18:00", "2027-03-10T23:59:59Z", "2027-03-11T00:00:01Z", true},
		{"cut-off, a day later", "", "18:00", "2027-03-10T18:00:00Z", "2027-03-11T18:00:00Z", false},
		{"cut-off at midnight", "", "00:00", "2027-03-10T00:00:00Z", "2027-03-10T23:59:59.999999999Z", true},
		{"east of Greenwich", "Asia/Tokyo", "", "2027-03-10T14:59:59Z", "2027-03-10T15:00:00Z", false},
		{"east of Greenwich, over midnight UTC", "Asia/Tokyo", "", "2027-03-10T15:00:00Z", "2027-03-11T14:59:59.999999999Z", true},
		{"west of Greenwich", "America/Los_Angeles", "", "2027-03-10T07:59:59Z", "2027-03-10T08:00:00Z", false},
		{"over the date line", "Pacific/Kiritimati", "18:00", "2027-03-10T03:59:59.999999999Z", "2027-03-10T04:00:00Z", false},
		{"a day of 23 hours", "Europe/Paris", "", "2027-03-27T23:00:00Z", "2027-03-28T21:59:59.999999999Z", true},
		{"after 23 hours", "Europe/Paris", "", "2027-03-27T23:00:00Z", "2027-03-28T22:00:00Z", false},
		{"a day of 25 hours", "Europe/Paris", "", "2027-10-30T22:00:00Z", "2027-10-31T22:59:59.999999999Z", true},
		{"after 25 hours", "Europe/Paris", "", "2027-10-30T22:00:00Z", "2027-10-31T23:00:00Z", false},
		{"cut-off in the hour that comes twice, first time", "Europe/Paris", "02:30", "2027-10-31T00:00:00Z", "2027-10-31T00:29:59.999999999Z", true},
		{"cut-off in the hour that comes twice, passed", "Europe/Paris", "02:30", "2027-10-31T00:00:00Z", "2027-10-31T00:30:00Z", false},
		{"cut-off when midnight is skipped", "Africa/Cairo", "00:30", "2027-04-28T22:15:00Z", "2027-04-28T22:45:00Z", false},
		{"cut-off when midnight is skipped in the west", "America/Havana", "00:30", "2027-03-13T05:15:00Z", "2027-03-13T05:45:00Z", false},
		{"cut-off before midnight is skipped", "Africa/Cairo", "23:30", "2027-04-28T21:15:00Z", "2027-04-28T21:45:00Z", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			require.NoError(t, kit.SaveMID(t.Context(), store.MID{
				ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", TimeZone: c.zone, DayEnd: c.end,
			}))
			kit.Clock.Set(at(c.taken))
			p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles)
			kit.Clock.Set(at(c.void))
			r, err := kit.Shop().Void(t.Context(), kerneltest.FollowUpOf(p, ""))
			if !c.ok {
				require.ErrorIs(t, err, gateway.ErrVoid)
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
				return
			}
			require.NoError(t, err)
			require.Equal(t, store.Voided, r.Payment.Status, r.Transaction.Reason)
			kerneltest.Audit(t, kit)
		})
	}
}

// The day counts from the capture, not from the authorization.
func TestVoidCountsFromTheCapture(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.Held)
	kit.Advance(t, 72*time.Hour)
	_, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(p, ""))
	require.NoError(t, err)
	r, err := kit.Shop().Void(t.Context(), kerneltest.FollowUpOf(p, ""))
	require.NoError(t, err)
	require.Equal(t, store.Voided, r.Payment.Status)
	kerneltest.Audit(t, kit)
}
