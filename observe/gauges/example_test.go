package gauges_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe/gauges"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// A monitor of a host's own reads the gauges when it is asked.
func ExampleRead() {
	acquirer, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("acquirer-secret-1"), PublicURL: "https://pay.example/vcard"})
	if err != nil {
		log.Fatal(err)
	}
	gw, err := gateway.New(gateway.Config{
		Store: memory.New(), Keys: gatewaytest.NewKeys(), PublicURL: "https://pay.example",
		Connectors: map[string]methods.Connector{"vcard": acquirer},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range gauges.Read(context.Background(), gw) {
		fmt.Println(s.Metric, s.Value)
	}
	// Output:
	// store.readable 1
	// due.running 0
	// doubts.waiting 0
	// doubts.oldest 0
	// breaches.waiting 0
}
