package badinput_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// urlNames are the URL fields of all protocols.
var urlNames = []string{
	"success_url", "cancel_url", "expiry_url", "error_url", "return_url", "term_url_3ds", "payer_return_url",
	"callback_url", "notification_url",
}

// httpsOnly makes the merchant accept only https URLs.
func (w *world) httpsOnly() {
	require.NoError(w.t, w.SaveMerchant(w.t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), NotificationURL: gatewaytest.CallbackURL, HTTPSOnly: true,
	}))
}

// answerTo is the answer to a valid request with one URL changed, and all others https.
func (w *world) answerTo(at, name, url string) string {
	q := w.at[at].request(w)
	for field, value := range q.body {
		if text, ok := value.(string); ok && strings.HasPrefix(text, "http://") {
			q.body[field] = "https" + strings.TrimPrefix(text, "http")
		}
	}
	q.body[name] = url
	return w.send(q).body
}

// If an endpoint has a URL field, which shows because it refuses an invalid URL, a merchant that accepts only https
// gets http refused and https accepted.
func TestHTTPSOnly(t *testing.T) {
	t.Parallel()
	checked := map[string]bool{}
	for at, e := range endpoints() {
		if e.sign == nil {
			continue // sent by the payer, or under a token whose request had the URLs
		}
		w := newWorld(t)
		for _, name := range urlNames {
			if !strings.Contains(w.answerTo(at, name, "nonsense"), name+notURL) {
				continue
			}
			checked[at+" "+name] = true
			w.httpsOnly()
			require.Contains(t, w.answerTo(at, name, "http://shop.example/x"), name+notURL, at)
			require.NotContains(t, w.answerTo(at, name, "https://shop.example/x"), notURL, "%s %s", at, name)
			w = newWorld(t)
		}
	}
	for _, least := range []string{
		"session success_url", "session cancel_url", "session expiry_url", "session error_url",
		"HPF token return_url", "HPF token success_url", "HPF token cancel_url", "HPF token error_url",
		"HPF token expiry_url",
		"SALE term_url_3ds", "SALE callback_url", "AUTH callback_url", "DEBIT term_url_3ds", "DEBIT callback_url",
		"CARD2CARD term_url_3ds", "CARD2CARD callback_url",
		"CREDIT2CARD callback_url", "RECURRING_SALE callback_url",
		"APM SALE return_url", "APM SALE callback_url", "DEBIT2VIRTUAL payer_return_url", "DEBIT2VIRTUAL callback_url",
		"CREDIT2VIRTUAL callback_url", "CREDIT2CRYPTO callback_url",
	} {
		require.True(t, checked[least], least)
	}
}

// Without the option http is accepted, so that the option is what refuses it.
func TestHTTPIsTaken(t *testing.T) {
	t.Parallel()
	require.Contains(t, newWorld(t).answerTo("session", "cancel_url", "http://shop.example/x"), "redirect_url")
	require.Contains(t, newWorld(t).answerTo("SALE", "callback_url", "http://shop.example/x"), "SETTLED")
	require.Contains(t, newWorld(t).answerTo("APM SALE", "return_url", "http://shop.example/x"), "SETTLED")
}
