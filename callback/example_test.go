package callback_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"

	"github.com/tollgatepay/gateway/callback"
)

// A merchant on S2S acknowledges a callback with the body OK. Only public addresses are called unless the host allows
// others.
func ExampleHTTPNotifier() {
	merchant := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.FormValue("order_id"))
		_, _ = io.WriteString(w, "OK")
	}))
	defer merchant.Close()
	d := callback.Delivery{URL: merchant.URL, ContentType: callback.ContentType,
		Body: []byte("order_id=ORD-1"), RequireOK: true}

	strict := &callback.HTTPNotifier{}
	fmt.Println(strict.Deliver(context.Background(), d).Detail)
	local := &callback.HTTPNotifier{Dial: callback.Dial{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}}
	fmt.Println(local.Deliver(context.Background(), d).Verdict)
	local.Close()
	// Output:
	// address not allowed
	// ORD-1
	// accepted
}
