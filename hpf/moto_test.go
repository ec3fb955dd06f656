package hpf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Decision au: for mail and telephone orders the fields may leave the code out, like the page; otherwise a card
// without code is refused.
func TestCodeOfMOTO(t *testing.T) {
	t.Parallel()
	codeless := methods.Card{PAN: gatewaytest.Settles.PAN, Expiry: gatewaytest.Settles.Expiry}
	for _, c := range []struct {
		moto  string
		needs bool
	}{{"", true}, {"ecommerce", true}, {"phone_moto", false}, {"email_moto", false}, {"default_moto", false}} {
		t.Run(c.moto, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			require.NoError(t, s.SaveMID(t.Context(),
				store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", MOTO: true}))
			var edits []edit
			if c.moto != "" {
				edits = append(edits, set("moto_type", c.moto))
			}
			token := s.token(t, edits...)
			err := s.HostedFields().Collect(t.Context(), token, codeless)
			if c.needs {
				require.Equal(t, []gateway.Fault{{Path: "card_cvv2", Text: "Invalid security code"}}, gateway.AsError(err).Faults())
				requireFaults(t, s.under(t, token, pathPurchase, payment()), "card_number"+blank)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "success", s.pay(t, token).Result)
			require.Equal(t, c.moto, s.Payment(t, "ORD-1").MOTOType)
		})
	}
}
