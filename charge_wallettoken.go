package gateway

import (
	"strings"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// namedAlike are the networks that both wallets call what we do, letter case aside.
var namedAlike = map[store.Brand]bool{
	store.Visa: true, store.Mastercard: true, store.Amex: true, store.Discover: true, store.JCB: true, store.Maestro: true,
}

func faultOf(err error) string {
	if fault, ok := err.(*wallet.Fault); ok {
		return fault.Cause
	}
	return err.Error()
}

// minorUnits is an amount in the smallest unit of its currency, without leading zeros.
func minorUnits(amount store.Amount, exponent int) string {
	whole, fraction, _ := strings.Cut(amount.String(), ".")
	fraction = strings.TrimRight(fraction, "0")
	return trimZeros(whole + fraction + strings.Repeat("0", max(exponent-len(fraction), 0)))
}

func trimZeros(digits string) string { return strings.TrimLeft(digits, "0") }
