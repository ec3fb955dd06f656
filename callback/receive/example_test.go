package receive_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/tollgatepay/gateway/callback/receive"
	"github.com/tollgatepay/gateway/store"
)

// A merchant's endpoint believes what its password has signed, and compares it with its own order.
func ExampleReceiver_Handler() {
	receiver := &receive.Receiver{Passwords: []store.Secret{store.NewSecret("m3rch4ntP4ss")}}
	endpoint := receiver.Handler(func(_ context.Context, c *receive.Callback) error {
		if c.Order != "order-1234" || c.Amount != "10.00" || c.Currency != "USD" {
			return fmt.Errorf("order %s was for another amount", c.Order)
		}
		fmt.Println(c.Order, c.Action, c.Result, c.Status)
		return nil
	})
	body := "id=50a1361a-7c2e-11f1-b8d4-0242ac120002&order_number=order-1234&order_amount=10.00&order_currency=USD" +
		"&order_description=Important+gift&type=sale&status=success&order_status=settled" +
		"&hash=9eddb423ef8a8c2e36e8717eb5e638cdeb17d957"
	for _, sent := range []string{body, strings.Replace(body, "10.00", "1.00", 1)} {
		r := httptest.NewRequest(http.MethodPost, "/callback", strings.NewReader(sent))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		endpoint.ServeHTTP(w, r)
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// order-1234 sale success settled
	// 200 OK
	// 403 ERROR
}
