package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/store"
)

// Submission.Saved counts from 1 to the cards that the session names; anything else is refused and charges nothing.
func TestPlaceOfSavedCard(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	tokens := []string{}
	for _, order := range []string{"ORD-1", "ORD-2"} {
		p := kerneltest.Pay(t, kit, order, gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.ReqToken = true })
		tokens = append(tokens, p.CardToken)
	}
	for place, taken := range map[int]bool{-2: false, -1: false, 1: true, 2: true, 3: false} {
		r := gatewaytest.Request("ORD-3", "10.00")
		r.Order.Number += string(rune('m' + place))
		r.Extra.CardTokens = tokens
		before := len(kit.Charges(t))
		_, err := kit.PaySession(t.Context(), kit.SessionOf(t, r), gateway.Submission{Saved: place})
		if !taken {
			require.Equal(t, []string{"saved"}, kerneltest.FaultPaths(err), place)
			require.Len(t, kit.Charges(t), before)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, tokens[place-1], kit.Payment(t, r.Order.Number).CardToken)
	}
}

// On the page the payer's own address counts, and the one that the merchant named where the page knows none. With
// Hosted Payment Fields no browser pays, and the merchant's counts.
func TestAddressOfPayer(t *testing.T) {
	t.Parallel()
	const named, seen = "203.0.113.7", "198.51.100.9"
	for _, c := range []struct{ name, named, seen, want string }{
		{"both", named, seen, seen}, {"only the merchant", named, "", named}, {"only the browser", "", seen, seen},
		{"neither", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			r := gatewaytest.Request("ORD-1", "10.00")
			r.Customer.IP = c.named
			_, err := kit.PaySession(t.Context(), kit.SessionOf(t, r), gateway.Submission{Card: gatewaytest.Settles, IP: c.seen})
			require.NoError(t, err)
			require.Equal(t, c.want, kit.Payment(t, "ORD-1").Payer.IP)
		})
	}
	kit := gatewaytest.New(t)
	kerneltest.PayHosted(t, kit, kerneltest.HostedToken(t, kit, "ORD-1", gatewaytest.Settles))
	require.Equal(t, kerneltest.HostedRequest("").Customer.IP, kit.Payment(t, "ORD-1").Payer.IP)
}

// An update that was checked against an older version of the session does not win over one that came between.
func TestStaleUpdate(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	made, err := kit.Shop().CreateHosted(t.Context(), kerneltest.HostedRequest("ORD-1"))
	require.NoError(t, err)
	replace := func(version int, amount string) error {
		return kit.Store.Update(t.Context(), func(tx store.Tx) error {
			s, _, err := session.LoadHosted(tx, made.Token, kit.Clock.Now())
			if err != nil {
				return err
			}
			next := *s
			next.Order.Amount = amount
			return session.Replace(tx, made.Token, version, &next, kit.Clock.Now())
		})
	}
	require.NoError(t, replace(1, "11.00"))
	for _, stale := range []int{0, 1, 3} {
		require.ErrorIs(t, replace(stale, "99.00"), session.ErrStale, stale)
	}
	require.NoError(t, replace(2, "12.00"))
	require.NoError(t, kit.HostedFields().Collect(t.Context(), made.Token, gatewaytest.Settles))
	require.Equal(t, "12.00", kerneltest.PayHosted(t, kit, made.Token).Payment.Order.Amount)
}

// A chain that begins with nothing has to say what its schedule charges, at every door that begins one.
func TestScheduleOfNothingNeedsAnAmount(t *testing.T) {
	t.Parallel()
	type door = func(t testing.TB, kit *gatewaytest.Kit, schedule, amount, later string) error
	doors := map[string]door{
		"a session": func(t testing.TB, kit *gatewaytest.Kit, schedule, amount, later string) error {
			r := gatewaytest.Request("ORD-1", amount)
			r.Extra.RecurringInit, r.Extra.ScheduleID, r.Extra.PaymentScheduleAmount = true, schedule, later
			_, err := kit.Shop().CreateSession(t.Context(), r)
			return err
		},
		"hosted fields": func(t testing.TB, kit *gatewaytest.Kit, schedule, amount, later string) error {
			r := kerneltest.HostedRequest("ORD-1")
			r.Order.Amount = amount
			r.Extra.RecurringInit, r.Extra.ScheduleID, r.Extra.PaymentScheduleAmount = true, schedule, later
			_, err := kit.Shop().CreateHosted(t.Context(), r)
			return err
		},
		"an update of hosted fields": func(t testing.TB, kit *gatewaytest.Kit, schedule, amount, later string) error {
			r := kerneltest.HostedRequest("ORD-1")
			r.Extra.RecurringInit, r.Extra.ScheduleID, r.Extra.PaymentScheduleAmount = true, schedule, later
			s, err := kit.Shop().CreateHosted(t.Context(), r)
			if err != nil {
				return err
			}
			return kit.HostedFields().Update(t.Context(), s.Token, gateway.HostedUpdate{Amount: &amount})
		},
	}
	for _, protocol := range []store.Protocol{store.Checkout, store.S2SCard} {
		doors["a charge, "+string(protocol)] = func(t testing.TB, kit *gatewaytest.Kit,
			schedule, amount, later string) error {
			_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles,
				func(r *gateway.ChargeRequest) {
					r.Protocol, r.Action, r.Order.Amount, r.RecurringInit = protocol, "SALE", amount, true
					r.ScheduleID, r.PaymentScheduleAmount = schedule, later
				}))
			return err
		}
	}
	for name, begin := range doors {
		for _, c := range []struct {
			amount, later string
			fine          bool
		}{{"0.00", "", false}, {"0.00", "0.00", false}, {"0.00", "5.00", true}, {"7.00", "", true}, {"7.00", "5.00", true}} {
			t.Run(name+" "+c.amount+" "+c.later, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				kerneltest.ChangeLiveMID(t, kit, func(m *store.MID) { m.ZeroAmount = true })
				schedule, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.Monthly(func(*store.Schedule) {}))
				require.NoError(t, err)
				err = begin(t, kit, schedule.ID, c.amount, c.later)
				if c.fine {
					require.NoError(t, err)
					return
				}
				require.Contains(t, kerneltest.FaultPaths(err), "payment_schedule_amount")
			})
		}
	}
}
