package main

import (
	"encoding/json"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// walletRoots reads the roots that sign the wallets' tokens: for applepay, by environment, a list of certificates
// in PEM; for googlepay, by environment, the wallet's published list of root signing keys.
func (rs *records) walletRoots(d *decoder, f member) {
	for _, one := range d.fields(f.place, f.value, []string{wallet.ApplePay, wallet.GooglePay}) {
		for _, world := range d.fields(one.place, one.value,
			[]string{string(store.WalletTest), string(store.WalletProduction)}) {
			environment := store.WalletEnvironment(world.name)
			if one.name == wallet.GooglePay {
				put(&rs.roots.Google, environment, string(world.value))
				continue
			}
			var certificates []string
			if json.Unmarshal(world.value, &certificates) != nil {
				d.fault(world.place, "must be a list of certificates in PEM")
			}
			put(&rs.roots.Apple, environment, certificates)
		}
	}
}

func put[V any](into *map[store.WalletEnvironment]V, environment store.WalletEnvironment, value V) {
	if *into == nil {
		*into = map[store.WalletEnvironment]V{}
	}
	(*into)[environment] = value
}
