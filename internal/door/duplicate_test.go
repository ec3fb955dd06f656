package door_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// heldUp is a store whose next Update waits until it is released.
type heldUp struct {
	store.Store
	reached, free chan struct{}
}

func (s *heldUp) Update(ctx context.Context, fn func(store.Tx) error) error {
	if s.free != nil {
		free := s.free
		s.free = nil
		close(s.reached)
		<-free
	}
	return s.Store.Update(ctx, fn)
}

// A request that was delayed beyond the window, while a later one was accepted, is refused. Otherwise its earlier
// time would replace the later one and a third request would be accepted too.
func TestHeldUpRequestOpensNoWindow(t *testing.T) {
	t.Parallel()
	inner := memory.New()
	slow := &heldUp{Store: inner}
	kit := gatewaytest.On(t, slow)
	slow.reached, slow.free = make(chan struct{}), make(chan struct{})
	free, late := slow.free, make(chan error)
	go func() {
		_, err := kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
		late <- err
	}()
	<-slow.reached
	kit.Clock.Set(kit.Clock.Now().Add(2 * gateway.DuplicateWindow))
	kit.Session(t, "ORD-1", "10.00")
	close(free)
	require.ErrorIs(t, <-late, gateway.ErrDuplicate)
	_, err := kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
	require.ErrorIs(t, err, gateway.ErrDuplicate)
}

// A clock that is set back by more than the window opens it; by less it does not.
func TestClockSetBack(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kit.Session(t, "ORD-1", "10.00")
	kit.Clock.Set(kit.Clock.Now().Add(time.Microsecond - gateway.DuplicateWindow))
	_, err := kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
	require.ErrorIs(t, err, gateway.ErrDuplicate)
	kit.Clock.Set(kit.Clock.Now().Add(-time.Microsecond))
	kit.Session(t, "ORD-1", "10.00")
}

// TestWindowAtEveryDoor: a session and a direct charge take the same window, whichever comes first, to the microsecond:
// a request exactly at its end is accepted. The payment of a session takes none: its order number was taken with the
// session.
func TestWindowAtEveryDoor(t *testing.T) {
	t.Parallel()
	type door struct {
		name string
		ask  func(t *testing.T, kit *gatewaytest.Kit) error
	}
	doors := []door{
		{"session", func(t *testing.T, kit *gatewaytest.Kit) error {
			_, err := kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
			return err
		}},
		{"charge", func(t *testing.T, kit *gatewaytest.Kit) error {
			_, err := kit.Shop().Charge(t.Context(), directCharge(store.Checkout))
			return err
		}},
		{"charge on S2S", func(t *testing.T, kit *gatewaytest.Kit) error {
			_, err := kit.Shop().Charge(t.Context(), directCharge(store.S2SCard))
			return err
		}},
		{"test charge", func(t *testing.T, kit *gatewaytest.Kit) error {
			_, err := kit.Merchant(gatewaytest.TestKey).Charge(t.Context(), directCharge(store.Checkout))
			return err
		}},
	}
	for _, first := range doors {
		for _, second := range doors {
			t.Run(first.name+", then "+second.name, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				kit.Clock.Set(kit.Clock.Now().Add(999_999 * time.Microsecond)) // of no whole millisecond
				require.NoError(t, first.ask(t, kit))
				kit.Clock.Set(kit.Clock.Now().Add(gateway.DuplicateWindow - 1))
				separate := (first.name == "test charge") != (second.name == "test charge")
				if separate {
					require.NoError(t, second.ask(t, kit))
					return
				}
				require.ErrorIs(t, second.ask(t, kit), gateway.ErrDuplicate)
				kit.Clock.Set(kit.Clock.Now().Add(1))
				err := second.ask(t, kit)
				if second.name == "charge on S2S" && first.name != "session" { // an order number is used once there
					require.ErrorIs(t, err, gateway.ErrInvalid)
					return
				}
				require.NoError(t, err)
				require.ErrorIs(t, first.ask(t, kit), gateway.ErrDuplicate)
			})
		}
	}
	kit := gatewaytest.New(t)
	session := kit.Session(t, "ORD-1", "10.00")
	kit.Clock.Set(kit.Clock.Now().Add(gateway.DuplicateWindow))
	kit.Pay(t, session, gatewaytest.Settles)
	kit.Session(t, "ORD-1", "10.00")
}

func directCharge(protocol store.Protocol) gateway.ChargeRequest {
	card := gatewaytest.Settles
	return gateway.ChargeRequest{
		Protocol: protocol, Kind: store.Purchase, Card: &card, Action: "SALE",
		Order: store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Important gift"},
		Payer: store.Payer{Name: "John Doe", FirstName: "John", LastName: "Doe", Email: "doe@example.com",
			IP: "203.0.113.7", Address: store.Address{Country: "US", City: "Town", Address: "Street 1", Zip: "12345",
				Phone: "5551234567"}},
	}
}
