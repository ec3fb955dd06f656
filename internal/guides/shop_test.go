package guides_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
)

// patience is how long a test waits for another process, and tick how often it looks.
const (
	patience = 90 * time.Second
	tick     = 20 * time.Millisecond
)

var metricName = regexp.MustCompile(`tollgate_[a-z_]+`)

// cardToken sells an order and returns the token of its card.
func (h *host) cardToken(order string) string {
	h.t.Helper()
	told, answer := do(h.t, h.shop, sale(order, "10.00").With("req_token", "Y"))
	require.Equal(h.t, "SUCCESS SETTLED", told, "%s", answer.Raw)
	token := answer.Body.Text("card_token")
	require.NotEmpty(h.t, token, "%s", answer.Raw)
	return token
}

// soldBy sells an order by the token of a card.
func (h *host) soldBy(token, order string) {
	h.t.Helper()
	told, answer := do(h.t, h.shop, s2sclient.SaleByToken(order, "10.00", "USD", token))
	require.Equal(h.t, "SUCCESS SETTLED", told, "%s", answer.Raw)
}

// openSession opens a session of the guide's merchant and returns the payer's link.
func openSession(t *testing.T, client *http.Client, base, order string) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"merchant_key": gatewaytest.MerchantKey, "operation": "purchase", "success_url": "https://shop.example/thanks",
		"cancel_url": "https://shop.example/cart",
		"order":      map[string]string{"number": order, "amount": "10.00", "currency": "USD", "description": "A cup"},
		"customer":   map[string]string{"name": "John Doe", "email": "doe@example.com"},
		"hash": signature.Sign(signature.CheckoutSession, signature.SHA256, signature.Inputs{
			OrderNumber: order, Amount: "10.00", Currency: "USD", Description: "A cup"}, password),
	})
	require.NoError(t, err)
	answer, err := client.Post(base+"/api/v1/session", "application/json", strings.NewReader(string(body)))
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	var told struct {
		Link string `json:"redirect_url"`
	}
	require.NoError(t, json.Unmarshal(text, &told), string(text))
	require.NotEmpty(t, told.Link, string(text))
	return told.Link
}

// payPage pays on a payer's page, claiming another address, and returns the header of the page.
func payPage(t *testing.T, payer *http.Client, link string) http.Header {
	t.Helper()
	return payPageWith(t, payer, link, "01/38")
}

// payPageWith pays with the test card of an expiry.
func payPageWith(t *testing.T, payer *http.Client, link, expiry string) http.Header {
	t.Helper()
	payer.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	shown, err := payer.Get(link)
	require.NoError(t, err)
	defer func() { _ = shown.Body.Close() }()
	doc, err := html.Parse(shown.Body)
	require.NoError(t, err)
	values := url.Values{}
	for n := range doc.Descendants() {
		if kind := attribute(n, "type"); n.Data == "input" && kind != "checkbox" && kind != "submit" {
			values.Set(attribute(n, "name"), attribute(n, "value"))
		}
	}
	require.Contains(t, values, "card_number")
	values.Set("card_number", "4111111111111111")
	values.Set("expiry", expiry)
	values.Set("cvv", "123")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, link, strings.NewReader(values.Encode()))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", r.URL.Scheme+"://"+r.URL.Host)
	r.Header.Set("X-Forwarded-For", "198.51.100.7")
	paid, err := payer.Do(r)
	require.NoError(t, err)
	require.NoError(t, paid.Body.Close())
	require.Less(t, paid.StatusCode, 400)
	return shown.Header
}

func attribute(n *html.Node, name string) string {
	if i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name }); i >= 0 {
		return n.Attr[i].Val
	}
	return ""
}

// desk is the operators' view of a host that has ended.
func (h *host) desk() gateway.Operator {
	h.t.Helper()
	db, err := bolt.Open(h.database)
	require.NoError(h.t, err)
	h.t.Cleanup(func() { require.NoError(h.t, db.Close()) })
	secrets, err := keyfile.Open(filepath.Join(h.folder, "keys.json"))
	require.NoError(h.t, err)
	acquirer, err := vcard.New(vcard.Config{Store: db, Secret: store.NewSecret(password), PublicURL: h.public})
	require.NoError(h.t, err)
	gw, err := gateway.New(gateway.Config{Store: db, Keys: secrets, PublicURL: h.public,
		Connectors: map[string]methods.Connector{"acquirer": acquirer, "sandbox": acquirer}})
	require.NoError(h.t, err)
	return gw.Operator()
}

// paymentOf is the payment of an order of the guide's merchant; there is one.
func paymentOf(t *testing.T, desk gateway.Operator, order string) (found store.Payment) {
	t.Helper()
	times := 0
	for p, err := range desk.Payments(t.Context(), gateway.PaymentFilter{MerchantID: "larkfield", Order: order}) {
		require.NoError(t, err)
		found, times = p, times+1
	}
	require.Equal(t, 1, times, order)
	return found
}

// gate is where the acquirer of a host waits before it answers.
type gate struct {
	*httptest.Server
	asked, open chan struct{}
}

func newGate(t *testing.T) *gate {
	g := &gate{asked: make(chan struct{}, 10), open: make(chan struct{})}
	g.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		g.asked <- struct{}{}
		select {
		case <-g.open:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(g.Close)
	return g
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, text, 0o600))
}

// editKeys edits a key file as a person does: it enters a new key, or makes one of its keys the current one.
func editKeys(t *testing.T, file, id string, enter bool) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var content struct {
		Current string              `json:"current"`
		Keys    []map[string]string `json:"keys"`
		Lookup  string              `json:"lookup"`
	}
	require.NoError(t, json.Unmarshal(text, &content))
	if enter {
		content.Keys = append(content.Keys, map[string]string{"id": id, "key": strings.Repeat("5a", 32)})
	} else {
		content.Current = id
	}
	text, err = json.Marshal(content)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o600))
}
