package strictjson_test

import (
	"encoding/json"
	"testing"

	"github.com/tollgatepay/gateway/internal/strictjson"
)

func BenchmarkSession(b *testing.B) {
	body := []byte(sessionBody)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, faults := sessions.Decode(body); faults != nil {
			b.Fatal(faults)
		}
	}
}

// loose is the session with the types that encoding/json knows, for the comparison.
type loose struct {
	MerchantKey   string         `json:"merchant_key"`
	Operation     string         `json:"operation"`
	Methods       []string       `json:"methods"`
	SessionExpiry string         `json:"session_expiry"`
	Auth          string         `json:"auth"`
	RecurringInit *bool          `json:"recurring_init"`
	ScheduleID    *string        `json:"schedule_id"`
	SuccessURL    string         `json:"success_url"`
	CancelURL     string         `json:"cancel_url"`
	ErrorURL      *string        `json:"error_url"`
	CardToken     []string       `json:"card_token"`
	Order         order          `json:"order"`
	Customer      *customer      `json:"customer"`
	Billing       *address       `json:"billing_address"`
	CustomData    map[string]any `json:"custom_data"`
	Hash          string         `json:"hash"`
}

func BenchmarkSessionEncodingJSON(b *testing.B) {
	body := []byte(sessionBody)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var into loose
		if err := json.Unmarshal(body, &into); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTower(b *testing.B) {
	body := []byte(bombs()["tower of lists"])
	for b.Loop() {
		_, _ = sessions.Decode(body)
	}
}

func BenchmarkFreeForm(b *testing.B) {
	body := []byte(bombs()["many entries"])
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, faults := strictjson.Parse(body, strictjson.Limits{}); faults != nil {
			b.Fatal(faults)
		}
	}
}
