package hpf_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
)

// FuzzToken: for any body the answer is a token or the envelope of a refusal, never an internal error.
func FuzzToken(f *testing.F) {
	seed(f, pathToken, purchase(), purchase(set("customer.ip", "203.0.113.7"), set("custom_data", object{"a": []int{1}})))
	kit := gatewaytest.New(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		got := fuzzed(t, kit, "", pathToken, body)
		if got.Status == 200 {
			require.Contains(t, string(got.Body), `{"token":"`)
		}
	})
}

// FuzzUpdate does the same for an update.
func FuzzUpdate(f *testing.F) {
	seed(f, pathUpdate, object{"order_amount": "1.00", "order_currency": "EUR"},
		object{"recurring_init": true, "req_token": false, "schedule_id": nil},
		object{"parameters": object{"card": object{"a": "b"}}, "custom_data": object{}})
	s := open(f)
	token := s.token(f, set("session_expiry", 720))
	f.Fuzz(func(t *testing.T, body []byte) {
		got := fuzzed(t, s.Kit, token, pathUpdate, body)
		if got.Status == 200 {
			require.Equal(t, `{"result":"success"}`, string(got.Body))
		}
	})
}

// FuzzPayment does the same for a payment; after a successful one it makes a new session.
func FuzzPayment(f *testing.F) {
	seed(f, pathPurchase, payment(),
		payment(set("browser_info", object{"accept_header": "x", "color_depth": 24}), set("expected_amount", "10.0")),
		payment(set("billing_address", object{"country": "US", "state": "CA"}), set("email", "a@b.cc"),
			set("birth_date", "1990-01-31")))
	kit := gatewaytest.New(f)
	token := ""
	f.Fuzz(func(t *testing.T, body []byte) {
		if token == "" {
			r := gatewaytest.Request("ORD-1", "10.00")
			r.ReturnURL = r.SuccessURL
			kit.Clock.Set(kit.Clock.Now().Add(20e9))
			session, err := kit.Shop().CreateHosted(t.Context(), r)
			require.NoError(t, err)
			token = session.Token
			require.NoError(t, kit.HostedFields().Collect(t.Context(), token, gatewaytest.Settles))
		}
		got := fuzzed(t, kit, token, pathPurchase, body)
		if got.Status == 200 {
			require.Equal(t, "success", decodePaid(t, string(got.Body)).Result)
			token = ""
		}
	})
}

// seed adds valid bodies and those of the table that are short enough.
func seed(f *testing.F, path string, sound ...object) {
	for _, body := range sound {
		f.Add([]byte(body.text()))
	}
	for _, row := range badInputs() {
		if text := row.text(); row.path == path && len(text) < 4<<10 {
			f.Add([]byte(text))
		}
	}
}

func fuzzed(t *testing.T, kit *gatewaytest.Kit, token, path string, body []byte) hpf.Response {
	sent := bytes.Clone(body)
	got := do(t, kit.Gateway, token, path, body)
	require.Equal(t, sent, body, "the body is only read")
	require.True(t, json.Valid(got.Body))
	require.NotContains(t, strings.ToLower(string(got.Body)), gatewaytest.Password)
	if got.Status != 200 {
		require.Equal(t, 400, got.Status, string(got.Body))
		refused(t, string(got.Body))
	}
	return got
}
