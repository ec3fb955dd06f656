package checkout_test

import (
	"context"
	"fmt"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// A host with a transport of its own passes requests to Do.
func ExampleDo() {
	acquirer, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("acquirer-secret-1"), PublicURL: "https://pay.example/vcard"})
	if err != nil {
		panic(err)
	}
	gw, err := gateway.New(gateway.Config{
		Store: memory.New(), Keys: gatewaytest.NewKeys(), PublicURL: "https://pay.example",
		Connectors: map[string]methods.Connector{"vcard": acquirer},
	})
	if err != nil {
		panic(err)
	}
	answer := checkout.Do(context.Background(), gw, checkout.Request{
		Path: "/api/v1/payment/status", ContentType: "application/json", Body: []byte(`{"merchant_key":"nobody"}`)})
	fmt.Println(answer.Status, answer.ContentType)
	for _, pattern := range checkout.Routes()[:2] {
		fmt.Println(pattern)
	}
	// Output:
	// 400 application/json; charset=utf-8
	// POST /api/v1/session
	// POST /api/v1/payment/recurring
}
