package otel_test

import (
	"context"
	"fmt"
	"log"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/observe/otel"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// A host hands its providers over, and wraps its connectors and its notifier. Here the spans are kept in memory.
func Example() {
	ctx, kept := context.Background(), tracetest.NewInMemoryExporter()
	telemetry, err := otel.New(otel.Options{
		Tracer: trace.NewTracerProvider(trace.WithSyncer(kept)), Meter: metric.NewMeterProvider()})
	try(err)
	acquirer, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("acquirer-secret-1"), PublicURL: "https://pay.example/vcard"})
	try(err)
	gw, err := gateway.New(gateway.Config{
		Store: memory.New(), Keys: gatewaytest.NewKeys(), PublicURL: "https://pay.example",
		Connectors: map[string]methods.Connector{"vcard": telemetry.Connector("vcard", acquirer)},
		Notifier:   telemetry.Notifier(&callback.HTTPNotifier{}),
		Observers:  []observe.Observer{telemetry},
	})
	try(err)
	_, err = telemetry.Gauges(gw)
	try(err)
	try(gw.SaveMerchant(ctx, store.Merchant{ID: "shop", Key: "shop-key",
		Password: store.NewSecret("the-shop-s-password")}))
	try(gw.SaveMID(ctx, store.MID{ID: "live", MerchantID: "shop", Name: "Live", Connector: "vcard"}))
	_, err = gw.Merchant("shop-key").Charge(ctx, sale("ORD-1"))
	try(err)
	for _, span := range kept.GetSpans() {
		fmt.Println(span.Name)
	}
	// Output:
	// connector vcard Perform
	// payment.moved
}

func try(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
