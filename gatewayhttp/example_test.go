package gatewayhttp_test

import (
	"fmt"
	"log"
	"net/http"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// A platform is mounted under the path of its public URL, beside what the host serves itself.
func Example() {
	acquirer, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("acquirer-secret-1"), PublicURL: "https://shop.example/vcard"})
	if err != nil {
		log.Fatal(err)
	}
	gw, err := gateway.New(gateway.Config{
		Store: memory.New(), Keys: gatewaytest.NewKeys(), PublicURL: "https://shop.example/pay",
		Connectors: map[string]methods.Connector{"vcard": acquirer},
	})
	if err != nil {
		log.Fatal(err)
	}
	platform, err := gatewayhttp.New(gw, gatewayhttp.Options{Protocols: []gatewayhttp.Protocol{gatewayhttp.S2S}})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {}) // the shop
	platform.Register(mux)
	for line := range strings.Lines(platform.String()) {
		if strings.Contains(line, "post") {
			fmt.Print(line)
		}
	}
	// Output:
	// any   /pay/post
	// POST  /pay/post
	// any   /pay/post-va
	// POST  /pay/post-va
	// any   /pay/v2/post
	// POST  /pay/v2/post
}
