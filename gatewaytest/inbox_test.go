package gatewaytest_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// failing is a test that notes why it fails, and ends there.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestInboxExpects(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	charge := func(order string, protocol store.Protocol, action string) *gateway.Result {
		card := gatewaytest.Settles
		r, err := kit.Shop().Charge(t.Context(), gateway.ChargeRequest{
			Protocol: protocol, Action: action, Kind: store.Purchase, Card: &card,
			Order: store.Order{Number: order, Amount: "10.00", Currency: "USD", Description: "A cup"},
			Payer: store.Payer{Name: "John Doe", FirstName: "John", LastName: "Doe", Email: "doe@example.com",
				IP: "203.0.113.7"},
		})
		require.NoError(t, err)
		return r
	}
	sold := charge("ORD-1", store.Checkout, "")
	charge("ORD-2", store.S2SCard, "SALE")
	for _, amount := range []string{"4.00", "5.00"} {
		_, err := kit.Shop().CreditVoid(t.Context(), gateway.FollowUp{PaymentID: sold.Payment.ID, Amount: amount})
		require.NoError(t, err)
	}
	kit.Work(t)
	require.Equal(t, sold.Payment.ID, kit.Inbox.Expect(t, "ORD-1", "sale").Get("id"))
	require.Equal(t, "SUCCESS", kit.Inbox.Expect(t, "ORD-2", "sale").Get("result"))
	require.Equal(t, "5.00", kit.Inbox.Expect(t, "ORD-1", "refund").Get("amount"), "the newest")

	for _, c := range [][2]string{{"ORD-1", "void"}, {"ORD-2", "refund"}, {"ORD-3", "sale"}} {
		f, ended := &failing{TB: t}, make(chan struct{})
		go func() {
			defer close(ended)
			kit.Inbox.Expect(f, c[0], c[1])
		}()
		<-ended
		require.Contains(t, f.said, fmt.Sprintf("no callback %q of order %s has arrived; there are 4: ", c[1], c[0]))
		require.Contains(t, f.said, "sale of ORD-2")
	}
}
