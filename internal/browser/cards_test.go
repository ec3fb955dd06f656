package browser_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// testCards: every documented test card, on a desktop and on a phone, with JavaScript and without, in English.
func testCards(t *testing.T, b *chromium) {
	for _, d := range []device{desktop(), phone(), desktop().without(), phone().without()} {
		for _, c := range []struct {
			name, expiry string
			hold         bool
			where        string // the page of the shop
			status       store.Status
			booked       int
		}{
			{"settled", "01/2038", false, "success", store.Settled, 1},
			{"held", "01/2038", true, "success", store.Pending, 1},
			{"declined", "02/2038", false, "cancel", store.Declined, 0},
			{"held, no capture", "03/2038", true, "success", store.Pending, 1},
			{"3-D Secure", "05/2038", false, "success", store.Settled, 1},
			{"3-D Secure, declined", "06/2038", false, "cancel", store.Declined, 0},
			{"bank", "12/2038", false, "success", store.Settled, 1},
			{"bank, declined", "12/2039", false, "cancel", store.Declined, 0},
		} {
			t.Run(d.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				s, p := newSite(t), b.tab(t, d)
				r := s.request()
				r.Hold, r.Language = c.hold, "en"
				p.open(s.session(r))
				p.pay(c.expiry)
				if c.where == "cancel" { // the payer may try again, but does not want to
					require.Equal(t, "form", p.turn(), p.where())
					require.True(t, p.has(`[role="alert"]`))
					p.leave(func() { p.press(quitButton) })
				}
				p.arrived(s, c.where)
				require.Equal(t, c.status, s.payment().Status)
				require.Equal(t, c.booked, s.booked())
				p.quiet()
				if c.expiry == "03/2038" {
					s.captureFails()
				}
			})
		}
	}
}

// captureFails tries to capture the hold, which this card declines.
func (s *site) captureFails() {
	s.t.Helper()
	result, err := s.Merchant(gatewaytest.TestKey).Capture(s.t.Context(),
		gateway.FollowUp{PaymentID: s.payment().ID, Amount: "10.00"})
	require.NoError(s.t, err)
	require.Equal(s.t, store.Fail, result.Transaction.Outcome)
	require.Equal(s.t, store.Pending, s.payment().Status)
}
