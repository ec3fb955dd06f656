package s2s_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/s2s"
)

// FuzzRouter sends any body of up to 64 KiB: the answer is never a 5xx, always JSON with a result, and nothing
// panics.
func FuzzRouter(f *testing.F) {
	kit := gatewaytest.New(f)
	seeds := []fields{
		sale("O-1"), transfer().with("order_id", "O-2"), signCardPayout(cardPayout().with("order_id", "O-3")), apm("O-4"),
		signPayout(apm("O-5").with("action", "CREDIT2VIRTUAL", "brand", "mobile-money", "order_currency", "XOF",
			"order_amount", "100")),
		signAPM(apm("O-6").with("action", "DEBIT2VIRTUAL", "payer_return_url", "https://a.example/")),
		follow("CAPTURE", "x", "amount", "1.00"), follow("GET_TRANS_DETAILS", "x"), followAPM("CREDITVOID", "x"),
		follow("GET_TRANS_STATUS_BY_ORDER", "").with("order_id", "x"),
		plan("UPDATE_SCHEDULE", "schedule_id", "x", "name", "y"),
		plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day", "payments_count", "3"),
		sale("O-7").with("mpi_data[eci]", "05", "parameters[a][0][b]", "c", "custom_data[x]", "y"),
	}
	for i, seed := range seeds {
		f.Add(uint8(i), seed.encode())
	}
	contentType, body := multiparted(f, sale("O-8"))
	f.Add(uint8(3), body)
	f.Add(uint8(0), "action=SALE&client_key="+long(40000))
	f.Add(uint8(0), "action=SALE&"+strings.Repeat("a[b][c][d]=1&", 3000))
	types := []string{"application/x-www-form-urlencoded", "", contentType, "text/plain"}
	names := []string{"/post", "/post-va", "/v2/post"}
	f.Fuzz(func(t *testing.T, kind uint8, body string) {
		if len(body) > s2s.MaxFollowUp {
			t.Skip()
		}
		media := types[0]
		if kind >= 128 {
			media = types[kind%4]
		}
		r := s2s.Do(t.Context(), kit.Gateway, s2s.Request{Path: names[kind%3], ContentType: media, Body: []byte(body)})
		require.Less(t, r.Status, 500, "%s", r.Body)
		var answer struct{ Result string }
		require.NoError(t, json.Unmarshal(r.Body, &answer), "%s", r.Body)
		require.NotEmpty(t, answer.Result)
	})
}
