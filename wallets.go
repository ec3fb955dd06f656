package gateway

import (
	"github.com/tollgatepay/gateway/methods"
)

// isWallet reports a method that is paid by a wallet's token.
func (gw *Gateway) isWallet(method string) bool {
	known, _ := gw.catalogue.Lookup(method)
	return known.Kind == methods.KindWallet
}
