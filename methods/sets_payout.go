package methods

// payoutSets returns the payout sets of SPEC2: Peruvian bank, gift-style, mobile money.
func payoutSets() []Set {
	return []Set{
		{Name: "peru-payout", Title: "Peruvian bank payout", Doc: "Bank account in Peru.", Rows: []Row{
			req("paymentMethod", upTo(6), "Way of payment."),
			req("cashAccount", upTo(32), "Number of the account."),
			req("cashAccountType", one("CORRIENTE", "AHORROS"), "Kind of the account."),
			req("cci", upTo(20), "Interbank account code."),
			req("name", text(), "Receiver's name."),
			req("email", is(RuleEmail), "Receiver's e-mail address."),
			req("phone", text(), "Receiver's phone."),
			req("idType", one("DNI", "CE", "PAS", "RUC"), "Kind of the receiver's document."),
			req("identity", text(), "Number of the receiver's document."),
		}},
		{Name: "gift-payout", Title: "Gift-style payout", Doc: "Payout with a security question; it restricts fields of the request as well.", Rows: []Row{
			req("payer_first_name", Rule{Kind: RuleJoined, Max: 60, With: "payer_last_name"},
				"First name; with the last name 60 characters at most.").ofRequest(),
			req("payer_last_name", text(), "Last name.").ofRequest().example("Doe"),
			req("payer_email", Rule{Kind: RuleEmail, Max: 60}, "E-mail address, 2..60; one always has more than 2.").ofRequest(),
			req("order_amount", is(RuleNumber), "Amount; its format is the protocol's.").ofRequest(),
			req("order_currency", is(RuleCurrency), "Currency.").ofRequest(),
			req("order_description", between(5, 200), "Description.").ofRequest(),
			req("SecurityQuestion", between(10, 40), "Question the receiver is asked."),
			req("SecurityQuestionAnswer", between(3, 40), "Its answer."),
			req("account_uuid", text(), "Account to pay from; from the MID when it is not sent.").from(OptionAccountUUID),
			req("fee_calculation_method", one(feeCalculationMethods...),
				"How the fee is calculated; from the MID when it is not sent.").
				from(OptionFeeCalculationMethod).defaults(feeCalculationMethods[0]),
		}},
		{
			Name: "mobile-money-payout", Title: "Mobile-money payout", Operators: mobileMoneyOperators(),
			Doc: "Payout to a mobile-money account. Slugs and number patterns of the operators are ours (decision y).",
			Rows: []Row{
				req("mobile_money_operator", is(RuleOperator), "Operator of the country.").example("orange-ci"),
				req("mobile_number", Rule{Kind: RuleOperatorNumber, With: "mobile_money_operator"},
					"Receiver's number.").example("+2250701020304"),
				req("customer_email", is(RuleEmail), "Customer's e-mail address."),
				opt("customer_name", text(), "Customer's name."),
				req("order_amount", Rule{Kind: RuleOperatorAmount, With: "mobile_money_operator"},
					"Amount.").ofRequest().example("2"),
				req("order_currency", is(RuleOperatorCurrency), "Currency.").ofRequest().example("XOF"),
				req("payee_first_name", text(), "Receiver's first name.").ofRequest(),
				req("payee_last_name", text(), "Receiver's last name.").ofRequest(),
				req("payee_email", is(RuleEmail), "Receiver's e-mail address.").ofRequest(),
			},
		},
	}
}
