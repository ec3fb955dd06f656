package gateway_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// payoutDoors are the requests that pay money out at once.
func payoutDoors(t testing.TB) []*signedDoor {
	return []*signedDoor{
		doorNamed(t, "card credit"), doorNamed(t, "CREDIT2VIRTUAL"), doorNamed(t, "CREDIT2CRYPTO"),
		{"CREDIT2CARD", "/post", "CREDIT2CARD", "USD", signature.Card5, formDoor("action", "CREDIT2CARD", "card_number", "4111111111111111")},
	}
}

// isOnS2S: an order number is good for one payment there as long as that stays (decision u).
func isOnS2S(d *signedDoor) bool { return d.path == "/post" || d.path == "/post-va" }

// The same signed payout is paid once, however late it comes again: while the payment stays, and when it is deleted.
func TestPayoutIsPaidOnce(t *testing.T) {
	t.Parallel()
	for _, d := range payoutDoors(t) {
		for _, late := range []struct {
			name  string
			after time.Duration
		}{{"at once", 0}, {"a window", gateway.DuplicateWindow}, {"a minute", time.Minute}, {"a day", aDay}, {"a year", 365 * aDay}, {"three years", 3 * 365 * aDay}} {
			t.Run(d.name+" "+late.name, func(t *testing.T) {
				t.Parallel()
				s := openDoors(t, keeps(gateway.MinPayments))
				s.takes(t, d, d.of("ORD-1", "10.00"))
				if late.after > 0 {
					s.confirm(t, d)
				}
				s.Clock.Set(s.Clock.Now().Add(late.after))
				with := duplicate
				switch {
				case late.after > gateway.MinPayments:
					lapAt(t, s.Kit, s.Clock.Now())
					require.Empty(t, keysUnder(t, s.Store, "p"))
				case isOnS2S(d) && late.after > 0:
					with = "order_id: Duplicate payment."
				}
				s.refuses(t, d, d.of("ORD-1", "10.00"), with)
				require.Len(t, s.Charges(t), 1)
				s.takes(t, d, d.of("ORD-2", "10.00"), "another order is another payout")
			})
		}
	}
}

// confirm lets the chain confirm a payout in crypto.
func (s *signedShop) confirm(t testing.TB, d *signedDoor) {
	t.Helper()
	if d.name == "CREDIT2CRYPTO" {
		s.refusesWhilePending(t, d)
		require.NoError(t, s.Vcard.Resolve(t.Context(), key(t, s.Kit), vcard.Approve()))
		s.Advance(t, time.Hour)
	}
}

func (s *signedShop) refusesWhilePending(t testing.TB, d *signedDoor) {
	t.Helper()
	require.Equal(t, store.Pending, s.Payment(t, "ORD-1").Status)
	s.refuses(t, d, d.of("ORD-1", "10.00"), duplicate)
}

// A payout that was declined may be asked for again by the same request: on Checkout after the window, on S2S, where
// its order number is taken as long as the payment stays, when that is deleted. Then it is paid once.
func TestDeclinedPayoutAgain(t *testing.T) {
	t.Parallel()
	for _, d := range payoutDoors(t) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s := openDoors(t, keeps(gateway.MinPayments))
			a := d.of("ORD-1", "10.00")
			s.Vcard.Next(vcard.Decline("No"))
			s.takes(t, d, a)
			require.Equal(t, store.Declined, s.Payment(t, "ORD-1").Status)
			s.Work(t)
			s.refuses(t, d, a, duplicate, "within the window")
			s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
			if isOnS2S(d) {
				s.refuses(t, d, a, "order_id: Duplicate payment.")
				lapAt(t, s.Kit, s.Clock.Now().AddDate(3, 0, 0))
			}
			s.takes(t, d, a)
			s.Clock.Set(s.Clock.Now().AddDate(0, 0, 1))
			with := duplicate
			if isOnS2S(d) {
				with = "order_id: Duplicate payment."
			}
			s.refuses(t, d, a, with)
		})
	}
}

// While it is in doubt a payout may have been paid. Once it is known to have failed it may be asked for again.
func TestPayoutInDoubtAgain(t *testing.T) {
	t.Parallel()
	s := openDoors(t)
	d := doorNamed(t, "card credit")
	s.Vcard.On("ORD-1", vcard.UnknownBefore(), vcard.Decline("No"))
	s.takes(t, d, d.of("ORD-1", "10.00"))
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	s.refuses(t, d, d.of("ORD-1", "10.00"), duplicate)
	s.Advance(t, 48*time.Hour)
	require.Equal(t, store.Declined, s.Payment(t, "ORD-1").Status, "recovery has sent it again")
	s.takes(t, d, d.of("ORD-1", "10.00"))
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	s.refuses(t, d, d.of("ORD-1", "10.00"), duplicate)
}

// creditLink is the link of a session that the request of a door makes.
func (s *signedShop) creditLink(t testing.TB) string {
	t.Helper()
	d := doorNamed(t, "session credit")
	a := d.of("ORD-1", "10.00")
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Operation, r.Order.Description = "credit", a.Description
	r.Extra.Payee = &store.Payer{Name: "Jane Roe", Email: "roe@example.com"}
	r.Proof = &gateway.Proof{Formula: d.formula, Inputs: a.inputs(d), Hash: d.sign(a)}
	link := s.SessionOf(t, r)
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	return link
}

// One signature may make several pages of a payout, and a card credit. One of them pays.
func TestPayoutByPageIsPaidOnce(t *testing.T) {
	t.Parallel()
	credit := doorNamed(t, "card credit")
	page := doorNamed(t, "session credit")
	a := credit.of("ORD-1", "10.00")

	t.Run("by the first of two pages", func(t *testing.T) {
		t.Parallel()
		s := openDoors(t)
		first, second := s.creditLink(t), s.creditLink(t)
		require.Equal(t, gateway.LeftPaid, s.Pay(t, first, gatewaytest.Settles).Status)
		require.Equal(t, gateway.LeftCancelled, s.Pay(t, second, gatewaytest.Settles).Status)
		s.Clock.Set(s.Clock.Now().AddDate(1, 0, 0))
		s.refuses(t, page, a, duplicate)
		s.refuses(t, credit, a, duplicate)
		require.Len(t, s.Charges(t), 1)
	})
	t.Run("by card credit", func(t *testing.T) {
		t.Parallel()
		s := openDoors(t)
		link := s.creditLink(t)
		s.takes(t, credit, a)
		require.Equal(t, gateway.LeftCancelled, s.Pay(t, link, gatewaytest.Settles).Status)
		require.Len(t, s.Charges(t), 1)
	})
	t.Run("by the second try of the second page", func(t *testing.T) {
		t.Parallel()
		s := openDoors(t)
		first, second := s.creditLink(t), s.creditLink(t)
		for range 2 {
			s.Vcard.Next(vcard.Decline("No"))
			require.Equal(t, gateway.TurnForm, s.Pay(t, first, gatewaytest.Settles).Kind)
			s.Vcard.Next(vcard.Decline("No"))
			require.Equal(t, gateway.TurnForm, s.Pay(t, second, gatewaytest.Settles).Kind)
		}
		require.Equal(t, gateway.LeftPaid, s.Pay(t, second, gatewaytest.Settles).Status)
		require.Equal(t, gateway.LeftCancelled, s.Pay(t, first, gatewaytest.Settles).Status)
		s.refuses(t, credit, a, duplicate)
	})
	t.Run("in doubt", func(t *testing.T) {
		t.Parallel()
		s := openDoors(t)
		first, second := s.creditLink(t), s.creditLink(t)
		s.Vcard.On("ORD-1", vcard.UnknownBefore())
		require.Equal(t, gateway.LeftUndefined, s.Pay(t, first, gatewaytest.Settles).Status)
		require.Equal(t, gateway.LeftCancelled, s.Pay(t, second, gatewaytest.Settles).Status)
		s.refuses(t, credit, a, duplicate)
	})
}

// Another MID that tries the same payout is the same payout.
func TestCascadeOfPayoutIsPaidOnce(t *testing.T) {
	t.Parallel()
	d := doorNamed(t, "card credit")
	for _, end := range []struct {
		name  string
		last  vcard.Outcome
		again bool
	}{{"paid", vcard.Approve(), false}, {"declined", vcard.Decline("No"), true}} {
		t.Run(end.name, func(t *testing.T) {
			t.Parallel()
			s := openDoors(t)
			require.NoError(t, s.SaveMID(t.Context(), store.MID{ID: "second", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}))
			require.NoError(t, s.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, Cascade: true}))
			s.Vcard.Next(vcard.SoftDecline("Later"), end.last)
			s.takes(t, d, d.of("ORD-1", "10.00"))
			s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
			if end.again {
				s.takes(t, d, d.of("ORD-1", "10.00"))
				return
			}
			s.refuses(t, d, d.of("ORD-1", "10.00"), duplicate)
		})
	}
}

// A charge without the payer is a duplicate for a day, however it ended, and a new payment afterwards (decision cd).
func TestSameRecurringRequest(t *testing.T) {
	t.Parallel()
	for _, declined := range []bool{false, true} {
		s := withChain(t)
		d := doorNamed(t, "recurring")
		a := d.of("MONTHLY", "10.00")
		for month := range 3 {
			if declined {
				s.Vcard.Next(vcard.Decline("No"))
			}
			s.takes(t, d, a, month)
			for _, after := range []time.Duration{0, gateway.DuplicateWindow, 24*time.Hour - gateway.DuplicateWindow - 1} {
				s.Clock.Set(s.Clock.Now().Add(after))
				s.refuses(t, d, a, duplicate, after)
			}
			s.Clock.Set(s.Clock.Now().Add(1))
		}
		require.Len(t, s.Charges(t), 4)
	}
}
