package door_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// sentByUs is the hash of a return link, and the text that it signs: all in one field of another request.
func sentByUs(t *testing.T, s *kerneltest.SignedShop) (text, hash string) {
	t.Helper()
	hash = hashOfLink(t, s.Pay(t, s.Session(t, "ORD-1", "10.00"), gatewaytest.Settles))
	p := s.Payment(t, "ORD-1")
	return p.ID + "ORD-1" + "10.00" + p.Order.Currency + p.Order.Description, hash
}

// A request that stores nothing looks for a hash that we have sent before anything else.
func TestSentHashAsksForNothing(t *testing.T) {
	t.Parallel()
	s := kerneltest.OpenDoors(t)
	order, hash := sentByUs(t, s)
	client, err := s.Client(t.Context(), gatewaytest.MerchantKey)
	require.NoError(t, err)
	proof := func(hash string) *gateway.Proof {
		return &gateway.Proof{Formula: signature.CheckoutOrder, Inputs: signature.Inputs{OrderID: order}, Hash: hash}
	}
	require.Equal(t, hash, signature.Sign(signature.CheckoutOrder, signature.MD5, proof("").Inputs, gatewaytest.Password))
	_, err = client.Status(t.Context(), gateway.Lookup{OrderNumber: order, Proof: proof(hash)})
	require.ErrorContains(t, err, "already used for another request")
}

// The refusal of a hash that we have sent comes before that of a merchant or a MID that takes no payment.
func TestSentHashIsRefusedFirst(t *testing.T) {
	t.Parallel()
	merchant := func(change func(*store.Merchant)) func(*testing.T, *kerneltest.SignedShop) {
		return func(t *testing.T, s *kerneltest.SignedShop) { s.SetMerchant(t, change) }
	}
	for _, c := range []struct {
		name   string
		change func(*testing.T, *kerneltest.SignedShop)
	}{
		{"nothing else is wrong", func(*testing.T, *kerneltest.SignedShop) {}},
		{"merchant is off", merchant(func(m *store.Merchant) { m.Disabled = true })},
		{"only https", merchant(func(m *store.Merchant) { m.HTTPSOnly = true })},
		{"no MID", func(t *testing.T, s *kerneltest.SignedShop) {
			require.NoError(t, s.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID,
				Connector: "vcard", Disabled: true}))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t)
			text, hash := sentByUs(t, s)
			c.change(t, s)
			client, err := s.Client(t.Context(), gatewaytest.MerchantKey)
			require.NoError(t, err)
			// The fields of a session are signed in a row, and so the text may stand in them as it was cut before.
			order := store.Order{Number: text[:len(text)-len("10.00USDImportant gift")], Amount: "10.00", Currency: "USD",
				Description: "Important gift"}
			in := signature.Inputs{OrderNumber: order.Number, Amount: order.Amount, Currency: order.Currency,
				Description: order.Description}
			require.Equal(t, hash, signature.Sign(signature.CheckoutSession, signature.MD5, in, gatewaytest.Password))
			proof := &gateway.Proof{Formula: signature.CheckoutSession, Inputs: in, Hash: hash}

			r := gatewaytest.Request(order.Number, order.Amount)
			r.Order, r.Proof, r.SuccessURL = order, proof, "http://shop.example/success"
			_, err = client.CreateSession(t.Context(), r)
			require.ErrorContains(t, err, "already used for another request")

			sale := kerneltest.SaleRequest(1)
			sale.Order, sale.Proof, sale.ReturnURL = order, proof, "http://shop.example/back"
			_, err = client.Charge(t.Context(), sale)
			require.ErrorContains(t, err, "already used for another request")
		})
	}
}
