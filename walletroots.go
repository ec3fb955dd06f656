package gateway

import (
	"github.com/tollgatepay/gateway/store"
)

// WalletRoots is whom the gateway trusts to sign wallet tokens, by environment. The library ships nobody's:
// they are the wallets' own, published by them, and change when they say so. Without those of an
// environment no processing keys can be saved for it.
type WalletRoots struct {
	// Apple has the root certificates of wallet A, each in PEM.
	Apple map[store.WalletEnvironment][]string
	// Google has the list of root signing keys of wallet B, as the wallet publishes it in JSON.
	Google map[store.WalletEnvironment]string
}
