package callback_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

func TestActionAndResult(t *testing.T) {
	t.Parallel()
	const card, apm = store.S2SCard, store.S2SAPM
	cases := []struct {
		name           string
		protocol       store.Protocol
		action         string
		kind           store.Kind
		operation      store.Operation
		typ, status    string
		wantAct, wantR string
	}{
		{"authorization", card, "AUTH", store.Purchase, store.OpAuth, "sale", "success", "SALE", "SUCCESS"},
		{"charge not known yet", card, "SALE", store.Purchase, store.OpSale, "sale", "waiting", "SALE", "UNDEFINED"},
		{"recurring, not known yet", card, "RECURRING_SALE", store.Purchase, store.OpSale, "recurring", "waiting", "RECURRING_SALE", "UNDEFINED"},
		{"refund under way", card, "SALE", store.Purchase, store.OpRefund, "refund", "waiting", "CREDITVOID", "WAITING"},
		{"reversal under way", apm, "SALE", store.Purchase, store.OpReversal, "refund", "waiting", "CREDITVOID", "WAITING"},
		{"reversal of a debit", card, "DEBIT", store.Debit, store.OpReversal, "refund", "success", "CREDITVOID", "SUCCESS"},
		{"capture refused", card, "AUTH", store.Purchase, store.OpCapture, "capture", "fail", "CAPTURE", "DECLINED"},
		{"void unknown", apm, "SALE", store.Purchase, store.OpVoid, "void", "undefined", "VOID", "UNDEFINED"},
		{"dispute", card, "RECURRING_SALE", store.Purchase, store.OpChargeback, "chargeback", "success", "CHARGEBACK", "SUCCESS"},
		{"issuer's page", card, "CARD2CARD", store.Transfer, store.OpTransfer, "3ds", "success", "CARD2CARD", "REDIRECT"},
		{"crypto payout", apm, "CREDIT2CRYPTO", store.Credit, store.OpCredit, "init", "success", "CREDIT2CRYPTO", "INIT"},
		{"retry", card, "RETRY", store.Purchase, store.OpSale, "recurring", "fail", "RECURRING_SALE", "DECLINED"},
		{"schedule of a sale", card, "SALE", store.Purchase, store.OpSale, "recurring", "success", "RECURRING_SALE", "SUCCESS"},
		{"schedule of a debit", card, "", store.Debit, store.OpDebit, "recurring", "success", "RECURRING_DEBIT", "SUCCESS"},
		{"commission", apm, "DEBIT2VIRTUAL_CALC", store.Debit, store.OpCalc, "calc", "success", "DEBIT2VIRTUAL_CALC", "SUCCESS"},
		{"its completion", apm, "DEBIT2VIRTUAL_CALC", store.Debit, store.OpDebit, "debit", "fail", "DEBIT2VIRTUAL", "DECLINED"},
		{"its completion, by name", apm, "DEBIT2VIRTUAL_COMPLETE", store.Debit, store.OpDebit, "redirect", "success", "DEBIT2VIRTUAL", "REDIRECT"},
		{"no action, sale", card, "", store.Purchase, store.OpSale, "sale", "success", "SALE", "SUCCESS"},
		{"no action, debit", card, "", store.Debit, store.OpDebit, "debit", "success", "DEBIT", "SUCCESS"},
		{"no action, transfer", card, "", store.Transfer, store.OpTransfer, "transfer", "success", "CARD2CARD", "SUCCESS"},
		{"no action, payout", card, "", store.Credit, store.OpCredit, "credit", "success", "CREDIT2CARD", "SUCCESS"},
		{"no action, virtual sale", apm, "", store.Purchase, store.OpSale, "sale", "success", "SALE", "SUCCESS"},
		{"no action, virtual debit", apm, "", store.Debit, store.OpDebit, "debit", "success", "DEBIT2VIRTUAL", "SUCCESS"},
		{"no action, virtual payout", apm, "", store.Credit, store.OpCredit, "credit", "success", "CREDIT2VIRTUAL", "SUCCESS"},
		{"no such status", card, "SALE", store.Purchase, store.OpSale, "sale", "", "SALE", "UNDEFINED"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fields := render(t, callback.Event{
				Type: c.typ, Status: c.status,
				Payment:     &store.Payment{Protocol: c.protocol, Action: c.action, Kind: c.kind},
				Transaction: &store.Transaction{Operation: c.operation},
				Merchant:    &store.Merchant{}, Mapping: &store.Mapping{},
			})
			require.Equal(t, []string{c.wantAct, c.wantR}, []string{value(fields, "action"), value(fields, "result")})
		})
	}
}

func TestCheckoutReason(t *testing.T) {
	t.Parallel()
	c := documented{protocol: store.Checkout, action: "sale", result: "fail", status: store.Declined}
	require.Equal(t, "Declined by processing.", value(render(t, event(c)), "reason"))
	c = documented{protocol: store.S2SCard, action: "SALE", result: "DECLINED", status: store.Declined}
	require.Equal(t, "Declined by processing", value(render(t, event(c)), "decline_reason"))
	require.Equal(t, "Do not honour", callback.CheckoutReason("Do not honour"))
}
