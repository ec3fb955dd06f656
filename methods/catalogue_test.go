package methods_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The codes of methods.md, "Method codes listed".
const (
	checkoutCodes = "" +
		"card afsbenefit airtel paydefi araka astropay awcc axxi-cash axxi-transfer axxi-pin a2a_transfer beeline " +
		"billplz bitolo-inr bitolo-brl bpwallet cardpaymentz citizen cnfmo coinspaid cup-on crypto-btg cybersource dcp " +
		"dl dlocal doku-hpp dpbanktransfer e-xezine fairpay fawry fxmb-india fxmb-netbanking gigadat hayvn helio " +
		"help2pay ideal_crdz instant-bills-pay ipasspay jvz kashahpp m2p-debit m2p-withdrawal mcpayhpp mcpayment moov-" +
		"money moov-togo mpesa mtn-mobile-money naps netbanking-upi next-level-finance nimbbl nuvvex nv-apm om-wallet " +
		"one-collection pagsmile panapay-netbanking panapay-upi papara payablhpp payftr-in payneteasyhpp payok-" +
		"promptpay payok-upi paypal paythrough-upi paytota phone-pe pix ppro-alipay ppro-bitpay ppro-dragonpay ppro-fpx " +
		"ppro-ideal ppro-klarna ppro-przelewy24 ppro-safetypay ppro-skrill ppro-sofort ppro-trustly ppro-unionpay ppro-" +
		"wechat5 ppro-wechatonline pr-cash pr-creditcard pr-cryptocurrency pr-online ptbs ptn-email ptn-inapp ptn-sms " +
		"pyk-bkmexpress pyk-momo pyk-nequipush pyk-paparawallet pyk-promptpay pyk-truemoney pyk-upi pyk-viettelpay pyk-" +
		"zalopay saopayments securepaycard sepa sepainstant skrill sofortuber stcpay stripe-js swifipay-deposit sz-in-" +
		"imps sz-in-paytm sz-in-upi sz-jp-p2p sz-kr-p2p sz-my-ob sz-th-ob sz-th-qr sz-vn-ob sz-vn-p2p trustgate tabby " +
		"tamara togocom unipay unipayment vcard vouchstar vp-wallet vpayapp_upi webpaygate winnerpay xprowirelatam-ted " +
		"xprowirelatam-cash xprowirelatam-bank-transfer xprowirelatam-bank-slip xprowirelatam-picpay xprowirelatam-pix " +
		"xswitfly yapily yo-uganda-limited zeropay"
	brands = "" +
		"airtel allpay applepay araka astropay axxi-cash axxi-pin a2a_transfer beeline billplz bitolo bpwallet " +
		"cardpaymentz citizen cnfmo crypto-btg dcp dl dlocal doku-hpp dpbanktransfer fairpay fawry feexpaycard gigadat " +
		"googlepay hayvn hayvn-wdwl helio help2pay ideal_crdz instant-bills-pay ipasspay jvz kashahpp m2p-debit " +
		"m2p-withdrawal mcpayhpp mcpayment mercury moov-money moov-togo mpesa mtn-mobile-money naps netbanking-upi " +
		"next-level-finance nimbbl noda nuvvex nv-apm om-wallet one-collection pagsmile panapay-netbanking panapay-upi " +
		"papara payablhpp payftr-in payhere paymentrush payneteasyhpp payok-payout payok-promptpay payok-upi paypal " +
		"paythrough-upi paytota pix pr-cash pr-creditcard pr-cryptocurrency pr-online ptbs ptn-email ptn-inapp ptn-sms " +
		"pyk-bkmexpress pyk-dana pyk-linkaja pyk-momo pyk-nequipush pyk-ovo pyk-paparawallet pyk-payout pyk-pix pyk-" +
		"promptpay pyk-shopeepay pyk-truemoney pyk-upi pyk-viettelpay pyk-zalopay sepa sepainstant sofortuber stcpay " +
		"stripe-js swifipay-deposit sz-in-imps sz-in-paytm sz-in-upi sz-jp-p2p sz-kr-p2p sz-my-ob sz-th-ob sz-th-qr sz-" +
		"vn-ob sz-vn-p2p tabby tamara togocom trustgate unipayment vcard vouchstar vpayapp_upi webpaygate winnerpay " +
		"xprowirelatam-ted xprowirelatam-cash xprowirelatam-bank-transfer xprowirelatam-bank-slip xprowirelatam-picpay " +
		"xprowirelatam-pix xswitfly yapily yo-uganda-limited zeropay"
	// Codes of ours, and one that methods.md has rows for without listing it.
	ownCodes = "ips crypto-wallet crypto-currency fiat-to-crypto bank-transfer-cuil bank-transfer-curp withdrawal " +
		"peru-payout mobile-money mobile-wallet mobile-collection payretailers"
)

// TestCodes: the catalogue has all the codes that are listed, under their protocols, and no others.
func TestCodes(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	checkout, s2s := strings.Fields(checkoutCodes), strings.Fields(brands)
	require.Len(t, checkout, 144)
	require.Len(t, s2s, 128)
	for _, code := range checkout {
		method, ok := c.Lookup(code)
		require.True(t, ok, code)
		require.True(t, method.ServesProtocol(store.Checkout), code)
		require.Equal(t, slices.Contains(s2s, code), method.ServesProtocol(store.S2SAPM), code)
	}
	for _, code := range s2s {
		method, ok := c.Lookup(code)
		require.True(t, ok, code)
		require.True(t, method.ServesProtocol(store.S2SAPM), code)
	}
	all := slices.Concat(checkout, s2s, strings.Fields(ownCodes))
	slices.Sort(all)
	codes := c.Codes()
	slices.Sort(codes)
	require.Equal(t, slices.Compact(all), codes)
	t.Logf("%d codes", len(codes))
}

// The operations of the codes, by the documents: a code with parameters of a payout only pays out, and all others
// sell (methods.md, "S2S APM `parameters[...]`", and SPEC2).
const (
	payingCodes = "card airtel astropay crypto-btg fairpay hayvn-wdwl help2pay jvz m2p-withdrawal mpesa netbanking-upi " +
		"one-collection papara payftr-in payneteasyhpp paytota ptn-email ptn-sms vcard winnerpay yo-uganda-limited zeropay"
	payoutCodes   = "allpay bitolo mercury mobile-money noda payok-payout payretailers peru-payout pyk-payout withdrawal"
	debitCodes    = "card vcard"
	transferCodes = "card"
)

// TestOperationsOfCodes: each code has the operations that the documents give it, and no others (decision bo).
func TestOperationsOfCodes(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	require.Len(t, c.Codes(), 173)
	for _, code := range c.Codes() {
		in := func(list string) bool { return slices.Contains(strings.Fields(list), code) }
		method, _ := c.Lookup(code)
		require.Equal(t, !in(payoutCodes), method.Serves(store.OpSale), code)
		require.Equal(t, !in(payoutCodes), method.Serves(store.OpAuth), code)
		require.Equal(t, in(payingCodes) || in(payoutCodes), method.Serves(store.OpCredit), code)
		require.Equal(t, in(debitCodes), method.Serves(store.OpDebit), code)
		require.Equal(t, in(transferCodes), method.Serves(store.OpTransfer), code)
		for _, op := range []store.Operation{store.OpCapture, store.OpRefund, store.OpCalc, ""} {
			require.False(t, method.Serves(op), "%s %s", code, op)
		}
	}
}

// TestCatalogueIsWhole: codes are unique, sets are named and used, kinds are used.
func TestCatalogueIsWhole(t *testing.T) {
	t.Parallel()
	seen, used, kinds := map[string]bool{}, map[string]bool{}, map[methods.MethodKind]bool{}
	c := catalogue(t)
	for _, method := range methods.DefaultMethods() {
		require.False(t, seen[method.Code], "%s occurs twice", method.Code)
		seen[method.Code], kinds[method.Kind] = true, true
		require.NotEmpty(t, method.Name, method.Code)
		for _, use := range method.Sets {
			used[use.Set] = true
			_, ok := c.Set(use.Set)
			require.True(t, ok, "%s names no set %s", method.Code, use.Set)
		}
		currencies := &methods.Currencies{}
		for _, code := range method.Currencies {
			_, ok := currencies.Lookup(code)
			require.True(t, ok, "%s %s", method.Code, code)
		}
	}
	for _, set := range c.Sets() {
		require.True(t, used[set], "no method has set %s", set)
	}
	require.Len(t, kinds, len(methods.MethodKinds()))
}

func TestWindows(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	ips, _ := c.Lookup("ips")
	require.Equal(t, []string{"EUR", "RSD", "BAM", "MKD"}, ips.Currencies)
	require.Equal(t, 60, ips.Window)
	require.Equal(t, methods.KindQR, ips.Kind)
	for _, code := range []string{"bank-transfer-cuil", "bank-transfer-curp"} {
		method, _ := c.Lookup(code)
		require.Equal(t, 300, method.Window)
		require.Len(t, method.Missing(nil), 1, "the payer is asked")
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	method := methods.Method{Prompts: []methods.Prompt{
		{Name: "bankDetails.phoneNumber", Label: "Phone"}, {Name: "bankDetails.iban", Label: "IBAN"}}}
	require.Len(t, method.Missing(nil), 2)
	require.Equal(t, method.Prompts[1:],
		method.Missing(map[string]any{"bankDetails": map[string]any{"phoneNumber": "1", "iban": ""}}))
	require.Len(t, method.Missing(map[string]any{"bankDetails": "text"}), 2)
}

// TestCustom: a host's method is JSON and needs no code.
func TestCustom(t *testing.T) {
	t.Parallel()
	var record methods.Method
	require.NoError(t, json.Unmarshal([]byte(`{
		"code": "my_bank", "name": "My bank", "kind": "redirect", "protocols": ["checkout"], "operations": ["SALE"],
		"currencies": ["EUR"], "window": 120,
		"sets": [{"set": "my-bank"}, {"set": "payer-identity", "if_sent": true}],
		"asks": [{"name": "iban", "label": "IBAN"}, {"name": "personal_id", "label": "Personal ID"}],
		"defines": [{"name": "my-bank", "rows": [
			{"path": "iban", "requirement": "cond", "when": "page",
				"rule": {"kind": "pattern", "pattern": "[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}"}},
			{"path": "parts[].amount", "requirement": "req", "rule": {"kind": "decimal", "max": 10, "decimals": 2}}
		]}]
	}`), &record))
	c, err := methods.NewCatalogue(record)
	require.NoError(t, err)
	got, ok := c.Lookup("my_bank")
	require.True(t, ok)
	require.Equal(t, record, got)
	require.Equal(t, "my_bank", c.Codes()[len(c.Codes())-1])
	require.Equal(t, []methods.Fault{
		{Path: "parameters.my_bank.iban", Text: "must match [A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}"},
		{Path: "parameters.my_bank.parts[0].amount", Text: "This value should not be blank."},
	}, c.Check("my_bank", map[string]any{"iban": "x"}, methods.JSON, methods.Context{}))
	again, err := json.Marshal(got)
	require.NoError(t, err)
	var back methods.Method
	require.NoError(t, json.Unmarshal(again, &back))
	require.Equal(t, record, back)
}

// TestReplace: a host's method under a default code replaces the default.
func TestReplace(t *testing.T) {
	t.Parallel()
	c, err := methods.NewCatalogue(methods.Method{Code: "billplz", Name: "Mine", Kind: methods.KindRedirect,
		Operations: []store.Operation{store.OpSale}})
	require.NoError(t, err)
	require.Empty(t, c.Check("billplz", nil, methods.JSON, methods.Context{}))
	require.Len(t, c.Codes(), len(catalogue(t).Codes()))
}

func TestRefusedMethods(t *testing.T) {
	t.Parallel()
	good := methods.Method{Code: "a", Name: "A", Kind: methods.KindCard, Operations: []store.Operation{store.OpSale}}
	for _, tc := range []struct {
		name   string
		change func(*methods.Method)
		text   string
	}{
		{"code", func(m *methods.Method) { m.Code = "a b" }, "the code must be"},
		{"name", func(m *methods.Method) { m.Name = "" }, "the name must be"},
		{"kind", func(m *methods.Method) { m.Kind = "cash" }, `kind "cash"`},
		{"window", func(m *methods.Method) { m.Window = -1 }, "window must be"},
		{"protocol", func(m *methods.Method) { m.Protocols = []store.Protocol{"smtp"} }, `protocol "smtp"`},
		{"operation", func(m *methods.Method) { m.Operations = []store.Operation{"GIVE"} }, `operation "GIVE"`},
		{"operation that begins no payment", func(m *methods.Method) { m.Operations = []store.Operation{store.OpRefund} }, `operation "REFUND"`},
		{"AUTH, which is a sale", func(m *methods.Method) { m.Operations = []store.Operation{store.OpAuth} }, `operation "AUTH"`},
		{"no operations", func(m *methods.Method) { m.Operations = nil }, "operations must be some of [SALE DEBIT TRANSFER CREDIT]"},
		{"set for another operation", func(m *methods.Method) {
			m.Sets = []methods.Use{{Set: "upi-id", Operations: []store.Operation{store.OpCredit}}}
		}, `operation "CREDIT" is not one of the method's`},
		{"currency", func(m *methods.Method) { m.Currencies = []string{"euro"} }, `currency "euro"`},
		{"set", func(m *methods.Method) { m.Sets = []methods.Use{{Set: "none"}} }, `set "none": unknown set`},
		{"spelling", func(m *methods.Method) { m.Sets = []methods.Use{{Set: "upi-id", Spelling: "xml"}} }, `spelling "xml"`},
		{"operation of a set", func(m *methods.Method) { m.Sets = []methods.Use{{Set: "upi-id", Operations: []store.Operation{"x"}}} }, `operation "x"`},
		{"ask", func(m *methods.Method) { m.Prompts = []methods.Prompt{{Name: "x", Label: "X"}} }, `prompt "x"`},
		{"a parameter without a prompt", func(m *methods.Method) { m.Sets = []methods.Use{{Set: "member-id"}} }, `parameter "memberId" of set "member-id"`},
		{"defined set", func(m *methods.Method) { m.Defines = []methods.Set{{Name: "x"}} }, `set "x": it has no rows`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			record := good
			tc.change(&record)
			c, err := methods.NewCatalogue(record)
			require.ErrorContains(t, err, tc.text)
			require.Nil(t, c)
		})
	}
	_, err := methods.NewCatalogue(good, good)
	require.ErrorContains(t, err, `method "a": registered twice`)
	_, err = methods.NewCatalogue(methods.Method{Code: "a b", Window: -1})
	for _, part := range []string{"code", "name", "kind", "window"} {
		require.ErrorContains(t, err, part, "every fault is named")
	}
}

func TestMIDOptions(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	o, err := methods.OptionsOf(map[string]string{
		"account_uuid": "u", "fee_bearer": "merchant",
		"needed_parameters": "shipping.city, cart.items[].name,card-installment",
		"no_document_type":  "SV", "host": "bank.example.com",
	})
	require.NoError(t, err)
	require.Equal(t, methods.MIDOptions{
		AccountUUID: "u", FeeBearer: "merchant", Needed: []string{"shipping.city", "cart.items[].name", "card-installment"},
		NoDocumentType: []string{"SV"},
	}, o)
	require.NoError(t, c.CheckOptions(o))
	require.NoError(t, c.CheckOptions(methods.MIDOptions{}))
	_, err = methods.OptionsOf(map[string]string{"fee_bearer": "nobody", "fee_calculation_method": "x",
		"no_document_type": "Panama"})
	for _, part := range []string{"fee_bearer", "fee_calculation_method", "no_document_type"} {
		require.ErrorContains(t, err, part)
	}
	require.ErrorContains(t, c.CheckOptions(methods.MIDOptions{Needed: []string{"shipping.town"}}),
		`"shipping.town" is neither a parameter`)
}
