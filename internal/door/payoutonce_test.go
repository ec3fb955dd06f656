package door_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// payoutDoors are the requests that pay out at once.
func payoutDoors(t testing.TB) []*kerneltest.SignedDoor {
	return []*kerneltest.SignedDoor{
		kerneltest.DoorNamed(t, "card credit"), kerneltest.DoorNamed(t, "CREDIT2VIRTUAL"), kerneltest.DoorNamed(t,
			"CREDIT2CRYPTO"),
		payoutTo("4111111111111111"),
	}
}

// payoutTo is the request that pays out to a card on S2S.
func payoutTo(pan string) *kerneltest.SignedDoor {
	return &kerneltest.SignedDoor{Name: "CREDIT2CARD", Path: "/post", Kind: "CREDIT2CARD", Currency: "USD",
		Formula: signature.Card5, Body: kerneltest.FormDoor("action", "CREDIT2CARD", "card_number", pan)}
}

// isOnS2S reports whether an order number can be used only once, as long as its payment stays (decision u).
func isOnS2S(d *kerneltest.SignedDoor) bool { return d.Path == "/post" || d.Path == "/post-va" }

// The same signed payout is paid once, however late it is repeated: while the payment stays and after it is
// deleted.
func TestPayoutIsPaidOnce(t *testing.T) {
	t.Parallel()
	for _, d := range payoutDoors(t) {
		for _, late := range []struct {
			name  string
			after time.Duration
		}{{"at once", 0}, {"a window", gateway.DuplicateWindow}, {"a minute", time.Minute}, {"a day",
			kerneltest.Day}, {"a year", 365 * kerneltest.Day}, {"three years", 3 * 365 * kerneltest.Day}} {
			t.Run(d.Name+" "+late.name, func(t *testing.T) {
				t.Parallel()
				s := kerneltest.OpenDoors(t, kerneltest.KeepsPayments(gateway.MinPayments))
				s.Takes(t, d, d.Of("ORD-1", "10.00"))
				if late.after > 0 {
					s.Confirm(t, d)
				}
				s.Clock.Set(s.Clock.Now().Add(late.after))
				with := kerneltest.DuplicateMessage
				switch {
				case late.after > gateway.MinPayments:
					kerneltest.LapAt(t, s.Kit, s.Clock.Now())
					require.Empty(t, kerneltest.KeysUnder(t, s.Store, "p"))
				case isOnS2S(d) && late.after > 0:
					with = "order_id: Duplicate payment."
				}
				s.Refuses(t, d, d.Of("ORD-1", "10.00"), with)
				require.Len(t, s.Charges(t), 1)
				s.Takes(t, d, d.Of("ORD-2", "10.00"), "another order is another payout")
			})
		}
	}
}

// The signature of a payout to a card covers the card and no order. So the mark of one order and one card does not
// keep that order from another card, nor that card from another order, once the payment is deleted.
func TestPayoutToAnotherCard(t *testing.T) {
	t.Parallel()
	const otherPAN = "5555555555554444"
	s := kerneltest.OpenDoors(t, kerneltest.KeepsPayments(gateway.MinPayments))
	card, other := payoutTo("4111111111111111"), payoutTo(otherPAN)
	toOther := other.Of("ORD-1", "10.00")
	toOther.Hash = signature.Sign(other.Formula, signature.MD5, signature.Inputs{Card: otherPAN}, gatewaytest.Password)
	threeYears := func() {
		s.Clock.Set(s.Clock.Now().AddDate(3, 0, 0))
		kerneltest.LapAt(t, s.Kit, s.Clock.Now())
		require.Empty(t, kerneltest.KeysUnder(t, s.Store, "p"))
	}

	s.Takes(t, card, card.Of("ORD-1", "10.00"))
	threeYears()
	s.Refuses(t, card, card.Of("ORD-1", "10.00"), kerneltest.DuplicateMessage)
	s.Takes(t, other, toOther, "the same order to another card")
	s.Takes(t, card, card.Of("ORD-2", "10.00"), "another order to the first card")
	threeYears()
	s.Refuses(t, card, card.Of("ORD-1", "10.00"), kerneltest.DuplicateMessage)
	s.Refuses(t, other, toOther, kerneltest.DuplicateMessage)
	s.Refuses(t, card, card.Of("ORD-2", "10.00"), kerneltest.DuplicateMessage)
	require.Len(t, s.Charges(t), 3)
}

// A declined payout may be requested again by the same request: on Checkout after the window; on S2S, where its
// order number is used as long as the payment stays, once that is deleted. Then it is paid once.
func TestDeclinedPayoutAgain(t *testing.T) {
	t.Parallel()
	for _, d := range payoutDoors(t) {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t, kerneltest.KeepsPayments(gateway.MinPayments))
			a := d.Of("ORD-1", "10.00")
			s.Vcard.Next(vcard.Decline("No"))
			s.Takes(t, d, a)
			require.Equal(t, store.Declined, s.Payment(t, "ORD-1").Status)
			s.Work(t)
			s.Refuses(t, d, a, kerneltest.DuplicateMessage, "within the window")
			s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
			if isOnS2S(d) {
				s.Refuses(t, d, a, "order_id: Duplicate payment.")
				kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(3, 0, 0))
			}
			s.Takes(t, d, a)
			s.Clock.Set(s.Clock.Now().AddDate(0, 0, 1))
			with := kerneltest.DuplicateMessage
			if isOnS2S(d) {
				with = "order_id: Duplicate payment."
			}
			s.Refuses(t, d, a, with)
		})
	}
}

// A payout in doubt may have been paid. Once it is known to have failed it may be requested again.
func TestPayoutInDoubtAgain(t *testing.T) {
	t.Parallel()
	s := kerneltest.OpenDoors(t)
	d := kerneltest.DoorNamed(t, "card credit")
	s.Vcard.On("ORD-1", vcard.UnknownBefore(), vcard.Decline("No"))
	s.Takes(t, d, d.Of("ORD-1", "10.00"))
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	s.Refuses(t, d, d.Of("ORD-1", "10.00"), kerneltest.DuplicateMessage)
	s.Advance(t, 48*time.Hour)
	require.Equal(t, store.Declined, s.Payment(t, "ORD-1").Status, "recovery has sent it again")
	s.Takes(t, d, d.Of("ORD-1", "10.00"))
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	s.Refuses(t, d, d.Of("ORD-1", "10.00"), kerneltest.DuplicateMessage)
}

// One signature may make several payout pages and a card credit. Only one of them pays.
func TestPayoutByPageIsPaidOnce(t *testing.T) {
	t.Parallel()
	credit := kerneltest.DoorNamed(t, "card credit")
	page := kerneltest.DoorNamed(t, "session credit")
	a := credit.Of("ORD-1", "10.00")

	t.Run("by the first of two pages", func(t *testing.T) {
		t.Parallel()
		s := kerneltest.OpenDoors(t)
		first, second := s.CreditLink(t), s.CreditLink(t)
		require.Equal(t, gateway.ReturnPaid, s.Pay(t, first, gatewaytest.Settles).Status)
		require.Equal(t, gateway.ReturnCancelled, s.Pay(t, second, gatewaytest.Settles).Status)
		s.Clock.Set(s.Clock.Now().AddDate(1, 0, 0))
		s.Refuses(t, page, a, kerneltest.DuplicateMessage)
		s.Refuses(t, credit, a, kerneltest.DuplicateMessage)
		require.Len(t, s.Charges(t), 1)
	})
	t.Run("by card credit", func(t *testing.T) {
		t.Parallel()
		s := kerneltest.OpenDoors(t)
		link := s.CreditLink(t)
		s.Takes(t, credit, a)
		require.Equal(t, gateway.ReturnCancelled, s.Pay(t, link, gatewaytest.Settles).Status)
		require.Len(t, s.Charges(t), 1)
	})
	t.Run("by the second try of the second page", func(t *testing.T) {
		t.Parallel()
		s := kerneltest.OpenDoors(t)
		first, second := s.CreditLink(t), s.CreditLink(t)
		for range 2 {
			s.Vcard.Next(vcard.Decline("No"))
			require.Equal(t, gateway.ActionCollect, s.Pay(t, first, gatewaytest.Settles).Kind)
			s.Vcard.Next(vcard.Decline("No"))
			require.Equal(t, gateway.ActionCollect, s.Pay(t, second, gatewaytest.Settles).Kind)
		}
		require.Equal(t, gateway.ReturnPaid, s.Pay(t, second, gatewaytest.Settles).Status)
		require.Equal(t, gateway.ReturnCancelled, s.Pay(t, first, gatewaytest.Settles).Status)
		s.Refuses(t, credit, a, kerneltest.DuplicateMessage)
	})
	t.Run("in doubt", func(t *testing.T) {
		t.Parallel()
		s := kerneltest.OpenDoors(t)
		first, second := s.CreditLink(t), s.CreditLink(t)
		s.Vcard.On("ORD-1", vcard.UnknownBefore())
		require.Equal(t, gateway.ReturnUndefined, s.Pay(t, first, gatewaytest.Settles).Status)
		require.Equal(t, gateway.ReturnCancelled, s.Pay(t, second, gatewaytest.Settles).Status)
		s.Refuses(t, credit, a, kerneltest.DuplicateMessage)
	})
}

// Another MID in a cascade tries the same payout.
func TestCascadeOfPayoutIsPaidOnce(t *testing.T) {
	t.Parallel()
	d := kerneltest.DoorNamed(t, "card credit")
	for _, end := range []struct {
		name  string
		last  vcard.Outcome
		again bool
	}{{"paid", vcard.Approve(), false}, {"declined", vcard.Decline("No"), true}} {
		t.Run(end.name, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t)
			require.NoError(t, s.SaveMID(t.Context(),
				store.MID{ID: "second", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}))
			require.NoError(t, s.SaveMapping(t.Context(),
				store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, Cascade: true}))
			s.Vcard.Next(vcard.SoftDecline("Later"), end.last)
			s.Takes(t, d, d.Of("ORD-1", "10.00"))
			s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
			if end.again {
				s.Takes(t, d, d.Of("ORD-1", "10.00"))
				return
			}
			s.Refuses(t, d, d.Of("ORD-1", "10.00"), kerneltest.DuplicateMessage)
		})
	}
}

// A charge without the payer is a duplicate for a day, however it ended, and a new payment afterwards (decision
// cd).
func TestSameRecurringRequest(t *testing.T) {
	t.Parallel()
	for _, declined := range []bool{false, true} {
		s := withChain(t)
		s.Clock.Set(s.Clock.Now().Add(999_999 * time.Microsecond)) // of no whole millisecond
		d := kerneltest.DoorNamed(t, "recurring")
		a := d.Of("MONTHLY", "10.00")
		for month := range 3 {
			if declined {
				s.Vcard.Next(vcard.Decline("No"))
			}
			s.Takes(t, d, a, month)
			for _, after := range []time.Duration{0, gateway.DuplicateWindow, 24*time.Hour - gateway.DuplicateWindow - 1} {
				s.Clock.Set(s.Clock.Now().Add(after))
				s.Refuses(t, d, a, kerneltest.DuplicateMessage, after)
			}
			s.Clock.Set(s.Clock.Now().Add(1))
		}
		require.Len(t, s.Charges(t), 4)
	}
}
