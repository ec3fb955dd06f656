package postgres_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// asking is a request that one instance gets after another has changed the merchant. It returns whether it was
// accepted, and is made under another order each time.
type asking struct {
	name     string
	protocol store.Protocol
	signed   bool
	ask      func(t *testing.T, s *kerneltest.SignedShop, order string) bool
}

// askings are the requests of each protocol by HTTP, and those of a Go caller.
func askings() (list []asking) {
	for _, d := range kerneltest.SignedDoors() {
		protocol := store.Checkout
		if strings.HasPrefix(d.Path, "/post") {
			protocol = store.S2SAPM
		}
		if d.Name == "recurring" || d.Name == "CREDIT2CRYPTO" { // which need more than a merchant
			continue
		}
		list = append(list, asking{d.Name, protocol, true, func(t *testing.T, s *kerneltest.SignedShop, order string) bool {
			return s.Accepts(t, &d, d.Of(order, "10.00"))
		}})
	}
	byGo := func(name string, protocol store.Protocol,
		ask func(t *testing.T, s *kerneltest.SignedShop, order string) error) {
		list = append(list, asking{name, protocol, false, func(t *testing.T, s *kerneltest.SignedShop, order string) bool {
			err := ask(t, s, order)
			if err != nil {
				require.ErrorIs(t, err, gateway.ErrNoMID)
			}
			return err == nil
		}})
	}
	byGo("Charge", store.S2SCard, func(t *testing.T, s *kerneltest.SignedShop, order string) error {
		_, err := s.Shop().Charge(t.Context(), kerneltest.ChargeOf(order, gatewaytest.Settles, kerneltest.ViaCard))
		return err
	})
	byGo("Charge once", store.S2SCard, func(t *testing.T, s *kerneltest.SignedShop, order string) error {
		_, err := s.Shop().Once("key "+order).Charge(t.Context(),
			kerneltest.ChargeOf(order, gatewaytest.Settles, kerneltest.ViaCard))
		return err
	})
	byGo("CreateSession", store.Checkout, func(t *testing.T, s *kerneltest.SignedShop, order string) error {
		_, err := s.Shop().CreateSession(t.Context(), gatewaytest.Request(order, "10.00"))
		return err
	})
	byGo("CreateHosted", store.Checkout, func(t *testing.T, s *kerneltest.SignedShop, order string) error {
		_, err := s.Shop().CreateHosted(t.Context(), kerneltest.HostedRequest(order))
		return err
	})
	return list
}

// TestChangedElsewhere: an instance that remembers a merchant answers a request as another has saved the merchant
// since.
func TestChangedElsewhere(t *testing.T) {
	t.Parallel()
	for _, a := range askings() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			shops := func(t *testing.T) (one, two *kerneltest.SignedShop) {
				a, b := twoGateways(t)
				return &kerneltest.SignedShop{Kit: a, Handler: kerneltest.EveryDoor(a)}, &kerneltest.SignedShop{Kit: b}
			}
			set := func(t *testing.T, s *kerneltest.SignedShop, off bool) {
				require.NoError(t, s.SaveMapping(t.Context(),
					store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: a.protocol, Disabled: off}))
			}
			for name, off := range map[string]bool{"switched off": true, "switched on": false} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					one, two := shops(t)
					set(t, two, !off)
					require.Equal(t, off, a.ask(t, one, "ORD-1"))
					require.Equal(t, off, a.ask(t, one, "ORD-2"))
					set(t, two, off)
					require.Equal(t, !off, a.ask(t, one, "ORD-3"))
				})
			}
			if !a.signed {
				return
			}
			t.Run("another password", func(t *testing.T) {
				t.Parallel()
				one, two := shops(t)
				require.True(t, a.ask(t, one, "ORD-1"))
				two.SetMerchant(t, func(m *store.Merchant) { m.Password = store.NewSecret("another-password-0001") })
				require.False(t, a.ask(t, one, "ORD-2"))
			})
		})
	}
}

// quoting counts how often the host is asked for a quote.
type quoting struct{ asked *int }

// Quote implements gateway.Quoter.
func (q quoting) Quote(context.Context, gateway.QuoteRequest) (gateway.Quote, error) {
	*q.asked++
	return gateway.Quote{}, nil
}

// TestHostIsAskedByWhatIsThere: the host gives no quote for a payment that an instance would only have made by what it
// remembers: of a merchant that is switched off, and of a request with a key that another instance has answered.
func TestHostIsAskedByWhatIsThere(t *testing.T) {
	t.Parallel()
	asked := 0
	one, two := twoGateways(t,
		func(c *gateway.Config) { c.Quoter = quoting{&asked} })
	charge := func(on *gatewaytest.Kit, order string) error {
		_, err := on.Shop().Once("key "+order).Charge(t.Context(),
			kerneltest.ChargeOf(order, gatewaytest.Settles, kerneltest.ViaCard))
		return err
	}
	for i := range 9 { // one learns that such keys are mostly new
		require.NoError(t, charge(one, fmt.Sprintf("ORD-%d", i)))
	}
	require.NoError(t, charge(two, "ORD-A"))
	before := asked
	require.NoError(t, charge(one, "ORD-A"))
	require.Equal(t, before, asked)
	require.NoError(t, two.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.S2SCard, Disabled: true}))
	require.ErrorIs(t, charge(one, "ORD-B"), gateway.ErrNoMID)
	require.Equal(t, before, asked)
}

// TestScheduleIsStoppedByWhatIsThere: no transaction precedes the end of a schedule at the acquirer's, so that the
// instance looks before it asks for it: the payment may be refunded by another.
func TestScheduleIsStoppedByWhatIsThere(t *testing.T) {
	t.Parallel()
	stops := 0
	one, two := twoGateways(t,
		func(c *gateway.Config) {
			c.Connectors = map[string]methods.Connector{"vcard": methods.Wrap(c.Connectors["vcard"],
				func(ctx context.Context, call methods.Call, next func(context.Context) methods.Answer) methods.Answer {
					if call.Power == methods.StopsSchedules {
						stops++
					}
					return next(ctx)
				})}
		})
	server := httptest.NewServer(kerneltest.EveryDoor(one))
	t.Cleanup(server.Close)
	client := &s2sclient.Client{HTTP: server.Client(), URL: server.URL + "/post", Key: gatewaytest.MerchantKey,
		Password: gatewaytest.Password}
	paid, err := client.Do(t.Context(), s2sclient.Sale("ORD-1", "10.00", "USD", s2sclient.TestCard("01", "2038")))
	require.NoError(t, err)
	require.Equal(t, "SETTLED", paid.Status(), "%s", paid.Raw)
	stop := s2sclient.FollowUp("STOP_SCHEDULE", paid.TransID())
	_, err = client.Do(t.Context(), stop)
	require.NoError(t, err)
	require.Equal(t, 1, stops)
	refund, err := two.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(one.Payment(t, "ORD-1"), ""))
	require.NoError(t, err)
	require.Equal(t, store.Refunded, refund.Payment.Status)
	refused, err := client.Do(t.Context(), stop)
	require.NoError(t, err)
	require.NotEqual(t, http.StatusOK, refused.HTTP, "%s", refused.Raw)
	require.Equal(t, 1, stops)
}
