package gatewaytest_test

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// post sends a session request as a merchant's backend does, and returns the status and the body.
func post(t *testing.T, client *http.Client, base, order string) (status int, body string, err error) {
	t.Helper()
	hash := signature.Sign(signature.CheckoutSession, signature.MD5, signature.Inputs{
		OrderNumber: order, Amount: "10.00", Currency: "USD", Description: "A cup"}, gatewaytest.Password)
	r, err := client.Post(base+"/api/v1/session", "application/json", strings.NewReader(`{"merchant_key":"`+
		gatewaytest.MerchantKey+`","operation":"purchase","order":{"number":"`+order+`","amount":"10.00","currency":"USD",`+
		`"description":"A cup"},"success_url":"https://shop.example/","hash":"`+hash+`"}`))
	if err != nil {
		return 0, "", err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return r.StatusCode, string(text), err
}

func link(t *testing.T, body string) string {
	t.Helper()
	_, rest, ok := strings.Cut(body, `"redirect_url":"`)
	require.True(t, ok, body)
	url, _, _ := strings.Cut(rest, `"`)
	return strings.ReplaceAll(url, `\/`, "/")
}

// A client over HTTP creates a session; its link leads to the site's own page, and Pay takes it as it is.
func TestServe(t *testing.T) {
	t.Parallel()
	site := gatewaytest.Serve(t)
	status, body, err := post(t, site.Client, site.URL, "ORD-1")
	require.NoError(t, err)
	require.Equal(t, 200, status, body)
	to := link(t, body)
	require.True(t, strings.HasPrefix(to, site.URL+"/auth/"), to)
	page, err := site.Client.Get(to)
	require.NoError(t, err)
	require.Equal(t, 200, page.StatusCode)
	require.NoError(t, page.Body.Close())

	turn := site.Pay(t, to, gatewaytest.ThreeDSPasses)
	require.True(t, strings.HasPrefix(turn.Redirect.URL, site.URL+"/vcard/"), turn.Redirect.URL)
	acs, err := site.Client.PostForm(turn.Redirect.URL, url.Values{})
	require.NoError(t, err)
	require.NoError(t, acs.Body.Close())
	site.ComeBack(t, turn.Redirect)
	require.Equal(t, store.Settled, site.Payment(t, "ORD-1").Status)
}

// Each fault is what a client sees once; then the site works. Only a lost answer leaves something done.
func TestFaultsOfASite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		fault  gatewaytest.Fault
		status int // zero when the connection is cut
		done   bool
	}{
		{"too many", gatewaytest.Status(429), 429, false},
		{"unavailable", gatewaytest.Status(503), 503, false},
		{"a lost request", gatewaytest.LoseRequest(), 0, false},
		{"a lost answer", gatewaytest.LoseAnswer(), 0, true},
		{"slow", gatewaytest.Slow(time.Millisecond), 200, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			site := gatewaytest.Serve(t)
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			site.Next(c.fault)
			status, body, err := post(t, client, site.URL, "ORD-1")
			require.Equal(t, c.status == 0, err != nil)
			require.Equal(t, c.status, status, body)
			again, body, err := post(t, client, site.URL, "ORD-1")
			require.NoError(t, err)
			require.Equal(t, c.done, again == 400 && strings.Contains(body, "Duplicate"), "%d %s", again, body)
		})
	}
}

// shop is a merchant's handler of callbacks: it notes the orders that it was told about.
type shop struct{ orders []string }

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	s.orders = append(s.orders, r.PostForm.Get("order_number"))
	_, _ = io.WriteString(w, "OK")
}

func sell(t *testing.T, kit *gatewaytest.Kit, orders ...string) {
	t.Helper()
	for _, order := range orders {
		kit.Pay(t, kit.Session(t, order, "10.00"), gatewaytest.Settles)
	}
}

// The merchant's handler gets callbacks as the network may bring them: late, twice, in another order.
func TestCallbacksToAHandler(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(t *testing.T, kit *gatewaytest.Kit)
		want []string
	}{
		{"as they are", func(t *testing.T, kit *gatewaytest.Kit) {
			sell(t, kit, "ORD-1", "ORD-2")
			kit.Work(t)
		}, []string{"ORD-1", "ORD-2"}},
		{"twice", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Inbox.Duplicate(1)
			sell(t, kit, "ORD-1", "ORD-2")
			kit.Work(t)
		}, []string{"ORD-1", "ORD-1", "ORD-2", "ORD-2"}},
		{"in reverse", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Inbox.Hold()
			sell(t, kit, "ORD-1", "ORD-2", "ORD-3")
			kit.Work(t)
			answers := kit.Inbox.Release(slices.Reverse)
			require.Len(t, answers, 3)
			require.Equal(t, callback.Accepted, answers[0].Verdict)
			sell(t, kit, "ORD-4")
			kit.Work(t)
		}, []string{"ORD-3", "ORD-2", "ORD-1", "ORD-4"}},
		{"late", func(t *testing.T, kit *gatewaytest.Kit) {
			kit.Inbox.Delay(5 * time.Minute)
			sell(t, kit, "ORD-1")
			kit.Advance(t, 4*time.Minute)
			require.Empty(t, kit.Inbox.Fields(t)[0].Get("nothing"))
			kit.Advance(t, 24*time.Hour)
		}, []string{"ORD-1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit, handler := gatewaytest.New(t), &shop{}
			kit.Inbox.To(handler)
			c.do(t, kit)
			require.Equal(t, c.want, handler.orders)
		})
	}
}

// What the handler refuses is sent again, and on S2S so is what it does not acknowledge by OK.
func TestHandlerThatRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		protocol store.Protocol
		status   int
		body     string
		accepted bool
	}{
		{"Checkout, an error", store.Checkout, 500, "OK", false},
		{"Checkout, any body", store.Checkout, 200, "thanks", true},
		{"S2S, another body", store.S2SCard, 200, "thanks", false},
		{"S2S, OK", store.S2SCard, 200, "OK\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit, calls := gatewaytest.New(t), 0
			kit.Inbox.To(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				calls++
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			card := gatewaytest.Settles
			_, err := kit.Shop().Charge(t.Context(), gateway.ChargeRequest{
				Protocol: c.protocol, Action: map[store.Protocol]string{store.S2SCard: "SALE"}[c.protocol],
				Kind: store.Purchase, Card: &card,
				Order: store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD", Description: "A cup"},
				Payer: store.Payer{Name: "John Doe", FirstName: "John", LastName: "Doe", Email: "doe@example.com",
					IP: "203.0.113.7"},
			})
			require.NoError(t, err)
			kit.Advance(t, time.Hour)
			require.Equal(t, c.accepted, calls == 1, calls)
		})
	}
}
