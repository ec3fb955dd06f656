package door_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// withChain is a shop with a chain for recurring payments.
func withChain(t testing.TB, options ...gatewaytest.Option) *kerneltest.SignedShop {
	t.Helper()
	s := kerneltest.OpenDoors(t, options...)
	s.Chain = kerneltest.Charged(t, s.Kit, "CHAIN", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	return s
}

// Moving the border between number and amount in the same text makes another request, on every protocol.
func TestHashSignsOneOrderAtEveryDoor(t *testing.T) {
	t.Parallel()
	for _, d := range kerneltest.SignedDoors() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			s := withChain(t)
			first := d.Of("SUB-11", "10.00")
			s.Takes(t, &d, first)
			moved := d.Of("SUB-1", "110.00")
			first.Chain = s.Chain
			moved.Hash = d.Sign(inherited(&d, first))
			s.Refuses(t, &d, moved, kerneltest.HashUsedMessage, "at once")
			s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
			s.Refuses(t, &d, moved, kerneltest.HashUsedMessage, "later")
			moved.Hash = ""
			s.Clock.Set(s.Clock.Now().AddDate(3, 0, 0))
			s.Work(t)
			require.Equal(t, d.Sign(inherited(&d, first)),
				d.Sign(inherited(&d, kerneltest.SignedRequest{Order: moved.Order, Chain: s.Chain})), "the two texts are the same")
			s.Refuses(t, &d, moved, kerneltest.HashUsedMessage, "years later, although the merchant signs it")
		})
	}
}

// inherited is a request as its formula signs it: a later payment of a chain has no currency.
func inherited(d *kerneltest.SignedDoor, a kerneltest.SignedRequest) kerneltest.SignedRequest {
	if d.Name == "recurring" {
		a.Currency = ""
	}
	return a
}

// A hash signs requests of one kind: a request of another kind is refused, even for the same order.
func TestHashSignsOneKind(t *testing.T) {
	t.Parallel()
	for _, first := range kerneltest.SignedDoors() {
		for _, second := range kerneltest.SignedDoors() {
			a, b := first.Of("ORD-1", "10.00"), second.Of("ORD-1", "10.00")
			if first.Name == second.Name || first.Sign(a) != second.Sign(b) {
				continue // the hash is not valid there anyway
			}
			t.Run(first.Name+" to "+second.Name, func(t *testing.T) {
				t.Parallel()
				s := kerneltest.OpenDoors(t)
				s.Takes(t, &first, a)
				s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
				switch {
				case first.Kind != second.Kind:
					s.Refuses(t, &second, b, kerneltest.HashUsedMessage)
				case first.Name == "card credit":
					s.Refuses(t, &second, b, kerneltest.DuplicateMessage, "it is paid")
				default:
					s.Takes(t, &second, b)
				}
			})
		}
	}
}

// A hash that was used with the test key is refused with the live key, and the other way round (decision cd).
func TestHashSignsOneKey(t *testing.T) {
	t.Parallel()
	for _, d := range kerneltest.SignedDoors() {
		if d.Name == "recurring" {
			continue // the chain is of one key
		}
		for _, keys := range [][2]string{
			{gatewaytest.MerchantKey, gatewaytest.TestKey}, {gatewaytest.TestKey, gatewaytest.MerchantKey},
		} {
			t.Run(d.Name+" "+keys[0], func(t *testing.T) {
				t.Parallel()
				s := kerneltest.OpenDoors(t)
				a := d.Of("ORD-1", "10.00")
				a.Key = keys[0]
				s.Takes(t, &d, a)
				a.Key = keys[1]
				s.Refuses(t, &d, a, kerneltest.HashUsedMessage)
				other := d.Of("ORD-1", "20.00")
				other.Key = keys[1]
				s.Takes(t, &d, other, "the two keys have separate duplicate windows (decision bc)")
			})
		}
	}
}
