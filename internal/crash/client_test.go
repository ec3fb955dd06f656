package crash

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
)

// client is all callers of the gateway: the merchant's backend and the payers' browsers.
type client struct {
	url  string
	http *http.Client

	requests, lost atomic.Int64
}

func newClient(url string) *client {
	return &client{url: url, http: &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
		Timeout:       startTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// reply is an answer that arrived complete.
type reply struct {
	status   int
	location string
	body     string
}

// do sends a request; header is alternating names and values.
func (c *client) do(ctx context.Context, method, target, contentType string, body []byte,
	header ...string) (reply, error) {
	r, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	c.requests.Add(1)
	resp, err := c.http.Do(r)
	if err != nil {
		c.lost.Add(1)
		return reply{}, err
	}
	defer resp.Body.Close() //nolint:errcheck // read or not, it is over
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		c.lost.Add(1)
	}
	return reply{resp.StatusCode, resp.Header.Get("Location"), string(text)}, err
}

func (c *client) get(ctx context.Context, target string) (reply, error) {
	return c.do(ctx, http.MethodGet, target, "", nil)
}

func (c *client) post(ctx context.Context, target string, form url.Values) (reply, error) {
	return c.do(ctx, http.MethodPost, target, "application/x-www-form-urlencoded", []byte(form.Encode()))
}

// call is a signed request of the merchant's backend. signed are the values of the formula.
func (c *client) call(path string, body map[string]any, signed ...string) (reply, error) {
	body["merchant_key"], body["hash"] = merchantKey, sign(signed...)
	text, err := json.Marshal(body)
	if err != nil {
		return reply{}, err
	}
	return c.do(context.Background(), http.MethodPost, c.url+path, "application/json", text)
}

// sign is the hash of every Checkout formula, implemented independently of the gateway.
func sign(values ...string) string {
	inner := md5.Sum([]byte(strings.ToUpper(strings.Join(values, "") + password)))
	outer := sha1.Sum([]byte(hex.EncodeToString(inner[:])))
	return hex.EncodeToString(outer[:])
}

// work makes a child do what is due, one item after the other.
func (c *client) work() (done, error) { return c.workBy(1) }

func (c *client) workBy(workers int) (d done, err error) {
	r, err := c.post(context.Background(), c.url+"/crash/work", url.Values{"workers": {strconv.Itoa(workers)}})
	if err == nil {
		err = json.Unmarshal([]byte(r.body), &d)
	}
	return d, err
}

// payment is a payment as the API returns it.
type payment struct {
	ID     string `json:"payment_id"`
	Status string `json:"status"`
	Order  struct {
		Number string `json:"number"`
		Amount string `json:"amount"`
	} `json:"order"`
}

// payments returns every payment of an order; none if the gateway does not know the order.
func (c *client) payments(order string) (list []payment, err error) {
	r, err := c.call("/api/v1/payment/status", map[string]any{"order_id": order, "size": 100}, order)
	if err != nil || r.status == http.StatusBadRequest && strings.Contains(r.body, "Order does not exist") {
		return nil, err
	}
	return list, json.Unmarshal([]byte(r.body), &list)
}
