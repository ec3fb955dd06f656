package speed

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// SessionJSON is the n-th session request, of usual size: about 1.1 KB.
func SessionJSON(n int64) []byte {
	number := fmt.Sprintf("ORD-%d", n)
	text, _ := json.Marshal(map[string]any{ // of strings and maps: cannot fail
		"merchant_key": gatewaytest.MerchantKey, "operation": "purchase", "methods": []string{"card"},
		"order": map[string]any{"number": number, "amount": "10.00", "currency": "USD",
			"description": "Important gift"},
		"success_url": "https://shop.example/success?cart=1", "cancel_url": "https://shop.example/cancel",
		"expiry_url": "https://shop.example/late", "session_expiry": 60, "req_token": false, "recurring_init": false,
		"customer": map[string]any{"name": "John Doe", "email": "doe@example.com"},
		"billing_address": map[string]any{"country": "US", "state": "CA", "city": "Los Angeles",
			"address": "Moor Building 35274", "zip": "123456", "phone": "347771112233"},
		"custom_data": map[string]any{"cart": "c-18237", "campaign": strings.Repeat("spring ", 30)},
		"hash": signature.Sign(signature.CheckoutSession, signature.MD5, signature.Inputs{
			OrderNumber: number, Amount: "10.00", Currency: "USD", Description: "Important gift"}, gatewaytest.Password),
	})
	return text
}

// SaleForm is the n-th S2S SALE, of usual size.
func SaleForm(n int64) []byte {
	signed := signature.Sign(signature.Card1, signature.MD5,
		signature.Inputs{Email: "doe@example.com", Card: "4111111111111111"}, gatewaytest.Password)
	return []byte(url.Values{
		"action": {"SALE"}, "client_key": {gatewaytest.MerchantKey}, "order_id": {fmt.Sprintf("ORD-%d", n)},
		"order_amount": {"10.00"}, "order_currency": {"USD"}, "order_description": {"Important gift"},
		"card_number": {"4111111111111111"}, "card_exp_month": {"01"}, "card_exp_year": {"2038"}, "card_cvv2": {"123"},
		"payer_first_name": {"John"}, "payer_last_name": {"Doe"}, "payer_address": {"Big street"}, "payer_country": {"US"},
		"payer_state": {"CA"}, "payer_city": {"City"}, "payer_zip": {"123456"}, "payer_email": {"doe@example.com"},
		"payer_phone": {"199999999"}, "payer_ip": {"123.123.123.123"}, "term_url_3ds": {"https://shop.example/return"},
		"hash": {signed},
	}.Encode())
}
