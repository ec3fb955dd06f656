package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Memory Storage is a setting of the payment's mapping, and it holds on our page too: neither the redirect
// nor the payer's return is in the store.
func TestMemoryRedirectIsOfTheProtocol(t *testing.T) {
	t.Parallel()
	for _, paid := range store.Protocols() {
		for _, memory := range append(store.Protocols(), "") {
			t.Run(string(paid)+" by memory of "+string(memory), func(t *testing.T) {
				t.Parallel()
				var kit *gatewaytest.Kit
				var next, back bool // whether the store has them
				acquirer := kerneltest.AsksForCode(kerneltest.ToBank)
				complete := acquirer.OnComplete
				acquirer.OnComplete = func(op methods.Operation, with methods.Return) methods.Answer {
					if tr := kerneltest.TransactionOf(t, kit, op.TransactionID); with.Method != methods.Answered {
						next, back = len(tr.SealedRedirect) > 0, len(tr.Returning.Kept) > 0
					}
					return complete(op, with)
				}
				kit = gatewaytest.New(t, acquirer.Option)
				if memory != "" {
					in := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: memory, MemoryRedirect: true}
					require.NoError(t, kit.SaveMapping(t.Context(), in))
				}
				page := ""
				if paid == store.Checkout {
					page = kit.Session(t, "ORD-1", "10.00")
					require.Equal(t, gateway.ActionPrompt, kit.Pay(t, page, gatewaytest.Settles).Kind)
				} else {
					via := map[store.Protocol]func(*gateway.ChargeRequest){store.S2SCard: kerneltest.ViaCard,
						store.S2SAPM: kerneltest.ViaAPM}[paid]
					r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.GoesBack, via)
					page = kerneltest.PageToken(t, r.Redirect.URL)
				}
				action, err := kit.AnswerSession(t.Context(), page, map[string]string{"otp": "123456"})
				require.NoError(t, err)
				require.Equal(t, "https://bank.example/go", action.Redirect.URL)
				acquirer.ComeBack(t, kit)
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
				require.Equal(t, []bool{memory != paid, memory != paid}, []bool{next, back})
			})
		}
	}
}
