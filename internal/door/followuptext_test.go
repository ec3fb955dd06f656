package door_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// A lookup, a void, a capture or a refund signs the id of its payment, with an amount at most. Where amounts need no
// point, an order can spell that: its number, amount, currency and description are the id, cut into pieces. The hash of
// the request about the payment makes nothing, at any door that signs an order.
func TestHashOfAFollowUpMakesNothing(t *testing.T) {
	t.Parallel()
	const unknown = "ffffffff-0000-7000-8000-0000"
	for _, d := range kerneltest.SignedDoors() {
		formulas := []signature.Formula{signature.CheckoutPayment, signature.CheckoutAmount}
		tail, description := "7aedc0de", "c0de"
		switch d.Formula {
		case signature.APMCredit:
			formulas, tail, description = []signature.Formula{signature.APMTrans}, "00007aed", ""
		case signature.CheckoutSession, signature.CheckoutCredit:
		default: // signs a payer, or a chain, before the order
			continue
		}
		for _, formula := range formulas {
			t.Run(fmt.Sprint(d.Name, " ", formula), func(t *testing.T) {
				t.Parallel()
				n := 0
				s := kerneltest.OpenDoors(t, func(c *gateway.Config) {
					c.NewID = func() string { n++; return fmt.Sprintf("%08x-0000-7000-8000-0000%s", n, tail) }
				})
				for _, protocol := range []store.Protocol{store.Checkout, store.S2SAPM} {
					require.NoError(t, s.SaveMapping(t.Context(),
						store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: protocol, ShortAmounts: true}))
				}
				p := kerneltest.Charged(t, s.Kit, "PAID", gatewaytest.Settles).Payment
				in, after := signature.Inputs{PaymentID: p.ID, TransID: p.ID}, ""
				if formula == signature.CheckoutAmount {
					in.Amount, after = "5.00", "5.00"
				}
				cut := len(p.ID) - len("7aed") - len(description)
				a := d.Of(p.ID[:cut], "7")
				a.Currency, a.Description = "AED", description+after
				if description == "" {
					a.Description = "Important gift"
				}
				a.Hash = signature.Sign(formula, signature.MD5, in, gatewaytest.Password)
				require.Equal(t, d.Sign(a), a.Hash, "it is the hash of that order too")
				s.Refuses(t, &d, a, kerneltest.HashUsedMessage)
				a.Number, a.Hash = unknown+a.Number[len(unknown):], ""
				if d.Name != "CREDIT2CRYPTO" { // which takes no dirhams
					s.Takes(t, &d, a, "no payment has this id")
				}
			})
		}
	}
}
