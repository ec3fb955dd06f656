package checkout_test

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// plainHash returns the Checkout formula over a text in capitals (checkout.md, "Hash formulas").
func plainHash(text string) string {
	inner := md5.Sum([]byte(text))
	outer := sha1.Sum([]byte(hex.EncodeToString(inner[:])))
	return hex.EncodeToString(outer[:])
}

// seeds adds bodies of the table of bad inputs.
func seeds(f *testing.F, path string) {
	for _, row := range badInputs() {
		if row.path != path && (row.path != "" || path != pathSession) {
			continue
		}
		body := row.body
		switch {
		case body != "" || row.empty:
		case path == pathSession:
			body = purchase(row.edits...).text()
		case path == pathRecurring:
			body = recurring(store.Payment{ID: "019580e4-0000-7000-8000-000000000000", RecurringToken: "x"}, row.edits...).text()
		case path == pathCredit:
			body = payout(row.edits...).text()
		default:
			body = followUp("019580e4-0000-7000-8000-000000000000", "10.00", row.edits...).text()
		}
		if len(body) < 4<<10 {
			f.Add([]byte(body))
		}
	}
}

// FuzzSession: for any body up to 64 KiB the answer is a redirect_url or the envelope of a refusal, never an
// internal error, and it holds no secret.
func FuzzSession(f *testing.F) { fuzz(f, pathSession) }

// FuzzStatus does the same for a status lookup.
func FuzzStatus(f *testing.F) { fuzz(f, pathStatus) }

// FuzzRefund does the same for a follow-up with an amount.
func FuzzRefund(f *testing.F) { fuzz(f, pathRefund) }

// FuzzRecurring does the same for a later payment of a chain.
func FuzzRecurring(f *testing.F) { fuzz(f, pathRecurring) }

// FuzzCredit does the same for a payout.
func FuzzCredit(f *testing.F) { fuzz(f, pathCredit) }

func fuzz(f *testing.F, path string) {
	seeds(f, path)
	kit := gatewaytest.New(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > maxFollowUp {
			return
		}
		sent := bytes.Clone(body)
		got := checkout.Do(t.Context(), kit.Gateway,
			checkout.Request{Path: path, ContentType: "application/json", Body: body})
		require.Equal(t, sent, body, "the body is only read")
		require.NotContains(t, strings.ToLower(string(got.Body)), gatewaytest.Password)
		require.True(t, json.Valid(got.Body))
		if got.Status == 200 && path == pathCredit {
			require.Contains(t, string(got.Body), `"result":"accepted"`)
			return
		}
		if got.Status == 200 {
			require.Equal(t, pathSession, path, "there is nothing to find or to refund")
			require.Contains(t, string(got.Body), `{"redirect_url":"`+gatewaytest.PublicURL+"/auth/")
			return
		}
		require.Equal(t, 400, got.Status, string(got.Body))
		var r refusal
		require.NoError(t, json.Unmarshal(got.Body, &r))
		require.NotNil(t, r.Errors)
		require.NotEmpty(t, *r.Errors)
		if *r.Code == 0 { // an entry with a code of its own repeats it (decision an)
			r.messages(t)
		}
	})
}
