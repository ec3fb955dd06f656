package methods

// cardSets returns the sets of SPEC2, "Card method sets".
func cardSets() []Set {
	return []Set{
		{Name: "card-installment", Title: "Card: installment", Doc: "Monthly payments on a card.", Rows: []Row{
			req("bnrg_installm_def", one("00", "01"), "Initial deferral: `01` one month, `00` none."),
			req("bnrg_installm_months", exactly(2), "Number of monthly payments, for example `03`."),
			req("bnrg_installm_plan", one("03", "05", "07"),
				"`03` no interest, `05` with interest, `07` defer only the initial payment."),
		}},
		{Name: "card-tax-document", Title: "Card: tax document", Doc: "The payer's tax document.", Rows: []Row{
			req("document_type", one("cpf"), "Kind of the document."),
			req("document_number", text(), "Number of the document."),
			req("social_name", text(), "Name on the document."),
			req("fiscal_country", is(RuleCountry), "Tax country."),
		}},
		{Name: "card-bank-account-id", Title: "Card: bank account id", Doc: "Belongs to no other parameter: a sample of the tax document has it, without a description.", Rows: []Row{
			opt("toBankAccountId", text(), "Accepted and passed on."),
		}},
		{Name: "card-descriptor", Title: "Card: descriptor", Doc: "Text on the payer's statement.", Rows: []Row{
			opt("descriptor", upTo(20), "The text on the payer's statement."),
		}},
		{Name: "card-phone-shipping", Title: "Card: phone and shipping", Doc: "Phone and shipping address (set 4).", Rows: []Row{
			opt("customer_phone", text(), "Phone number."),
			opt("customer_telnocc", text(), "Country code of the phone number."),
			opt("shipping_street1", text(), "Street of delivery."),
			opt("shipping_city", text(), "City of delivery."),
			opt("shipping_state", text(), "State of delivery."),
			opt("shipping_postcode", num(9), "Postcode of delivery."),
			opt("shipping_country", is(RuleCountry3), "Country of delivery."),
		}},
		{Name: "card-identity-debit", Title: "Card: sender and receiver identity (debit)", Doc: "Who sends and who receives, for debits.", Rows: append(payerIdentity(),
			opt("payee_first_name", text(), "Receiver's first name."),
			opt("payee_last_name", text(), "Receiver's last name."),
			opt("payee_middle_name", text(), "Receiver's middle name."),
			opt("payee_address", text(), "Receiver's address."),
			opt("payee_city", text(), "Receiver's city."),
			opt("payee_state", text(), "Receiver's state."),
			opt("payee_country", text(), "Receiver's country."),
			opt("payee_zip", text(), "Receiver's postcode."),
			opt("payee_phone", text(), "Receiver's phone."),
			opt("payee_birth_date", text(), "Receiver's date of birth."),
			opt("payee_identity_type", text(), "Kind of the receiver's document."),
			opt("payee_identity_id", text(), "Number of the receiver's document."),
			opt("payee_identity_country", text(), "Country that issued the receiver's document."),
			opt("payee_identity_exp_date", text(), "Last day of the receiver's document."),
			opt("payee_nationality", text(), "Receiver's nationality."),
			opt("payee_country_of_birth", text(), "Receiver's country of birth."),
		)},
		{Name: "card-identity-credit", Title: "Card: sender and receiver identity (CREDIT2CARD)", Doc: "Who sends and who receives, for payouts to a card.", Rows: append([]Row{
			{
				Path: "payer_account_number", Requirement: Required, Secret: true,
				Rule: Rule{Kind: RulePAN, Values: []string{"#NA"}},
				Doc:  "Sender's card number, or `#NA` for an independent account. Card data: to be kept sealed.",
			}},
			append(payerIdentity(),
				opt("payee_identity_type", text(), "Kind of the receiver's document."),
				opt("payee_identity_id", text(), "Number of the receiver's document."),
				opt("payee_identity_country", text(), "Country that issued the receiver's document."),
				opt("payee_identity_exp_date", text(), "Last day of the receiver's document."),
				opt("payee_nationality", text(), "Receiver's nationality."),
				opt("payee_country_of_birth", text(), "Receiver's country of birth."),
			)...,
		)},
		{Name: "card-payee-expiry", Title: "Card: payee card expiry (CREDIT2CARD)", Doc: "Expiry of the payee's card in two fields. The fields are card data; connectors get them with the card.", Rows: []Row{
			req("card_exp_month", is(RuleMonth), "Month."),
			req("card_exp_year", is(RuleYear), "Year."),
		}},
		{Name: "card-payee-expiry-single", Title: "Card: payee card expiry, single field", Doc: "Expiry of the payee's card in one field.", Rows: []Row{
			req("expiry", is(RuleMonthYear), "Month and year."),
		}},
		{Name: "card-to-card", Title: "Card: CARD2CARD", Doc: "The payer's identity, for transfers from card to card.", Rows: []Row{
			opt("payer_identity_type", one("1", "2", "3", "4", "5", "6", "7", "8"),
				"`1` passport, `2` driver license, `3` social security number, `4` taxpayer id, `5` national identifier, `6` foreign passport, `7` military id, `8` other."),
			opt("payer_identity_id", text(), "Number of the document."),
			opt("payer_type", one("0", "1", "2", "3"), "`0` unknown, `1` on-us, `2` resident, `3` foreign."),
		}},
	}
}

func payerIdentity() []Row {
	return []Row{
		opt("payer_identity_type", text(), "Kind of the sender's document."),
		opt("payer_identity_id", text(), "Number of the sender's document."),
		opt("payer_identity_country", text(), "Country that issued the sender's document."),
		opt("payer_identity_exp_date", text(), "Last day of the sender's document."),
		opt("payer_nationality", text(), "Sender's nationality."),
		opt("payer_country_of_birth", text(), "Sender's country of birth."),
	}
}
