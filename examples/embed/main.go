// Command embed is a small program with a payment gateway in it.
package main

import (
	"context"
	"log"
	"net/http"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
)

const public = "http://localhost:8080" // the address for payers

func main() {
	gw, mux := platform(must(bolt.Open("tollgate.db")), must(keyfile.Open("tollgate.keys")))
	go gw.Run(context.Background()) // delivers callbacks and recovers open payments
	log.Fatal(http.ListenAndServe("localhost:8080", mux))
}

func platform(db store.Store, keys gateway.KeyProvider) (*gateway.Gateway, *http.ServeMux) {
	secret := store.NewSecret("at least sixteen characters") // of the merchant; here also of the test acquirer
	acquirer := must(vcard.New(vcard.Config{Store: db, Secret: secret, PublicURL: public + "/vcard"}))
	gw := must(gateway.New(gateway.Config{
		Store: db, Keys: keys, PublicURL: public,
		Connectors: map[string]methods.Connector{"vcard": acquirer},
	}))
	ctx := context.Background()
	merchant := store.Merchant{ID: "shop", Name: "My Shop", Key: "my-merchant-key", Password: secret}
	must(0, gw.SaveMerchant(ctx, merchant)) // with a NotificationURL it gets callbacks
	must(0, gw.SaveMID(ctx, store.MID{ID: "main", MerchantID: "shop", Connector: "vcard"}))

	mux := http.NewServeMux()
	must(gatewayhttp.New(gw, gatewayhttp.Options{})).Register(mux)      // every protocol, and the page for payers
	mux.Handle("/vcard/", http.StripPrefix("/vcard", acquirer.Pages())) // simulated 3-D Secure and bank
	return gw, mux
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
