package merchant

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"maps"
	"slices"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// Faults checks the roots by using them, with a key made only for that.
func (r Roots) Faults() (faults []error) {
	if len(r.Apple) == 0 && len(r.Google) == 0 {
		return nil
	}
	key, err := trialKey()
	if err != nil {
		return []error{err}
	}
	for _, environment := range slices.Sorted(maps.Keys(r.Apple)) {
		_, err := wallet.NewApple(wallet.AppleConfig{
			Environment: wallet.Environment(environment), MerchantID: "merchant.trial", ProcessingKeys: key,
			Roots: r.Apple[environment],
		})
		faults = appendFault(faults, "Apple", environment, err)
	}
	for _, environment := range slices.Sorted(maps.Keys(r.Google)) {
		_, err := wallet.NewGoogle(wallet.GoogleConfig{
			Environment: wallet.Environment(environment), GatewayMerchantID: "trial", Recipient: "gateway:trial", Keys: key,
			RootKeys: r.Google[environment],
		})
		faults = appendFault(faults, "Google", environment, err)
	}
	return faults
}

func appendFault(faults []error, name string, environment store.WalletEnvironment, err error) []error {
	if err == nil {
		return faults
	}
	return append(faults, fmt.Errorf("Config.Wallets.%s[%q]: %w", name, environment, err))
}

// trialKey returns a key that opens no token: roots are checked together with a key, as for tokens.
func trialKey() ([]store.Secret, error) {
	scalar := make([]byte, 32)
	scalar[31] = 1
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	return []store.Secret{store.NewSecret(string(text))}, nil
}

// WorldOf returns the environment of a wallet's settings: production by default.
func WorldOf(environment store.WalletEnvironment) store.WalletEnvironment {
	if environment == "" {
		return store.WalletProduction
	}
	return environment
}
