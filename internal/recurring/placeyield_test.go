package recurring_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// laterDoors are the later payments that may move their chain to a schedule.
var laterDoors = []struct {
	name  string
	first []func(*gateway.ChargeRequest)
	later func(*gateway.RecurRequest)
}{
	{"Checkout", nil, func(*gateway.RecurRequest) {}},
	{"Checkout, held", nil, func(r *gateway.RecurRequest) { r.Hold = true }},
	{"S2S RECURRING_SALE", []func(*gateway.ChargeRequest){kerneltest.ViaCard},
		func(r *gateway.RecurRequest) { r.Protocol, r.Action = store.S2SCard, "RECURRING_SALE" }},
	{"S2S RECURRING_DEBIT", []func(*gateway.ChargeRequest){kerneltest.ViaCard, kerneltest.AsDebit,
		func(r *gateway.ChargeRequest) { r.Action = "DEBIT" }},
		func(r *gateway.RecurRequest) { r.Protocol, r.Action = store.S2SCard, "RECURRING_DEBIT" }},
}

// A later payment that was declined softly uses no schedule (DELETE_SCHEDULE: only one that no payment uses is
// deleted), whether it is retried or not. During a retry it does; when the retry is taken, it moves its chain if
// the schedule still exists.
func TestSoftDeclineUsesNoSchedule(t *testing.T) {
	t.Parallel()
	retry := func(t *testing.T, kit *gatewaytest.Kit, p store.Payment, answer vcard.Outcome) {
		kit.Vcard.Next(answer)
		_, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
		require.NoError(t, err)
	}
	for _, door := range laterDoors {
		for _, c := range []struct {
			name   string
			answer vcard.Outcome
			then   func(*testing.T, *gatewaytest.Kit, store.Payment)
			used   bool
		}{
			{"declined softly", vcard.SoftDecline("Later"), nil, false},
			{"not sent", vcard.NotSent(), nil, false},
			{"declined for good", vcard.Decline("No"), nil, false},
			{"in doubt", vcard.UnknownBefore(), nil, true},
			{"retried, declined softly", vcard.SoftDecline("Later"), func(t *testing.T, kit *gatewaytest.Kit, p store.Payment) {
				retry(t, kit, p, vcard.SoftDecline("Later"))
			}, false},
			{"retried, declined for good", vcard.SoftDecline("Later"), func(t *testing.T, kit *gatewaytest.Kit, p store.Payment) {
				retry(t, kit, p, vcard.Decline("No"))
			}, false},
			{"retried, in doubt", vcard.SoftDecline("Later"), func(t *testing.T, kit *gatewaytest.Kit, p store.Payment) {
				retry(t, kit, p, vcard.UnknownBefore())
			}, true},
			{"retried, taken or held", vcard.SoftDecline("Later"), func(t *testing.T, kit *gatewaytest.Kit, p store.Payment) {
				_, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(p))
				require.NoError(t, err)
			}, true},
		} {
			t.Run(door.name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				set, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(7, 2))
				require.NoError(t, err)
				first := kerneltest.Charged(t, kit, "SUB-1", gatewaytest.Settles,
					append(door.first, kerneltest.BeginsChain)...).Payment
				kit.Vcard.Next(c.answer)
				r := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "SUB-2", naming(set), door.later))
				if c.then != nil {
					c.then(t, kit, r.Payment)
				}
				require.Equal(t, c.used, len(kerneltest.KeysUnder(t, kit.Store, "sk")) > 0)
				err = kit.Shop().DeleteSchedule(t.Context(), set.ID)
				if c.used {
					require.ErrorIs(t, err, gateway.ErrSchedule)
				} else {
					require.NoError(t, err)
				}
			})
		}
	}
}

// A payment that is taken after its schedule was deleted leaves its chain where it is.
func TestRetryAfterTheScheduleIsGone(t *testing.T) {
	t.Parallel()
	for _, door := range laterDoors {
		for _, elsewhere := range []bool{false, true} { // on another schedule
			t.Run(door.name, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				gone, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(7, 2))
				require.NoError(t, err)
				begin, scheduled := append(door.first, kerneltest.BeginsChain), 0
				if elsewhere {
					other, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(5, 3))
					require.NoError(t, err)
					begin, scheduled = append(door.first, kerneltest.OnSchedule(other)), 3
				}
				first := kerneltest.Charged(t, kit, "SUB-1", gatewaytest.Settles, begin...).Payment
				kit.Vcard.Next(vcard.SoftDecline("Later"))
				r := kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "SUB-2", naming(gone), door.later))
				require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), gone.ID))
				retried, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(r.Payment))
				require.NoError(t, err)
				require.True(t, retried.Payment.Taken() || retried.Payment.Status == store.Pending, retried.Payment.Status)
				kit.Advance(t, 30*24*time.Hour)
				made := 0
				for _, p := range kerneltest.ReadBooks(t, kit).Payments {
					if p.Occurrence > 0 {
						made++
					}
				}
				require.Equal(t, scheduled, made)
				require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "sk"))
			})
		}
	}
}

// The card of a chain whose move was declined softly is deleted like any other chain's.
func TestPurgeOfAChainThatWasToMove(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	set, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(7, 2))
	require.NoError(t, err)
	first := kerneltest.Charged(t, kit, "SUB-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	kit.Vcard.Next(vcard.SoftDecline("Later"))
	kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "SUB-2", naming(set)))
	kit.Work(t)
	gone := kerneltest.Date("2038-02-01").Add(540 * kerneltest.Day)
	kerneltest.LapAt(t, kit, gone.Add(-time.Second))
	require.Len(t, kerneltest.ChainTokens(t, kit), 1)
	kerneltest.LapAt(t, kit, gone)
	require.Empty(t, kerneltest.ChainTokens(t, kit))
	require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "sk"))
}
