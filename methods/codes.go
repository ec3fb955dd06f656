package methods

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// DefaultMethods are the codes of methods.md, in its order, and after them those that are ours because
// the specification names a shape without a code (decision y). Display names are plain readings of the
// codes; kinds are what the codes tell.
func DefaultMethods() []Method {
	return slices.Concat(cardMethods(), listedMethods(), payoutMethods(), ownMethods())
}

// Where a code is listed: under Checkout, under S2S APM, or under both.
const (
	onCheckout = "C"
	onS2S      = "S"
	onBoth     = "CS"
)

// method is a code that sells and, where the documents have parameters for it, pays out: what they do not tell of
// a code it does not do (decision bo). A host whose acquirer does more registers a record of its own under the code.
func method(code, name string, kind MethodKind, where string, uses ...Use) Method {
	m := Method{Code: code, Name: name, Kind: kind, Sets: uses, Operations: []store.Operation{store.OpSale}}
	if slices.ContainsFunc(uses, func(u Use) bool { return slices.Contains(u.Operations, store.OpCredit) }) {
		m.Operations = append(m.Operations, store.OpCredit)
	}
	if where != onS2S {
		m.Protocols = append(m.Protocols, store.Checkout)
	}
	if where != onCheckout {
		m.Protocols = append(m.Protocols, store.S2SAPM)
	}
	return m
}

// use takes a set always, sent only when something of it is sent.
func use(set string) Use { return Use{Set: set} }

func sent(set string) Use { return Use{Set: set, IfSent: true} }

func (u Use) in(s Spelling) Use { u.Spelling = s; return u }

func (u Use) of(group string) Use { u.Group = group; return u }

func (u Use) sale() Use { u.Operations = []store.Operation{store.OpSale}; return u }

func (u Use) debit() Use { u.Operations = []store.Operation{store.OpDebit}; return u }

func (u Use) transfer() Use { u.Operations = []store.Operation{store.OpTransfer}; return u }

func (u Use) payout() Use { u.Operations = []store.Operation{store.OpCredit}; return u }

func (m Method) asks(asks ...Ask) Method { m.Asks = append(m.Asks, asks...); return m }

func (m Method) window(seconds int) Method { m.Window = seconds; return m }

func (m Method) in(currencies ...string) Method { m.Currencies = currencies; return m }

func (m Method) only(operations ...store.Operation) Method { m.Operations = operations; return m }

// What the page asks for.

func askDocumentNumber() Ask { return Ask{Name: "document_number", Label: "Document number"} }

func askPersonalID() Ask { return Ask{Name: "personal_id", Label: "Personal ID"} }

func askInstitution() []Ask {
	return []Ask{
		{Name: "orgCode", Label: "Bank code"},
		{Name: "accountName", Label: "Account holder", Pattern: ".{1,64}"},
		{Name: "accountNumber", Label: "Account number"},
	}
}

func cardMethods() []Method {
	return []Method{{
		Code: "card", Name: "Card", Kind: KindCard, Protocols: []store.Protocol{store.Checkout, store.S2SCard},
		Operations: slices.Clone(charges),
		Sets: []Use{
			sent("card-installment"), sent("card-tax-document"), use("card-bank-account-id"), use("card-descriptor"), use("card-phone-shipping"),
			use("card-identity-debit").debit(),
			sent("card-identity-credit").payout(),
			sent("card-payee-expiry").payout(), sent("card-payee-expiry-single").payout(),
			use("card-to-card").transfer(),
			use("shipping"), use("cart"), use("cart-payments"), use("marketplace"),
		},
	}}
}

// ownMethods have codes of ours; a host may register the same sets under its own.
func ownMethods() []Method {
	return []Method{
		method("ips", "IPS", KindQR, onBoth).in("EUR", "RSD", "BAM", "MKD").window(60),
		method("crypto-wallet", "Crypto wallet", KindCrypto, onBoth, use("crypto-wallet")),
		method("crypto-currency", "Crypto", KindCrypto, onBoth, use("crypto-currency")),
		method("fiat-to-crypto", "Fiat to crypto", KindCrypto, onBoth, use("fiat-to-crypto")),
		method("bank-transfer-cuil", "Bank transfer", KindDetails, onBoth, use("national-id-cuil")).
			asks(Ask{Name: "bank_cuil", Label: "CUIL"}).window(300),
		method("bank-transfer-curp", "Bank transfer", KindDetails, onBoth, use("national-id-curp")).
			asks(Ask{Name: "bank_curp", Label: "CURP"}).window(300),
		method("withdrawal", "Withdrawal", KindPayout, onBoth, use("withdrawal-destination")).only(store.OpCredit).asks(
			Ask{Name: "ToAccountNumber", Label: "Account number"}, Ask{Name: "ToAccountName", Label: "Account holder"},
			Ask{Name: "ToProvince", Label: "Province"}, Ask{Name: "ToCity", Label: "City"},
			Ask{Name: "ToBranch", Label: "Branch"}, Ask{Name: "ToAddress", Label: "Address"},
			Ask{Name: "Email", Label: "E-mail"}, Ask{Name: "Phone", Label: "Phone"},
		),
		method("peru-payout", "Bank payout", KindPayout, onS2S, use("peru-payout")).only(store.OpCredit),
		method("mobile-money", "Mobile money", KindPayout, onS2S, use("mobile-money-payout")).
			in("GHS", "KES", "XOF", "XAF", "TZS", "EGP").only(store.OpCredit),
		method("mobile-wallet", "Mobile wallet", KindConfirmation, onBoth, use("mobile-wallet-sale")),
		method("mobile-collection", "Mobile account", KindConfirmation, onBoth, use("mobile-collection")),
	}
}

// payoutMethods serve payouts and nothing else.
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
