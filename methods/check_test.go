package methods_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func blank(paths ...string) (faults []methods.Fault) {
	for _, path := range paths {
		faults = append(faults, methods.Fault{Path: path, Text: "This value should not be blank."})
	}
	return faults
}

type tree = map[string]any

func TestRequirements(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	hosted := methods.Context{Stage: methods.Hosted}
	direct := methods.Context{Stage: methods.Direct}
	listed := func(keys ...string) methods.Context {
		return methods.Context{MID: methods.MIDOptions{Needed: keys}}
	}
	from := func(country string, exempt ...string) methods.Context {
		return methods.Context{Request: fields{"payer_country": country},
			MID: methods.MIDOptions{NoDocumentType: exempt}}
	}
	doc := tree{"document_number": "1"}
	for _, tc := range []struct {
		name, code string
		tree       tree
		ctx        methods.Context
		spelling   methods.Spelling
		want       []methods.Fault
	}{
		{"the page collects", "dl", nil, hosted, methods.JSON, nil},
		{"nothing collects", "dl", nil, direct, methods.JSON, blank("parameters.dl.document_number")},
		{"S2S has no page to collect it", "dl", nil, direct, methods.Form, blank("parameters[document_number]")},
		{"required on the page as well", "billplz", tree{"bank_code": "DEUTDEFF"}, hosted, methods.JSON, blank("parameters.billplz.bank_account_number")},
		{"the page does not excuse a wrong value", "pyk-promptpay", tree{"accountName": strings.Repeat("a", 65)}, hosted, methods.JSON,
			[]methods.Fault{{Path: "parameters.pyk-promptpay.accountName", Text: long(64)}}},
		{"document type", "pagsmile", doc, from("BR"), methods.Form, blank("parameters[document_type]")},
		{"document type, country unknown", "pagsmile", doc, direct, methods.Form, blank("parameters[document_type]")},
		{"document type, exempt", "pagsmile", doc, from("PA"), methods.Form, nil},
		{"document type, exempt by the MID", "pagsmile", doc, from("SV", "SV"), methods.Form, nil},
		{"document type, the MID's list replaces ours", "pagsmile", doc, from("PA", "SV"), methods.Form, blank("parameters[document_type]")},
		{"the interaction comes later", "mobile-collection", tree{"accountId": "1", "market": "m", "type": "PULL", "currency": "USD"}, direct, methods.Form, nil},
		{"interaction is over", "mobile-collection", tree{"accountId": "1", "market": "m", "type": "PULL", "currency": "USD", "bankDetails": tree{"otp": "1"}},
			methods.Context{Stage: methods.Collected}, methods.Form, blank("parameters[bankDetails][phoneNumber]")},
		{"the grid is optional", "card", nil, direct, methods.JSON, nil},
		{"the MID needs an item's name", "card", nil, listed("cart.items[].name"), methods.JSON, blank("parameters.card.cart.items[0].name")},
		{"of each item", "card", tree{"cart": tree{"items": []any{tree{"name": "a"}, tree{"sku": "1"}}}}, listed("cart.items[].name"), methods.Form,
			blank("parameters[cart][items][1][name]")},
		{"the MID needs an optional parameter", "card", nil, listed("descriptor"), methods.JSON, blank("parameters.card.descriptor")},
		{"a lender option", "doku-hpp", nil, listed("product_name"), methods.Form, blank("parameters[product_name]")},
		{"a set is left out", "card", nil, direct, methods.JSON, nil},
		{"a set that was begun must be complete", "card", tree{"bnrg_installm_def": "01"}, direct, methods.JSON,
			blank("parameters.card.bnrg_installm_months", "parameters.card.bnrg_installm_plan")},
		{"a parameter of two sets begins neither", "card", tree{"toBankAccountId": "17"}, direct, methods.JSON, nil},
		{"an optional part begins its set", "card", tree{"payer_identity_id": "1"}, methods.Context{Operation: store.OpCredit}, methods.Form,
			blank("parameters[payer_account_number]")},
		{"a closed list", "card", tree{"bnrg_installm_def": "02", "bnrg_installm_months": "03", "bnrg_installm_plan": "07"}, direct, methods.Form,
			[]methods.Fault{{Path: "parameters[bnrg_installm_def]", Text: "must be one of 00, 01"}}},
		{"the MID needs a set", "card", nil, listed("card-payee-expiry-single"), methods.JSON, blank("parameters.card.expiry")},
		{"an empty list is absent", "yapily", tree{"payee_name": "a", "payee_country": "GB", "payee_identifications": []any{}}, direct, methods.JSON,
			blank("parameters.yapily.payee_identifications")},
		{"null and empty text are absent", "sz-in-upi", tree{"upiAddress": nil}, direct, methods.JSON, blank("parameters.sz-in-upi.upiAddress")},
		{"an element has no value", "yapily", tree{"payee_name": "a", "payee_country": "GB", "payee_identifications": []any{tree{"type": "IBAN"}}}, direct, methods.Form,
			blank("parameters[payee_identifications][0][identification]")},
		{"a default is no fault", "tabby", tree{"category": "a", "buyer_registered_since": "2026-01-31T12:00:00Z"}, direct, methods.JSON, nil},
		{"unknown parameters", "dl", tree{"document_number": "1", "colour": "red", "x": tree{"y": []any{true}}}, direct, methods.JSON, nil},
		{"unknown code", "no-such-code", tree{"a": "b"}, direct, methods.JSON, nil},
		{"code without sets", "paypal", tree{"a": "b"}, direct, methods.JSON, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, c.Check(tc.code, tc.tree, tc.spelling, tc.ctx))
		})
	}
}

// TestOperations: a code has different parameters for a sale and for a payout, on Checkout and on S2S.
func TestOperations(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	for _, tc := range []struct {
		name, code string
		op         store.Operation
		spelling   methods.Spelling
		faults     int
	}{
		{"sale", "papara", store.OpSale, methods.Form, 1},
		{"authorization", "papara", store.OpAuth, methods.Form, 1},
		{"payout", "papara", store.OpCredit, methods.Form, 3},
		{"link sale", "ptn-email", store.OpSale, methods.Form, 0},
		{"link payout", "ptn-email", store.OpCredit, methods.Form, 3},
		{"pin on S2S", "axxi-pin", store.OpSale, methods.Form, 1},
		{"pin in a charge without a page", "axxi-pin", store.OpSale, methods.JSON, 1},
		{"crypto on S2S", "hayvn", store.OpSale, methods.Form, 1},
		{"crypto in a charge without a page", "hayvn", store.OpSale, methods.JSON, 1},
		{"wallet token on S2S", "applepay", store.OpSale, methods.Form, 1},
		{"wallet token on Checkout", "applepay", store.OpSale, methods.JSON, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, c.Check(tc.code, nil, tc.spelling, methods.Context{Operation: tc.op}), tc.faults)
		})
	}
}

// TestAskedOnThePage: a parameter that the page asks for may be missing in a session, and only there (decision
// bo).
func TestAskedOnThePage(t *testing.T) {
	t.Parallel()
	c, asked := catalogue(t), 0
	for _, code := range c.Codes() {
		method, _ := c.Lookup(code)
		for _, ask := range method.Prompts {
			for _, op := range method.Operations {
				at := func(stage methods.Stage) (missing []string) {
					for _, fault := range c.Check(code, nil, methods.JSON, methods.Context{Operation: op, Stage: stage}) {
						missing = append(missing, fault.Path)
					}
					return missing
				}
				path := "parameters." + code + "." + ask.Name
				require.NotContains(t, at(methods.Hosted), path)
				if strings.HasPrefix(ask.Name, "bank_cu") { // optional, but asked for
					continue
				}
				require.Contains(t, at(methods.Direct), path)
				asked++
			}
		}
	}
	require.Greater(t, asked, 30)
}

func TestEveryFailureIsNamed(t *testing.T) {
	t.Parallel()
	got := catalogue(t).Check("card", tree{
		"descriptor": strings.Repeat("d", 21),
		"shipping":   tree{"country": "Spain", "cost": "12,5678901234"},
		"cart":       tree{"items": []any{tree{"quantityUnit": "L"}, tree{"price": json.Number("1.5"), "productUrl": "x"}}},
	}, methods.Form, methods.Context{})
	require.Equal(t, []methods.Fault{
		{Path: "parameters[descriptor]", Text: long(20)},
		{Path: "parameters[shipping][country]", Text: "must be an alpha-2 country code, like US"},
		{Path: "parameters[shipping][cost]", Text: "must have only digits"},
		{Path: "parameters[cart][items][0][quantityUnit]", Text: "must be one of M, CM, KG, G, COUNT"},
		{Path: "parameters[cart][items][1][price]", Text: "must have only digits"},
		{Path: "parameters[cart][items][1][productUrl]", Text: "must be an http or https URL without user information"},
	}, got)
}

// TestFaultOnce: a fault that two sets find is reported once.
func TestFaultOnce(t *testing.T) {
	t.Parallel()
	got := catalogue(t).Check("card", tree{"cart": "text"}, methods.JSON, methods.Context{})
	require.Equal(t, []methods.Fault{{Path: "parameters.card.cart", Text: "must be an object"}}, got)
}

func TestAlternatives(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	inr := tree{"account_holder_firstname": "a", "account_holder_lastname": "b", "bank_name": "c", "account_no": "1",
		"ifsc_code": "d"}
	brl := tree{"mode_of_payout": "pix", "account_holder_firstname": "a", "account_holder_lastname": "b", "tax_id": "1"}
	ctx := methods.Context{Operation: store.OpCredit}
	require.Empty(t, c.Check("bitolo", inr, methods.Form, ctx))
	require.Empty(t, c.Check("bitolo", brl, methods.Form, ctx))
	delete(brl, "tax_id")
	require.Equal(t, blank("parameters[tax_id]"), c.Check("bitolo", brl, methods.Form, ctx),
		"the closer alternative is reported")
}

func TestAlias(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	ctx := methods.Context{}
	old := tree{"withdrawalCurrency": "USDT", "address": "a"}
	require.Empty(t, c.Check("m2p-withdrawal", old, methods.Form, ctx))
	require.Equal(t, "USDT", c.Complete("m2p-withdrawal", old, methods.Form, ctx)["withdrawCurrency"])
	require.NotContains(t, old, "withdrawCurrency", "the tree that was sent is unchanged")
	both := tree{"withdrawalCurrency": "USDT", "withdrawCurrency": "BTC", "address": "a"}
	require.Equal(t, "BTC", c.Complete("m2p-withdrawal", both, methods.Form, ctx)["withdrawCurrency"])
	require.Equal(t, blank("parameters[withdrawCurrency]"),
		c.Check("m2p-withdrawal", tree{"address": "a"}, methods.Form, ctx))
	require.Equal(t, []methods.Fault{{Path: "parameters[withdrawalCurrency]", Text: "must be a single value"}},
		c.Check("m2p-withdrawal", tree{"withdrawalCurrency": []any{"a"}, "address": "a"}, methods.Form, ctx),
		"as the caller spells it")
}

func TestComplete(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	cart := tree{"cart": tree{"items": []any{tree{"name": "a"}, tree{"quantityUnit": "KG"}}, "colour": "red"},
		"other": true}
	require.Equal(t, tree{
		"cart": tree{"items": []any{tree{"name": "a", "quantityUnit": "COUNT"}, tree{"quantityUnit": "KG"}},
			"colour": "red"},
		"other": true,
	}, c.Complete("card", cart, methods.JSON, methods.Context{}))
	require.Equal(t, tree{"name": "a"}, cart["cart"].(tree)["items"].([]any)[0], "the tree that was sent is unchanged")
	require.Empty(t, c.Complete("card", nil, methods.JSON, methods.Context{}))
	require.Equal(t, tree{"crypto_type": "USDT", "network_type": "eth", "bech32": "false"},
		c.Complete("crypto-wallet", tree{"crypto_type": "USDT"}, methods.JSON, methods.Context{}))
	require.Equal(t, tree{"fee_bearer": "customer"}, c.Complete("mobile-wallet", nil, methods.JSON, methods.Context{}))
	mid := methods.Context{MID: methods.MIDOptions{AccountUUID: "u", FeeBearer: "merchant"}}
	require.Equal(t, tree{"fee_bearer": "merchant"}, c.Complete("mobile-wallet", nil, methods.JSON, mid))
	require.Equal(t, tree{"account_uuid": "u", "fee_calculation_method": "account_level"},
		c.Complete("allpay", nil, methods.Form, mid))
}

// TestMIDStandsIn: a parameter that the MID sets need not be sent. When it is sent it is checked and wins.
func TestMIDStandsIn(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	set, _ := c.Set("gift-payout")
	e := exampleOf(set.Set())
	delete(e.tree, "account_uuid")
	require.Equal(t, blank("parameters[account_uuid]"), set.Check(e.tree, methods.Form, e.ctx))
	e.ctx.MID.AccountUUID = "u"
	require.Empty(t, set.Check(e.tree, methods.Form, e.ctx))
	e.tree["fee_calculation_method"] = "none"
	require.Equal(t, []methods.Fault{{Path: "parameters[fee_calculation_method]",
		Text: "must be one of account_level, transaction_level"}},
		set.Check(e.tree, methods.Form, e.ctx))
}

// TestManyFaults: the number of faults in an answer is bounded.
func TestManyFaults(t *testing.T) {
	t.Parallel()
	items := make([]any, 5000)
	for i := range items {
		items[i] = tree{"quantity": "x"}
	}
	require.Len(t, catalogue(t).Check("card", tree{"cart": tree{"items": items}}, methods.Form, methods.Context{}),
		methods.MaxFaults)
}

func TestRegisteredCurrency(t *testing.T) {
	t.Parallel()
	crypto, err := methods.NewCurrencies(methods.Currency{Code: "LTC", Exponent: 8})
	require.NoError(t, err)
	c := catalogue(t)
	require.Len(t, c.Check("fiat-to-crypto", tree{"toCurrency": "LTC"}, methods.JSON, methods.Context{}), 1)
	require.Empty(t, c.Check("fiat-to-crypto", tree{"toCurrency": "LTC"}, methods.JSON,
		methods.Context{Currencies: crypto}))
}
