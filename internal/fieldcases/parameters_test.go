package fieldcases_test

import (
	"regexp"
	"slices"
	"strings"
)

// The sets of parameters (SPEC2, "Card method sets" to "Other method parameter sets"; methods.md).

var parameterDoors = slices.Concat(
	[]door{
		{name: "SALE with parameters", method: "POST", path: "/post", form: true, sign: card1, base: sale("SALE"),
			fields: inForm(cardParameters)},
		{name: "purchase with parameters", method: "POST", path: "/api/v1/session", sign: bySession,
			base: session("purchase"), fields: inJSON("card", cardParameters)},
	},
	brandDoors(),
)

// brandDoors are the methods of the table, each on S2S and, if Checkout has it too, with a session.
func brandDoors() (doors []door) {
	for _, m := range methodSets {
		action, sign := "SALE", apmSale
		if m.payout {
			action, sign = "CREDIT2VIRTUAL", apmCredit
		}
		base := []any{"action", action, "brand", m.code}
		full := []any{"methods", []any{m.code}}
		for _, x := range m.fields {
			if x.need {
				base = append(base, "parameters["+x.name+"]", x.tries[0].value)
				full = append(full, "parameters."+m.code+"."+x.name, x.tries[0].value)
			}
		}
		if !m.checkoutOnly {
			doors = append(doors, door{name: m.code + " " + action, method: "POST", path: "/post-va", form: true, sign: sign,
				base: apm(base...), fields: inForm(m.fields)})
		}
		if !m.payout && !m.s2sOnly {
			doors = append(doors, door{name: m.code, method: "POST", path: "/api/v1/session", sign: bySession,
				base: session("purchase", full...), fields: inJSON(m.code, m.fields)})
		}
	}
	return doors
}

var step = regexp.MustCompile(`\.(\d+)`)

// inForm names parameters as S2S does.
func inForm(list []field) []field {
	return renamed(list, func(name string) (string, string) {
		name = "parameters[" + strings.ReplaceAll(name, ".", "][") + "]"
		return name, name
	})
}

// inJSON names parameters as Checkout does. Parameters that the page asks for are optional.
func inJSON(code string, list []field) []field {
	list = renamed(list, func(name string) (string, string) {
		name = "parameters." + code + "." + name
		return name, step.ReplaceAllString(name, "[$1]")
	})
	for i := range list {
		list[i].need = list[i].need && !list[i].page
		list[i].typed = false // numbers and booleans count as their texts, because forms have only texts
	}
	return list
}

func renamed(list []field, to func(string) (string, string)) []field {
	list = slices.Clone(list)
	for i := range list {
		list[i].name, list[i].under = to(list[i].name)
	}
	return list
}

// an is printable text up to a length (decision x).
func an(name string, most int) field { return text(1, most)(f(name)) }

// n is digits up to a length.
func n(name string, most int) field {
	return f(name).takes("1", strings.Repeat("1", most)).refuses(strings.Repeat("1", most+1), "-1", "1.5", "ab", "１").
		structured()
}

// dec is a decimal number with up to ten digits and two decimals.
func dec(name string) field {
	return f(name).takes("1", "1.5", "1234567890.12").refuses("12345678901", "1.234", "ab", "1,5", "-1").structured()
}

// letters is up to as many letters as the example has (decision x).
func letters(name, example string) field {
	return f(name).takes(example).refuses(example+"A", example[1:]+"1").structured()
}

// cardParameters are those of cards. Each is optional unless the acquirer needs it (decision w).
var cardParameters = slices.Concat(
	[]field{an("descriptor", 20), f("shipping_postcode").takes("123456789").refuses("1234567890").structured()},
	[]field{
		an("shipping.street1", 100), an("shipping.street2", 100), an("shipping.houseNumber1", 100),
		an("shipping.houseNumber2", 100), an("shipping.city", 80),
		an("shipping.state", 50), an("shipping.postcode", 16), letters("shipping.country", "DE"), an("shipping.method", 30),
		n("shipping.cost", 13),
		an("shipping.comment", 160), an("shipping.logisticsProvider", 255), an("shipping.trackingNumber", 255),
		an("shipping.returnTrackingNumber", 255), an("shipping.normalized", 255), an("shipping.validationStatus", 255),
		an("shipping.warehouse", 100),
		an("shipping.preference", 21), an("shipping.companyName", 60), an("shipping.phone", 25), an("shipping.workPhone",
			25), an("shipping.mobile", 25),
		f("shipping.expectedDate").takes("2027-04-01").refuses("2027-04-011").structured(),
		f("shipping.type").takes("return", "shipment").refuses("other").structured(),
		f("shipping.email").takes("a@b.co").refuses(long(129)).structured(),
	},
	items,
	[]field{
		an("cart.payments.0.name", 255), f("cart.payments.0.type").takes("GIFTCARD", "PROMOTION").refuses("other").
			structured(), dec("cart.payments.0.amount"),
		letters("cart.payments.0.currency", "USD"), f("cart.payments.0.status").takes("pending", "authorized", "captured").
			refuses("other").structured(),
		an("cart.payments.0.brand", 255), f("cart.payments.0.primary").takes("true", "false").refuses("maybe").structured(),
		an("marketPlace.sellers.0.id", 255), n("marketPlace.sellers.0.amount", 13),
	},
)

var items = []field{
	an("cart.items.0.name", 255), an("cart.items.0.merchantItemId", 255), n("cart.items.0.quantity", 5),
	an("cart.items.0.type", 255), an("cart.items.0.sku", 255),
	letters("cart.items.0.currency", "USD"), an("cart.items.0.description", 2048), n("cart.items.0.commodityCode", 8),
	an("cart.items.0.commodityDescription", 50),
	an("cart.items.0.originalPrice", 255), n("cart.items.0.price", 13), n("cart.items.0.totalAmount", 13),
	n("cart.items.0.taxAmount", 13),
	n("cart.items.0.totalTaxAmount", 13), an("cart.items.0.tax", 6), an("cart.items.0.taxCategory", 2),
	dec("cart.items.0.shipping"), n("cart.items.0.discount", 13),
	an("cart.items.0.giftMessage", 255), an("cart.items.0.shippingMethod", 255), an("cart.items.0.shippingInstructions",
		255),
	an("cart.items.0.shippingTrackingNumber", 255), f("cart.items.0.quantityUnit").takes("M", "CM", "KG", "G", "COUNT").
		refuses("other", "kg").structured(),
	f("cart.items.0.productUrl").takes("https://shop.example/").refuses("no url").structured(),
	f("cart.items.0.imageUrl").takes("https://shop.example/").refuses("no url").structured(),
	dec("cart.items.0.totalDiscountAmount"),
	an("cart.items.0.productCode", 30), an("cart.items.0.partNumber", 30), n("cart.items.0.itemNumber", 3),
	an("cart.items.0.vatReferenceNumber", 30),
	an("cart.items.0.sellerId", 255), f("cart.items.0.deliveryDate").takes("2027-04-01").refuses("2027-04-011").
		structured(),
	an("cart.items.0.recipient.salutation", 5), an("cart.items.0.recipient.firstName", 48),
	an("cart.items.0.recipient.middleName", 50),
	an("cart.items.0.recipient.lastName", 48), an("cart.items.0.recipient.apartment", 100),
	an("cart.items.0.recipient.street", 100),
	an("cart.items.0.recipient.address", 100), an("cart.items.0.recipient.city", 80), an("cart.items.0.recipient.state",
		50),
	an("cart.items.0.recipient.postcode", 16), f("cart.items.0.recipient.country").takes("DE", "276").refuses("D", "DEU",
		"27", "2766").structured(),
	n("cart.items.0.recipient.phone", 25), f("cart.items.0.recipient.email").takes("a@b.co").refuses(long(129)).
		structured(),
}

// word is a text without a particular form.
func word(name string) field { return f(name).takes("x1").structured() }

// onPage is a parameter that the hosted page asks for, and that S2S requires.
func (x field) onPage() field { x.need, x.page = true, true; return x }

// methodSets are methods with their own parameters. The first value of a required one is in the request.
var methodSets = []struct {
	code                          string
	payout, s2sOnly, checkoutOnly bool
	fields                        []field
}{
	{code: "billplz", fields: []field{f("bank_code").takes("DEUTDEFF", "DEUTDEFF500").refuses("DEUTDEF", "DEUTDEFF50",
		"DEUT EFF").structured().required(), word("bank_account_number").required()}},
	{code: "hayvn", fields: []field{f("payment_currency").takes("BTC", "ETH", "USDC", "USDT").refuses("USD", "btc").
		structured().onPage()}},
	{code: "hayvn-wdwl", s2sOnly: true, fields: []field{
		word("address").required(), f("currency").takes("BTC", "ETH", "USDC", "USDT").refuses("USD", "btc").structured().
			required(),
		f("network").takes("BTC", "ETH", "BSC", "TRX").refuses("x").structured().required(),
	}},
	{code: "m2p-debit", fields: []field{word("paymentGatewayName").required(), word("paymentCurrency").required(),
		word("tradingAccountLogin")}},
	{code: "pyk-bkmexpress", fields: []field{
		word("orgCode").onPage(), word("accountNumber").onPage(),
		f("accountName").takes("A", long(64)).refuses(long(65)).structured().onPage(),
	}},
	{code: "pyk-upi", fields: []field{word("personal_id").onPage()}},
	{code: "dlocal", fields: []field{word("document_number").onPage()}},
	{code: "papara", checkoutOnly: true, fields: []field{word("memberId").onPage()}},
	{code: "paythrough-upi", fields: []field{word("upi_id").required()}},
	{code: "sz-in-upi", fields: []field{word("upiAddress").required()}},
	{code: "ptn-email", fields: []field{word("SecurityQuestion"), f("SecurityQuestionAnswer").takes("abc", long(25)).
		refuses("ab", long(26), "a b c").structured()}},
	{code: "ptn-email", payout: true, fields: []field{
		an("CustomerName", 60).required(), f("Email").takes("a@b.co").refuses(long(51)).structured(), an("SecurityQuestion",
			40).required(),
		f("SecurityQuestionAnswer").takes("abc", long(25)).refuses("ab", long(26), "a b c").structured().required(),
	}},
	{code: "awcc", checkoutOnly: true, fields: []field{
		f("network_type").takes("eth", "tron").refuses("x", "ETH").structured(), f("bech32").takes("true", "false").
			refuses("maybe").structured(),
	}},
	{code: "axxi-pin", fields: []field{f("pin").takes("1234567890123456").refuses("123456789012345",
		"12345678901234567").structured().onPage()}},
	{code: "tabby", fields: []field{
		word("category").required(), f("buyer_registered_since").takes("2020-01-01T00:00:00Z").refuses("yesterday",
			"2020-13-01T00:00:00Z").structured().required(),
		f("buyer_loyalty_level").takes("0", "12").refuses("x", "-1").structured(), // its default is 0
	}},
	{code: "tamara", fields: []field{
		f("shipping_amount").takes("1", "1.50").refuses("x").structured().required(), f("tax_amount").takes("0", "1.50").
			refuses("x").structured().required(),
		f("product_amount").takes("1", "1.50").refuses("x").structured().required(),
		word("product_reference_id").required(), word("product_type").required(), word("product_sku").required(),
	}},
	{code: "doku-hpp", fields: []field{
		an("product_reference_id", 64), an("product_name", 255), f("product_quantity").takes("1", "9999").refuses("10000",
			"x").structured(),
		word("product_sku"), word("product_category"), word("product_type"),
	}},
	{code: "yo-uganda-limited", fields: []field{word("AccountProviderCode"), word("NarrativeFileName"),
		word("ProviderReferenceText")}},
	{code: "astropay", payout: true, fields: []field{f("country").takes("BR").refuses("B", "BRA").structured().
		required(), an("merchant_user_id", 64).required(), an("phone", 50).required()}},
	{code: "noda", payout: true, fields: []field{word("iban").required(), word("beneficiaryName").required()}},
	{code: "help2pay", payout: true, fields: []field{
		an("ClientIP", 80).required(), an("bankCode", 50).required(), an("toBankAccountName", 50).required(),
		word("toBankAccountNumber").required(),
		an("toProvince", 200), an("toCity", 200),
	}},
	{code: "pyk-payout", payout: true, fields: []field{
		an("countryCode", 4).required(), word("number").required(), an("orgId", 20).required(), an("orgCode", 20).
			required(), an("orgName", 45).required(),
		an("holderName", 200).required(), an("firstName", 20).required(), an("lastName", 20).required(), f("email").
			takes("a@b.co").refuses(long(46)).structured().required(),
		word("phone").required(), an("personalId", 12), an("personalType", 10), an("accountType", 10),
		// required under a condition that no document names
	}},
	{code: "payneteasyhpp", payout: true, fields: []field{
		an("last_name", 128).required(), an("payee_first_name", 128).required(), an("payee_last_name", 128).required(),
		word("phone").required(),
		word("account_number").required(), an("account_name", 128).required(), an("payee_phone", 128).required(),
		f("payee_email").takes("a@b.co").refuses(long(129)).structured().required(), an("bank_name", 255).required(),
		an("bank_code", 32).required(),
		an("payee_country", 3).required(),
	}},
	{code: "mpesa", payout: true, fields: []field{word("CommandID").required(), word("PartyB").required()}},
}
