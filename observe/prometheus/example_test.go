package prometheus_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	official "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/observe/prometheus"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// A host gives its registry the metrics of events and the gauges of its gateway, and serves them.
func Example() {
	acquirer, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("acquirer-secret-1"), PublicURL: "https://pay.example/vcard"})
	if err != nil {
		log.Fatal(err)
	}
	metrics := prometheus.New()
	gw, err := gateway.New(gateway.Config{
		Store: memory.New(), Keys: gatewaytest.NewKeys(), PublicURL: "https://pay.example",
		Connectors: map[string]methods.Connector{"vcard": acquirer}, Observers: []observe.Observer{metrics},
	})
	if err != nil {
		log.Fatal(err)
	}
	registry := official.NewRegistry()
	registry.MustRegister(metrics, prometheus.Gauges(gw))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))

	scrape := httptest.NewRecorder()
	mux.ServeHTTP(scrape, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(scrape.Body.String()) {
		if strings.HasPrefix(line, "tollgate_store_readable") || strings.HasPrefix(line, "tollgate_endpoint_blocks") {
			fmt.Print(line)
		}
	}
	// Output:
	// tollgate_endpoint_blocks_total 0
	// tollgate_store_readable 1
}
