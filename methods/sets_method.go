package methods

// methodSets returns the sets of SPEC2, "Other method parameter sets" up to the payouts, in its order, and the
// wallet token. Variants for single codes (methods.md) follow their set.
func methodSets() []Set {
	return []Set{
		{Name: "crypto-wallet", Title: "Crypto wallet", Doc: "Crypto with a choice of network.", Rows: []Row{
			opt("network_type", one("eth", "tron"), "Network of the asset.").defaults("eth").where("crypto_type", "USDT"),
			opt("bech32", is(RuleBoolean), "Whether a bech32 address is wanted.").defaults("false"),
			req("crypto_type", text(), "Crypto asset.").example("USDT"),
			opt("accountId", text(), "Account at the provider."),
		}},
		{Name: "crypto-wallet-awcc", Title: "Crypto wallet of awcc", Doc: "As crypto-wallet; methods.md requires neither asset nor account of this code.", Rows: []Row{
			opt("network_type", one("eth", "tron"), "Network of the asset.").defaults("eth").where("crypto_type", "USDT"),
			opt("bech32", is(RuleBoolean), "Whether a bech32 address is wanted.").defaults("false"),
			opt("crypto_type", text(), "Crypto asset.").example("USDT"),
			opt("accountId", text(), "Account at the provider."),
		}},
		{Name: "crypto-currency", Title: "Crypto with chosen currency", Doc: "First form of the set.", Rows: []Row{
			req("cryptoCurrency", text(), "Crypto asset to pay in.").example("BTC"),
		}},
		{Name: "crypto-payment-currency", Title: "Crypto with chosen currency, second form", Doc: "Second form of the set.", Rows: []Row{
			req("payment_currency", one(namedAssets...), "Crypto asset to pay in."),
		}},
		{Name: "crypto-withdrawal", Title: "Crypto withdrawal", Doc: "Where crypto is sent.", Rows: []Row{
			req("address", text(), "Address of the receiver. The connector checks whether it belongs to the network."),
			req("currency", one(namedAssets...), "Crypto asset."),
			req("network", one("BTC", "ETH", "BSC", "TRX"), "Network."),
		}},
		{Name: "fiat-to-crypto", Title: "Fiat-to-crypto conversion", Doc: "What is bought.", Rows: []Row{
			req("toCurrency", is(RuleCurrency), "Currency to convert to.").example("BTC"),
		}},
		{Name: "trading-deposit", Title: "Trading-account deposit", Doc: "Deposit into a trading account.", Rows: []Row{
			req("paymentGatewayName", text(), "Gateway to pay with."),
			req("paymentCurrency", text(), "Currency of the payment.").example("USDT"),
			opt("tradingAccountLogin", text(), "Trading account."),
		}},
		{Name: "trading-withdrawal", Title: "Trading-account withdrawal", Doc: "Withdrawal from a trading account.", Rows: []Row{
			{
				Path: "withdrawCurrency", Requirement: Required, Rule: text(), Alias: "withdrawalCurrency", Example: "USDT",
				Doc: "Currency of the withdrawal. `withdrawalCurrency`, as one sample writes it, is read in its absence.",
			},
			req("address", text(), "Address of the receiver."),
			opt("tradingAccountLogin", text(), "Trading account."),
		}},
		{Name: "bank-account", Title: "Bank account", Doc: "Account to pay from.", Rows: []Row{
			req("bank_code", is(RuleBIC), "SWIFT code of the bank."),
			req("bank_account_number", text(), "Number of the account."),
		}},
		{Name: "national-id-cuil", Title: "National id, bank transfer (CUIL)", Doc: "First of the two methods. The payer is asked when it is absent.", Rows: []Row{
			opt("bank_cuil", text(), "Payer's national id."),
		}},
		{Name: "national-id-curp", Title: "National id, bank transfer (CURP)", Doc: "Second of the two methods. The payer is asked when it is absent.", Rows: []Row{
			opt("bank_curp", text(), "Payer's national id."),
		}},
		{Name: "customer-document", Title: "Customer document", Doc: "The payer's document.", Rows: []Row{
			cond("document_number", text(), "Number of the document."),
			{
				Path: "document_type", Requirement: Conditional, When: WhenNotExempt, Rule: text(),
				Doc: "Kind of the document. Not required in three countries of Central America, which the MID lists; CR, GT and PA by default.",
			},
		}},
		{Name: "customer-document-number", Title: "Customer document, number only", Doc: "As customer-document, for codes without a type.", Rows: []Row{
			cond("document_number", text(), "Number of the document."),
		}},
		{Name: "payer-identity", Title: "Payer identity", Doc: "The payer's id.", Rows: []Row{
			cond("personal_id", text(), "Payer's id."),
		}},
		{Name: "member-id", Title: "Member identifier", Doc: "The payer's membership.", Rows: []Row{
			cond("memberId", text(), "Payer's number at the provider."),
		}},
		{Name: "bank-institution", Title: "Bank institution", Doc: "Bank and account of the payer.", Rows: []Row{
			cond("orgCode", text(), "Code of the institution."),
			cond("accountName", between(1, 64), "Holder of the account. It must equal the real payer's name, which cannot be checked here: left to the connector."),
			cond("accountNumber", text(), "Number of the account. It must equal the actual account, which cannot be checked here: left to the connector."),
		}},
		{Name: "upi-id", Title: "Payer address id", Doc: "First form of the set.", Rows: []Row{
			req("upi_id", text(), "Payer's address."),
		}},
		{Name: "upi-address", Title: "Payer address id, second form", Doc: "Second form of the set.", Rows: []Row{
			req("upiAddress", text(), "Payer's address."),
		}},
		{Name: "link-delivery", Title: "Payment link delivery", Doc: "Methods that send a link by e-mail or SMS.", Rows: []Row{
			opt("SecurityQuestion", text(), "Question the payer is asked."),
			opt("SecurityQuestionAnswer", Rule{Kind: RuleWord, Min: 3, Max: 25}, "Its answer."),
		}},
		{Name: "buy-later-a", Title: "Installment buy-later (A)", Doc: "What the lender wants to know about the payer.", Rows: []Row{
			req("category", text(), "Category of the goods."),
			req("buyer_registered_since", is(RuleDateTime), "When the payer registered."),
			req("buyer_loyalty_level", is(RuleNumber), "Count of previously placed orders.").defaults("0"),
		}},
		{Name: "buy-later-b", Title: "Installment buy-later (B)", Doc: "What the lender wants to know about the order.", Rows: []Row{
			req("shipping_amount", is(RuleNumber), "Cost of shipping."),
			req("tax_amount", is(RuleNumber), "Tax."),
			req("product_reference_id", text(), "Reference of the product."),
			req("product_type", text(), "Kind of the product."),
			req("product_sku", text(), "Stock keeping unit."),
			req("product_amount", is(RuleNumber), "Price of the product."),
		}},
		{Name: "lender-options", Title: "Lender options", Doc: "Each is required for certain lender options only: the MID lists those it needs.", Rows: []Row{
			need("product_reference_id", upTo(64), "Reference of the product."),
			need("product_name", upTo(255), "Name of the product."),
			need("product_quantity", num(4), "Quantity."),
			need("product_sku", text(), "Stock keeping unit."),
			need("product_category", text(), "Category of the product."),
			need("product_url", text(), "Page of the product."),
			need("product_image_url", text(), "Picture of the product."),
			need("product_type", text(), "Kind of the product."),
		}},
		{Name: "open-banking", Title: "Open banking", Doc: "Who is paid, and how the account is identified.", Rows: []Row{
			req("payee_name", text(), "Receiver's name."),
			req("payee_country", text(), "Receiver's country.").example("GB"),
			req("payee_identifications", is(RuleList), "How the receiver's account is identified."),
			req("payee_identifications[].type", one("SORT_CODE", "ACCOUNT_NUMBER", "IBAN", "BBAN", "BIC", "PAN", "MASKED_PAN",
				"MSISDN", "BSB", "NCC", "ABA", "ABA_WIRE", "ABA_ACH", "ROLL_NUMBER", "BLZ", "IFS", "CLABE", "CTN",
				"BRANCH_CODE", "VIRTUAL_ACCOUNT_ID"), "Kind of the identification."),
			req("payee_identifications[].identification", text(),
				"The identification itself. The connector checks whether it is of this kind."),
		}},
		{Name: "mobile-money-attachments", Title: "Mobile money with attachments", Doc: "What goes with a mobile-money payment.", Rows: []Row{
			opt("AccountProviderCode", text(), "Provider of the account."),
			opt("NarrativeFileName", text(), "Name of the attached file.").beside("NarrativeFileBase64"),
			opt("NarrativeFileBase64", Rule{Kind: RuleBase64},
				"Content of the attached file in base64.").beside("NarrativeFileName").example("YQ=="),
			opt("ProviderReferenceText", text(), "Reference for the provider."),
		}},
		{Name: "withdrawal-destination", Title: "Withdrawal destination", Doc: "Account to withdraw to.", Rows: []Row{
			cond("ToAccountNumber", text(), "Number of the account."),
			cond("ToAccountName", text(), "Holder of the account."),
			cond("ToProvince", text(), "Province of the bank."),
			cond("ToCity", text(), "City of the bank."),
			cond("ToBranch", text(), "Branch of the bank."),
			cond("ToAddress", text(), "Address of the bank."),
			cond("Email", text(), "Receiver's e-mail address."),
			cond("Phone", text(), "Receiver's phone."),
		}},
		{Name: "voucher-pin", Title: "Voucher pin", Doc: "The voucher.", Rows: []Row{
			req("pin", Rule{Kind: RuleString, Min: 16, Max: 16}, "Pin of the voucher."),
		}},
		{Name: "phone-topup", Title: "Phone top-up", Doc: "What is topped up.", Rows: []Row{
			opt("productReceiver", text(), "Receiver's phone or contract number."),
		}},
		{Name: "mobile-wallet-sale", Title: "Mobile wallet sale", Doc: "What a mobile wallet requires of the request.", Rows: []Row{
			req("order_id", Rule{Kind: RuleString, Min: 8},
				"The payment identifier, which we read as the merchant's order number.").ofRequest(),
			req("order_amount", is(RuleNumber), "Amount; its format is the protocol's.").ofRequest(),
			req("order_currency", is(RuleCurrency), "Currency.").ofRequest(),
			req("payer_email", is(RuleEmail), "Payer's e-mail address.").ofRequest(),
			cond("payer_phone", text(), "Payer's phone, collected on the form.").ofRequest(),
			opt("fee_bearer", one(feeBearers...), "Who bears the fee: from the MID, the customer by default.").from(OptionFeeBearer).defaults(feeBearers[0]),
		}},
		{Name: "mobile-collection", Title: "Collection by mobile account", Doc: "Money collected from a mobile account.", Rows: []Row{
			req("accountId", text(), "Account of the merchant."),
			req("market", text(), "Market."),
			req("type", one("PULL"), "Direction."),
			req("currency", is(RuleCurrency), "Currency."),
			answered("bankDetails.phoneNumber", text(), "Payer's phone, collected on interaction."),
			answered("bankDetails.otp", text(), "One-time code, collected on interaction."),
		}},
		{Name: "wallet-token", Title: "Wallet token", Doc: "S2S APM with the code of one of the two wallets.", Rows: []Row{
			{
				Path: "paymentToken", Requirement: Required, Rule: is(RuleJSON), Secret: true,
				Doc: "The wallet's token. Its signature and content are checked where it is opened.",
			},
		}},
	}
}
