package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
)

// start runs the server until the test ends, or until stop is called.
func start(t *testing.T, args ...string) (base string, stop func()) {
	t.Helper()
	base, _, stop = startSeen(t, args...)
	return base, stop
}

// startSeen is start with the address of the operators.
func startSeen(t *testing.T, args ...string) (base, ops string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	var log bytes.Buffer
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), in, &log)
		_ = in.Close()
		ended <- err
	}()
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	if err != nil {
		require.NoError(t, <-ended)
	}
	for ops == "" {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		if name, at, _ := strings.Cut(line, " "); name == "operators" {
			ops, _, _ = strings.Cut(strings.TrimSpace(at), "/metrics")
		}
	}
	drained := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		close(drained)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-ended)
		<-drained
		require.NotContains(t, log.String(), "level=ERROR")
	})
	t.Cleanup(stop)
	base, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	require.True(t, ok, first)
	return base, ops, stop
}

// received is a callback in the list of /demo/callbacks.
type received struct {
	ReceivedAt time.Time           `json:"received_at"`
	Headers    map[string][]string `json:"headers"`
	Body       string              `json:"body"`
	Fields     map[string]string   `json:"fields"`
	HashValid  bool                `json:"hash_valid"`
}

func (p *payer) callbacks(base, order string) (list []received) {
	var all []received
	decoder := json.NewDecoder(strings.NewReader(p.open(base + "/demo/callbacks").text))
	decoder.DisallowUnknownFields()
	require.NoError(p.t, decoder.Decode(&all))
	for _, c := range all {
		require.True(p.t, c.HashValid, c.Body)
		if c.Fields["order_number"] == order {
			list = append(list, c)
		}
	}
	return list
}

// summary returns a callback in short: type, status and order_status.
func summary(c received) string {
	return strings.Join([]string{c.Fields["type"], c.Fields["status"], c.Fields["order_status"]}, " ")
}

// wait waits until the newest callback of an order is this one, and checks all of them.
func (p *payer) wait(base, order, newest string) []received {
	p.t.Helper()
	var list []received
	require.Eventually(p.t, func() bool {
		list = p.callbacks(base, order)
		return len(list) > 0 && summary(list[len(list)-1]) == newest
	}, time.Minute, 20*time.Millisecond, "%s never came", newest)
	for _, c := range list {
		f := c.Fields
		require.True(p.t, signature.Verify(signature.CheckoutCallback, signature.MD5, signature.Inputs{
			PaymentID: f["id"], OrderNumber: f["order_number"], Amount: f["order_amount"],
			Currency: f["order_currency"], Description: f["order_description"],
		}, demoPassword, f["hash"]), c.Body)
		require.NotZero(p.t, c.ReceivedAt)
		require.NotEmpty(p.t, c.Headers["X-Tollgate-Callback-Id"])
		form, err := url.ParseQuery(c.Body)
		require.NoError(p.t, err)
		require.Equal(p.t, form.Get("trans_id"), f["trans_id"])
		require.Equal(p.t, "3", f["custom_data[quantity]"])
		require.NotContains(p.t, c.Body, "4111111111111111")
	}
	return list
}

// alone is a transport of one request; it leaves no connection open.
func alone() *http.Transport { return &http.Transport{DisableKeepAlives: true} }

// status returns the status from the API.
func status(t *testing.T, base, order string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{
		"merchant_key": demoKey, "order_id": order,
		"hash": signature.Sign(signature.CheckoutOrder, signature.MD5, signature.Inputs{OrderID: order}, demoPassword),
	})
	require.NoError(t, err)
	client := &http.Client{Transport: alone()}
	answer, err := client.Post(base+"/api/v1/payment/status", "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	defer answer.Body.Close()
	var payment struct{ Status string }
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&payment))
	return payment.Status
}

func TestEveryCard(t *testing.T) {
	t.Parallel()
	base, _ := start(t, "-store", "memory")
	for _, c := range []struct {
		name, product, expiry string
		hold                  bool
		ending                string // the page where the payer ends; form means declined, with attempts left
		status, callback      string
	}{
		{"settled", "mug", "01/38", false, "success", "settled", "sale success settled"},
		{"declined", "mug", "02/2038", false, "form", "decline", "sale fail decline"},
		{"held", "teapot", "01/38", true, "success", "pending", "sale success pending"},
		{"held, no capture", "teapot", "03/38", true, "success", "pending", "sale success pending"},
		{"3-D Secure", "candle", "05/38", false, "success", "settled", "sale success settled"},
		{"3-D Secure, declined", "candle", "06/38", false, "form", "decline", "sale fail decline"},
		{"bank", "honey", "12/38", false, "success", "settled", "sale success settled"},
		{"bank, declined", "honey", "12/39", false, "form", "decline", "sale fail decline"},
		{"held after 3-D Secure", "mug", "05/38", true, "success", "pending", "sale success pending"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPayer(t)
			form := p.buy(base, c.product, c.hold)
			end := p.pay(form, c.expiry)
			if c.ending == "form" {
				require.Equal(t, form.url.Path, end.url.Path)
				require.Contains(t, end.text, "Declined by processing.")
				end = p.submitTo(end, "/cancel", nil)
				require.Equal(t, "cancel", path.Base(end.url.Path), end.text)
			} else {
				require.Equal(t, c.ending, path.Base(end.url.Path), end.text)
			}
			require.Equal(t, http.StatusOK, end.status)
			require.Contains(t, end.text, "hash valid")
			order := end.url.Query().Get("order_id")
			require.Equal(t, order, path.Base(path.Dir(end.url.Path)))
			p.wait(base, order, c.callback)
			require.Equal(t, c.status, status(t, base, order))

			page := p.open(base + "/orders/" + order)
			require.Contains(t, page.text, ">"+c.status+"</span>")
			require.Contains(t, page.text, "hash valid")
			require.Contains(t, p.open(base+"/orders").text, order)
			forged := *end.url
			forged.RawQuery = strings.Replace(forged.RawQuery, "payment_id=", "payment_id=x", 1)
			require.Contains(t, p.open(forged.String()).text, "hash not valid")
		})
	}
}

func TestFollowUps(t *testing.T) {
	t.Parallel()
	base, _ := start(t, "-store", "memory")
	type step struct{ action, amount, says, callback, status string }
	for _, c := range []struct {
		name, expiry string
		hold         bool
		steps        []step
	}{
		{"capture in part, then void", "01/38", true, []step{
			{"capture", "20.00", "&#34;trans_status&#34;: &#34;SUCCESS&#34;", "capture success settled", "settled"},
			{"void", "", "&#34;status&#34;: &#34;SUCCESS&#34;", "void success void", "void"},
		}},
		{"capture fails", "03/38", true, []step{
			{"capture", "54.00", "&#34;trans_status&#34;: &#34;FAIL&#34;", "capture fail pending", "pending"},
			{"refund", "54.00", "&#34;result&#34;: &#34;accepted&#34;", "refund success reversal", "reversal"},
		}},
		{"refund twice", "01/38", false, []step{
			{"refund", "4.00", "&#34;result&#34;: &#34;accepted&#34;", "refund success refund", "refund"},
			{"refund", "60.00", "Not acceptable to request the refund", "refund success refund", "refund"},
			{"refund", "50.00", "&#34;result&#34;: &#34;accepted&#34;", "refund success refund", "refund"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPayer(t)
			order := p.pay(p.buy(base, "mug", c.hold), c.expiry).url.Query().Get("order_id")
			for _, s := range c.steps {
				page := p.submitTo(p.open(base+"/orders/"+order), "/"+s.action, map[string]string{"amount": s.amount})
				require.Equal(t, http.StatusOK, page.status)
				require.Contains(t, page.text, s.says)
				p.wait(base, order, s.callback)
				require.Equal(t, s.status, status(t, base, order))
			}
		})
	}
}

func TestShopRefuses(t *testing.T) {
	t.Parallel()
	base, _ := start(t, "-store", "memory")
	post := func(t *testing.T, target, body string, header ...string) *http.Response {
		r, err := http.NewRequest(http.MethodPost, base+target, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		answer, err := alone().RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer
	}
	for _, c := range []struct {
		name, target, body string
		header             []string
		want               int
	}{
		{"a form of another site", "/products/mug", "quantity=1", []string{"Origin", "https://evil.example"}, 403},
		{"a form that is too long", "/products/mug", "name=" + strings.Repeat("x", 20<<10), nil, 400},
		{"a name the gateway refuses", "/products/mug", "name=%D0%90%D0%B4%D0%B0", nil, 502},
		{"an unknown product", "/products/gold", "quantity=1", nil, 404},
		{"an unknown order", "/orders/X/refund", "amount=1", nil, 404},
		{"a forged callback", "/demo/callback", "id=1&hash=0123456789012345678901234567890123456789", nil, 400},
		{"a callback without a form", "/demo/callback", "{}", []string{"Content-Type", "application/json"}, 400},
		{"the wrong method", "/demo/callbacks", "", nil, 405},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, post(t, c.target, c.body, c.header...).StatusCode)
		})
	}
	page := newPayer(t).open(base + "/")
	require.Contains(t, page.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'")
	require.NotContains(t, page.text, "<style")
	require.NotContains(t, page.text, "style=")
}

// Browsers are sent to -public; the shop and the callbacks use the listener's own address.
func TestPublic(t *testing.T) {
	t.Parallel()
	base, _ := start(t, "-store", "memory", "-public", "https://demo.example")
	r, err := http.NewRequest(http.MethodPost, base+"/products/mug", strings.NewReader("quantity=3"))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := alone().RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusSeeOther, answer.StatusCode)
	link, ok := strings.CutPrefix(answer.Header.Get("Location"), "https://demo.example")
	require.True(t, ok)
	p := newPayer(t)
	p.submit(p.open(base+link), "card_number",
		map[string]string{"card_number": "4601541833776519", "expiry": "02/38", "cvv": "000"})
	order := regexp.MustCompile(`/orders/(LARK-\w+)`).FindStringSubmatch(p.open(base + "/orders").text)[1]
	p.wait(base, order, "sale fail decline")
}

// left returns the stacks of goroutines that belong to the server or to a connection.
func left() []string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return slices.DeleteFunc(strings.Split(string(stacks), "\n\n"), func(stack string) bool {
		ours := strings.Contains(stack, "tollgatepay") || strings.Contains(stack, "net/http") ||
			strings.Contains(stack, "bbolt")
		return !ours || strings.Contains(stack, "testing.") || strings.Contains(stack, "testify")
	})
}

// Not parallel: it checks all goroutines.
func TestStopLeavesNothing(t *testing.T) {
	db := filepath.Join(t.TempDir(), "t.db")
	var order string
	for range 2 {
		base, stop := start(t, "-store", "bolt:"+db)
		p := newPayer(t)
		if order != "" { // what the first run stored
			require.Equal(t, "settled", status(t, base, order))
		}
		order = p.pay(p.buy(base, "mug", false), "05/38").url.Query().Get("order_id")
		p.wait(base, order, "sale success settled")
		stop()
		p.client.CloseIdleConnections()
		require.Eventually(t, func() bool { return len(left()) == 0 }, time.Minute, 5*time.Millisecond, "goroutines are left")
	}
	require.NoError(t, os.Remove(db+".keys"))
	err := run(t.Context(), []string{"-addr", "127.0.0.1:0", "-store", "bolt:" + db}, io.Discard, io.Discard)
	require.ErrorContains(t, err, "put "+db+".keys back")
}

// A probe of the running server finds it well, and a scrape counts its sale. Both are for the operators alone.
func TestOperators(t *testing.T) {
	t.Parallel()
	base, ops, _ := startSeen(t, "-store", "memory")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	get := func(url string) (status int, body string) {
		r, err := client.Get(url)
		require.NoError(t, err)
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return r.StatusCode, string(text)
	}
	require.Eventually(t, func() bool {
		status, body := get(ops + "/healthz")
		return status == http.StatusOK && strings.HasPrefix(body, `{"ok":true`)
	}, time.Minute, time.Millisecond)
	p := newPayer(t)
	order := p.pay(p.buy(base, "mug", false), "05/38").url.Query().Get("order_id")
	p.wait(base, order, "sale success settled")
	var text string
	require.Eventually(t, func() bool { // the shop knows of its callback before the sender knows that it arrived
		_, text = get(ops + "/metrics")
		return strings.Contains(text, `tollgate_callback_duration_seconds_count{result="delivered",type="sale"} 1`+"\n")
	}, time.Minute, time.Millisecond)
	require.Regexp(t, `tollgate_transactions_total{connector="vcard",.*outcome="success".*} 1\n`, text)
	require.Contains(t, text, "tollgate_due_running 1\n")
	require.Contains(t, text, "go_goroutines ")
	for _, path := range []string{"/metrics", "/healthz"} {
		status, _ := get(base + path)
		require.Equal(t, http.StatusNotFound, status, path)
	}
}
