package methods

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// DefaultMethods returns the methods of methods.md, in its order, and after them those whose codes are ours,
// because the specification describes them without a code (decision y). Display names are plain readings of the
// codes; kinds are what the codes suggest.
func DefaultMethods() []Method {
	return slices.Concat(cardMethods(), listedMethods(), payoutMethods(), ownMethods())
}

func cardMethods() []Method {
	return []Method{{
		Code: "card", Name: "Card", Kind: KindCard, Protocols: []store.Protocol{store.Checkout, store.S2SCard},
		Operations: slices.Clone(charges),
		Sets: []Use{
			sent("card-installment"), sent("card-tax-document"), use("card-bank-account-id"), use("card-descriptor"),
			use("card-phone-shipping"),
			use("card-identity-debit").debit(),
			sent("card-identity-credit").payout(),
			sent("card-payee-expiry").payout(), sent("card-payee-expiry-single").payout(),
			use("card-to-card").transfer(),
			use("shipping"), use("cart"), use("cart-payments"), use("marketplace"),
		},
	}}
}

// ownMethods have codes of ours. A host may use the same sets under its own codes.
func ownMethods() []Method {
	return []Method{
		method("ips", "IPS", KindQR, onBoth).in("EUR", "RSD", "BAM", "MKD").window(60),
		method("crypto-wallet", "Crypto wallet", KindCrypto, onBoth, use("crypto-wallet")),
		method("crypto-currency", "Crypto", KindCrypto, onBoth, use("crypto-currency")),
		method("fiat-to-crypto", "Fiat to crypto", KindCrypto, onBoth, use("fiat-to-crypto")),
		method("bank-transfer-cuil", "Bank transfer", KindDetails, onBoth, use("national-id-cuil")).
			prompts(Prompt{Name: "bank_cuil", Label: "CUIL"}).window(300),
		method("bank-transfer-curp", "Bank transfer", KindDetails, onBoth, use("national-id-curp")).
			prompts(Prompt{Name: "bank_curp", Label: "CURP"}).window(300),
		method("withdrawal", "Withdrawal", KindPayout, onBoth, use("withdrawal-destination")).only(store.OpCredit).prompts(
			Prompt{Name: "ToAccountNumber", Label: "Account number"}, Prompt{Name: "ToAccountName", Label: "Account holder"},
			Prompt{Name: "ToProvince", Label: "Province"}, Prompt{Name: "ToCity", Label: "City"},
			Prompt{Name: "ToBranch", Label: "Branch"}, Prompt{Name: "ToAddress", Label: "Address"},
			Prompt{Name: "Email", Label: "E-mail"}, Prompt{Name: "Phone", Label: "Phone"},
		),
		method("peru-payout", "Bank payout", KindPayout, onS2S, use("peru-payout")).only(store.OpCredit),
		method("mobile-money", "Mobile money", KindPayout, onS2S, use("mobile-money-payout")).
			in("GHS", "KES", "XOF", "XAF", "TZS", "EGP").only(store.OpCredit),
		method("mobile-wallet", "Mobile wallet", KindConfirmation, onBoth, use("mobile-wallet-sale")),
		method("mobile-collection", "Mobile account", KindConfirmation, onBoth, use("mobile-collection")),
	}
}

// payoutMethods only pay out.
func payoutMethods() []Method {
	return []Method{
		method("allpay", "Allpay", KindPayout, onS2S, use("gift-payout")).only(store.OpCredit),
		method("mercury", "Mercury", KindPayout, onS2S, use("mercury-payout")).only(store.OpCredit),
		method("noda", "Noda", KindPayout, onS2S, use("noda-payout")).only(store.OpCredit),
		method("payok-payout", "PayOK payout", KindPayout, onS2S, use("payok-payout")).only(store.OpCredit),
		method("payretailers", "PayRetailers", KindPayout, onS2S, use("payretailers-payout")).only(store.OpCredit),
		method("pyk-payout", "PYK payout", KindPayout, onS2S, use("payok-payout")).only(store.OpCredit),
	}
}
