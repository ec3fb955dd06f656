package vcard

import (
	"cmp"
	"net/url"

	"github.com/tollgatepay/gateway/methods"
)

// TestNetwork is the network of a payment in crypto that names none.
const TestNetwork = "ERC20"

// maxNetwork is how long the name of a network may be, in characters (s2s_apm.md, crypto_network).
const maxNetwork = 50

// networkOf returns the network of a payment in crypto; empty for other methods.
func networkOf(op methods.Operation) string {
	if op.MethodKind != methods.KindCrypto {
		return ""
	}
	return plain(cmp.Or(op.CryptoNetwork, texts(op)["network_type"], TestNetwork), maxNetwork)
}

// address is not a real one: no network has addresses of this form.
func address(e Entry) string { return "test" + hash(e.Reference)[:32] }

// walletText returns the content of the QR code: network:address?amount=10.00, without the amount when the payer
// chooses it.
func walletText(e Entry) string {
	text := url.PathEscape(e.Network) + ":" + address(e)
	if e.chosen() {
		text += "?amount=" + e.Amount.String()
	}
	return text
}

// cryptoDetails say where to pay, and repeat which asset was chosen, under any of the names that methods use for
// it.
func cryptoDetails(op methods.Operation, e Entry) (details []methods.Detail) {
	sent := texts(op)
	asset := cmp.Or(sent["crypto_type"], sent["cryptoCurrency"], sent["payment_currency"], sent["toCurrency"])
	if asset != "" {
		details = append(details, methods.Detail{Label: "Asset", Value: asset})
	}
	return append(details, methods.Detail{Label: "Network", Value: e.Network},
		methods.Detail{Label: "Address", Value: address(e)})
}
