package fields_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// goCharge is a charge of a Go caller under the rules of a protocol.
func goCharge(protocol store.Protocol, change func(*gateway.ChargeRequest)) gateway.ChargeRequest {
	r := gateway.ChargeRequest{
		Protocol: protocol, Action: "SALE", Kind: store.Purchase,
		Order: store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Important gift"},
		Card:  &gatewaytest.Settles, Payer: store.Payer{FirstName: "John", LastName: "Doe", Email: "doe@example.com"},
	}
	if protocol == store.S2SAPM {
		r.Card, r.Method, r.Identifier = nil, "vcard", "success@gmail.com"
	}
	change(&r)
	return r
}

// What a Go caller hands in keeps the rules of the wire: states (decision bj), lines of text (decision ca).
func TestFieldRulesOfGoCaller(t *testing.T) {
	t.Parallel()
	spoil := map[string]func(*gateway.ChargeRequest){
		"order number":  func(r *gateway.ChargeRequest) { r.Order.Number = "ORD\n1" },
		"description":   func(r *gateway.ChargeRequest) { r.Order.Description = "gift\u202e" },
		"city":          func(r *gateway.ChargeRequest) { r.Payer.Address.City = "a\x07b" },
		"first name":    func(r *gateway.ChargeRequest) { r.Payer.FirstName = "J\u2067hn" },
		"zip":           func(r *gateway.ChargeRequest) { r.Payer.Address.Zip = "12\t34" },
		"channel":       func(r *gateway.ChargeRequest) { r.ChannelID = "a\nb" },
		"network":       func(r *gateway.ChargeRequest) { r.CryptoNetwork = "a\nb" },
		"unknown state": func(r *gateway.ChargeRequest) { r.Payer.Address.Country, r.Payer.Address.State = "AU", "XX" },
	}
	for _, protocol := range store.Protocols() {
		for name, change := range spoil {
			t.Run(string(protocol)+" "+name, func(t *testing.T) {
				t.Parallel()
				kit := kerneltest.Audited(t)
				_, err := kit.Shop().Charge(t.Context(), goCharge(protocol, change))
				require.ErrorIs(t, err, gateway.ErrInvalid)
				require.Len(t, gateway.AsError(err).Faults(), 1, "%v", err)
			})
		}
		for _, c := range []struct{ country, state, kept string }{
			{"AU", "NSW", "NSW"}, {"US", "AE", "AE"}, {"IN", "OD", "OD"}, {"DE", "ZZ", ""},
		} {
			t.Run(string(protocol)+" "+c.country, func(t *testing.T) {
				t.Parallel()
				r, err := kerneltest.Audited(t).Shop().Charge(t.Context(), goCharge(protocol, func(r *gateway.ChargeRequest) {
					r.Payer.Address = store.Address{Country: c.country, State: c.state}
				}))
				require.NoError(t, err)
				require.Equal(t, c.kept, r.Payment.Payer.Address.State)
			})
		}
	}
}

// The page keeps the same rules.
func TestFieldRulesOfPage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, country, state, city string
		fault                      string
		kept                       string
	}{
		{"of three letters", "AU", "NSW", "Sydney", "", "NSW"},
		{"armed forces", "US", "AE", "APO", "", "AE"},
		{"unknown", "US", "ZZ", "Springfield", "billing_address.state", ""},
		{"dropped", "DE", "ZZ", "Berlin", "", ""},
		{"control character", "DE", "", "Ber\x07lin", "billing_address.city", ""},
		{"override", "DE", "", "Ber\u202elin", "billing_address.city", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			kerneltest.ChangeLiveMID(t, kit, kerneltest.ChecksAddress)
			token := kit.Session(t, "ORD-1", "10.00")
			next, err := kit.PaySession(t.Context(), token,
				gateway.Submission{Card: gatewaytest.Settles, Attempt: kerneltest.NextActionOf(t, kit, token).Attempt,
					Fields: map[string]string{"billing_address.country": c.country, "billing_address.state": c.state,
						"billing_address.city":    c.city,
						"billing_address.address": "Street 1", "billing_address.zip": "12345"}})
			if c.fault != "" {
				require.Equal(t, []string{c.fault}, kerneltest.FaultPaths(err))
				return
			}
			require.NoError(t, err)
			require.NotNil(t, next)
			require.Equal(t, c.kept, kit.Payment(t, "ORD-1").Payer.Address.State)
		})
	}
}

// The amount that the payer of a transfer chooses has as many decimals as the mapping takes (decision am).
func TestChosenAmountMayBeShort(t *testing.T) {
	t.Parallel()
	for _, short := range []bool{false, true} {
		kit := kerneltest.Audited(t)
		require.NoError(t, kit.SaveMapping(t.Context(),
			store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, ShortAmounts: short}))
		r := gatewaytest.Request("ORD-1", "-1")
		r.Operation, r.Extra.Payee = "transfer", &store.Payer{Name: "Jane Doe"}
		token := kit.SessionOf(t, r)
		_, err := kit.PaySession(t.Context(), token,
			gateway.Submission{Card: gatewaytest.Settles, PayeeCard: gatewaytest.Settles.PAN,
				Attempt: kerneltest.NextActionOf(t, kit, token).Attempt, Amount: "10"})
		if !short {
			require.Equal(t, []string{"amount"}, kerneltest.FaultPaths(err))
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "10", kit.Payment(t, "ORD-1").Order.Amount)
	}
}
