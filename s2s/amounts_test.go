package s2s_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// Every amount of a payment is told in the decimals in which its order was sent, wherever it is told and however a
// follow-up spells its own: in answers, callbacks and the records of GET_TRANS_DETAILS.
func TestAmountsAreToldAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, currency, order, capture, refund, captured, refunded string }{
		{"no decimals", "JPY", "1000", "600", "60", "600", "60"},
		{"no decimals, then zeros", "JPY", "1000", "600.00", "60.00", "600", "60"},
		{"zeros, then none", "JPY", "1000.00", "600", "60", "600.00", "60.00"},
		{"zeros", "JPY", "1000.00", "600.00", "60.00", "600.00", "60.00"},
		{"two decimals", "USD", "10.00", "6.00", "1.50", "6.00", "1.50"},
		{"three decimals", "KWD", "10.000", "6.000", "1.500", "6.000", "1.500"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			held := s.ok(t, "/post", sale("O-1").with("auth", "Y", "order_currency", c.currency, "order_amount", c.order),
				"SUCCESS", "PENDING")
			require.Equal(t, c.order, held.get("amount"))
			id := held.get("trans_id")
			taken := s.ok(t, "/post", follow("CAPTURE", id).with("amount", c.capture), "SUCCESS", "SETTLED")
			require.Equal(t, c.captured, taken.get("amount"))
			s.ok(t, "/post", follow("CREDITVOID", id).with("amount", c.refund), "ACCEPTED", "")

			var told []string
			for _, form := range kerneltest.FormsOf(t, s.Kit, "O-1") {
				told = append(told, form.Get("action")+" "+form.Get("amount"))
			}
			require.Equal(t, []string{"SALE " + c.order, "CAPTURE " + c.captured, "CREDITVOID " + c.refunded}, told)

			var details struct {
				Amount       string
				Transactions []struct{ Type, Amount string }
			}
			require.NoError(t, json.Unmarshal([]byte(s.send(t, "/post", follow("GET_TRANS_DETAILS", id)).text), &details))
			require.Equal(t, c.order, details.Amount)
			for i, want := range []string{c.order, c.captured, c.refunded} {
				require.Equal(t, want, details.Transactions[i].Amount, details.Transactions[i].Type)
			}
		})
	}
}
