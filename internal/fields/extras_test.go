package fields_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// talkative is an acquirer that tells facts of its own with everything it approves.
func talkative(extras ...store.Extra) *kerneltest.ScriptedConnector {
	p := &kerneltest.ScriptedConnector{}
	p.OnPerform = func(op methods.Operation) methods.Answer {
		a := kerneltest.Approves(op)
		a.Extras = append([]store.Extra{{Name: "did", Value: string(op.Kind)}}, extras...)
		if op.Kind == store.OpSale {
			a.Facts = store.Facts{RRN: "rrn-1", ApprovalCode: "A1", ARN: "arn-1", GatewayID: "g-1", ExtraGatewayID: "x-1",
				IssuerCountry: "DE", IssuerBank: "Bank"}
		}
		return a
	}
	return p
}

// extended are the names and values of the extended block in a callback.
func extendedBlock(form url.Values) map[string]string {
	block := map[string]string{}
	for name := range form {
		if strings.HasPrefix(name, "extended_data[") ||
			strings.Contains(" rrn approval_code gateway_id extra_gateway_id issuer_country issuer_bank connector_name ",
				" "+name+" ") {
			block[name] = form.Get(name)
		}
	}
	return block
}

// av and bw: what a connector tells under names of its own goes with the extended block, of every protocol and
// operation, and a chargeback carries what is known of its charge.
func TestExtras(t *testing.T) {
	t.Parallel()
	facts := map[string]string{
		"connector_name": "vcard", "rrn": "rrn-1", "approval_code": "A1", "gateway_id": "g-1", "extra_gateway_id": "x-1",
		"issuer_country": "DE", "issuer_bank": "Bank", "extended_data[did]": "SALE",
	}
	for protocol, action := range map[store.Protocol]string{
		store.Checkout: "", store.S2SCard: "SALE", store.S2SAPM: "SALE",
	} {
		for _, on := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, %t", protocol, on), func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t, talkative().Option)
				require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{
					MerchantID: gatewaytest.MerchantID, Protocol: protocol, Add: store.Additions{Extended: on},
				}))
				p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) {
					r.Protocol, r.Action = protocol, action
					if protocol == store.S2SAPM {
						r.Method, r.Card = "paypal", nil
					}
				}).Payment
				_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
				require.NoError(t, err)
				_, err = kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID, Reason: "fraud"})
				require.NoError(t, err)
				forms := kerneltest.FormsOf(t, kit, "ORD-1")
				require.Len(t, forms, 3)
				if !on {
					for _, form := range forms {
						require.Empty(t, extendedBlock(form))
					}
					return
				}
				require.Equal(t, facts, extendedBlock(forms[0]), "the sale")
				require.Equal(t, "REFUND", forms[1].Get("extended_data[did]"))
				require.Equal(t, facts, extendedBlock(forms[2]), "the dispute")
			})
		}
	}
}

// A hold has no ARN; its capture brings one, and what else the acquirer did not tell before. Status answers have it
// from then on (SPEC1, "Status lookup by order"), and the callback of a dispute (bw). What the hold has told stays.
func TestFactsOfACapture(t *testing.T) {
	t.Parallel()
	acquirer := &kerneltest.ScriptedConnector{}
	acquirer.OnPerform = func(op methods.Operation) methods.Answer {
		a := kerneltest.Approves(op)
		switch op.Kind {
		case store.OpAuth:
			a.Facts = store.Facts{ApprovalCode: "A1", RRN: "rrn-1"}
		case store.OpCapture:
			a.Facts = store.Facts{ApprovalCode: "A2", ARN: "arn-2", GatewayID: "g-2", ExtraGatewayID: "x-2",
				IssuerCountry: "DE", IssuerBank: "Bank"}
		}
		return a
	}
	want := map[string]string{"approval_code": "A1", "rrn": "rrn-1", "ARN": "arn-2", "gateway_id": "g-2",
		"extra_gateway_id": "x-2", "issuer_country": "DE", "issuer_bank": "Bank"}
	for protocol, action := range map[store.Protocol]string{
		store.Checkout: "", store.S2SCard: "SALE", store.S2SAPM: "SALE",
	} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, acquirer.Option)
			require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{
				MerchantID: gatewaytest.MerchantID, Protocol: protocol, Add: store.Additions{Extended: true, ARN: true},
			}))
			p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) {
				r.Protocol, r.Action, r.Hold = protocol, action, true
				if protocol == store.S2SAPM {
					r.Method, r.Card = "paypal", nil
				}
			}).Payment
			_, held := statusOf(t, kit, p.ID)
			require.NotContains(t, held, "ARN")
			_, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
			require.NoError(t, err)
			extended, captured := statusOf(t, kit, p.ID)
			require.Equal(t, "arn-2", captured["ARN"])
			for name, value := range want {
				if extended {
					require.Equal(t, value, captured[name], name)
				}
			}
			_, err = kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID})
			require.NoError(t, err)
			forms := kerneltest.FormsOf(t, kit, "ORD-1")
			for name, value := range want {
				require.Equal(t, value, forms[len(forms)-1].Get(name), name)
			}
		})
	}
}

// statusOf returns what a status answer adds, and whether the extended block belongs to it (not on S2S CARD).
func statusOf(t testing.TB, kit *gatewaytest.Kit, id string) (extended bool, added map[string]string) {
	t.Helper()
	client, err := kit.Client(t.Context(), gatewaytest.MerchantKey)
	require.NoError(t, err)
	found, err := kit.Shop().Status(t.Context(), gateway.Lookup{PaymentID: id})
	require.NoError(t, err)
	added = map[string]string{}
	for _, f := range client.Additions(&found[0].Payment, &found[0].Transaction) {
		added[f.Name] = f.Value
	}
	return found[0].Payment.Protocol != store.S2SCard, added
}

// What cannot be a parameter is left out, and a card number is hidden.
func TestExtrasAreBounded(t *testing.T) {
	t.Parallel()
	list := []store.Extra{
		{Name: "fine.name-1", Value: "Grüße"}, {Name: "empty", Value: ""}, {Name: "card", Value: "was 4111111111111111"},
		{Name: "", Value: "x"}, {Name: "a[b]", Value: "x"}, {Name: "a=b", Value: "x"}, {Name: strings.Repeat("n", 65), Value: "x"},
		{Name: "line", Value: "a\nb"}, {Name: "torn", Value: "\xff"}, {Name: "long", Value: strings.Repeat("é", 256)},
		{Name: "fine.name-1", Value: "again"}, {Name: "full", Value: strings.Repeat("é", 255)},
	}
	for i := range 30 {
		list = append(list, store.Extra{Name: fmt.Sprint("n", i), Value: "v"})
	}
	kit := gatewaytest.New(t, talkative(list...).Option)
	extras := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Transaction.Extras
	require.Len(t, extras, methods.MaxExtras)
	require.Equal(t, []store.Extra{
		{Name: "did", Value: "SALE"}, {Name: "fine.name-1", Value: "Grüße"}, {Name: "empty", Value: ""},
		{Name: "card", Value: "was " + store.HideDigits("4111111111111111")}, {Name: "full", Value: strings.Repeat("é", 255)}, {Name: "n0", Value: "v"},
	}, extras[:6])
	require.NotContains(t, fmt.Sprint(extras), "4111111111111111")
}
