package wire_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http/httptest"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/wire"
)

// A shop sells over HTTP: the payer goes to the page, and a refund that asks for too much is refused.
func Example() {
	ctx := context.Background()
	server := platform(ctx)
	defer server.Close()

	shop := wire.Must(wire.New(server.URL, wire.Options{
		Key: "shop-key", Password: store.NewSecret("the-shop-s-password")}))
	defer shop.Close()
	page, err := shop.CreateSession(ctx, wire.Fields{
		"operation": "purchase", "success_url": "https://shop.example/thanks",
		"order": wire.Fields{"number": "ORD-1", "amount": "10.00", "currency": "USD", "description": "A cup"},
	})
	try(err)
	fmt.Println(strings.HasPrefix(page, "https://pay.example/auth/"))

	sold, err := shop.Card(ctx, wire.Form{
		"action": "SALE", "order_id": "ORD-2", "order_amount": "10.00", "order_currency": "USD",
		"order_description": "A cup", "card_number": "4111111111111111", "card_exp_month": "01", "card_exp_year": "2038",
		"card_cvv2": "000", "payer_first_name": "John", "payer_last_name": "Doe", "payer_email": "doe@example.com",
		"payer_phone": "199999999", "payer_ip": "203.0.113.7", "term_url_3ds": "https://shop.example/back",
	}, nil)
	try(err)
	fmt.Println(sold.Text("result"), sold.Text("status"), sold.Text("amount"))

	var refused *wire.Refused
	_, err = shop.Card(ctx, wire.Form{"action": "CREDITVOID", "trans_id": sold.Text("trans_id"), "amount": "99.00"},
		&wire.Original{Email: "doe@example.com", Card: "4111111111111111"})
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, refused.Message)
	}
	// Output:
	// true
	// SUCCESS SETTLED 10.00
	// 208006 Not acceptable to request the refund for amount bigger than payment amount.
}

func platform(ctx context.Context) *httptest.Server {
	acquirer, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("acquirer-secret-1"), PublicURL: "https://pay.example/vcard"})
	try(err)
	gw, err := gateway.New(gateway.Config{
		Store: memory.New(), Keys: gatewaytest.NewKeys(), PublicURL: "https://pay.example",
		Connectors: map[string]methods.Connector{"vcard": acquirer},
	})
	try(err)
	try(gw.SaveMerchant(ctx, store.Merchant{ID: "shop", Key: "shop-key",
		Password: store.NewSecret("the-shop-s-password")}))
	try(gw.SaveMID(ctx, store.MID{ID: "live", MerchantID: "shop", Name: "Live", Connector: "vcard"}))
	handler, err := gatewayhttp.New(gw, gatewayhttp.Options{Prefix: "/"})
	try(err)
	return httptest.NewServer(handler)
}

func try(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
