// Package wire is a merchant's client of the protocols over HTTP: it signs requests, sends them and reads the answers.
//
//	shop := wire.Must(wire.New("https://pay.example", wire.Options{Key: key, Password: password}))
//	page, err := shop.CreateSession(ctx, wire.Fields{"operation": "purchase", "order": ...})
//	http.Redirect(w, r, page, http.StatusSeeOther)
//
// Fields have the names of the protocol's documents, and amounts are text, like "10.00". A payment that is declined is
// an answer, not an error. An error is
//
//   - a *Refused when the platform said no: this request did nothing, but an earlier one may have (Refused.Duplicate);
//   - ErrNotSent when it never had the request;
//   - ErrUnsure when there is no answer, and the request may have been done. Ask for the status before a payment is
//     sent again. A refund shows in GET_TRANS_DETAILS of S2S; Checkout tells it by its callback and in refunded_amount
//     once it is done, and before that in pending_refund_amount, where the Protocol Mapping has this option. The same
//     refund sent again is refused as a duplicate while the first one is not finished. Later it is a second refund.
//
// Package callback/receive reads what the platform reports by itself.
package wire

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

// Why there is no answer.
var (
	ErrNotSent = errors.New("wire: the platform could not be reached, and nothing was done")
	ErrUnsure  = errors.New("wire: there is no answer, and the request may have been done")
)

const (
	maxAnswer = 1 << 20 // bytes
	maxFaults = 100     // of one refusal
	// DefaultTimeout is the time that a request may take, unless Options.Timeout says otherwise.
	DefaultTimeout = time.Minute
)

// Options are what the platform has given to the merchant. Key and Password are required.
type Options struct {
	Key      string        // merchant_key of Checkout, client_key of S2S
	Password store.Secret  // signs, and is never sent
	SHA256   bool          // the Protocol Mapping says that hashes are SHA-256. Default: MD5
	Timeout  time.Duration // for one request, within its context. Default: DefaultTimeout
	// Transport sends the requests. Default: TLS 1.2 and later, no proxy.
	Transport http.RoundTripper
	// Plain allows http beside https to other hosts than this one.
	Plain bool
}

// Client is one merchant. Many goroutines may use it.
type Client struct {
	http     *rest.Client
	key      string
	password store.Secret
	mode     signature.Mode
	timeout  time.Duration
}

// New returns a client of the platform at an absolute URL, without a path of a protocol. It returns an error for a URL
// with a query or a password, for one without TLS to another host, without key or password, and for a negative Timeout.
func New(base string, o Options) (*Client, error) {
	if o.Key == "" || o.Password.Reveal() == "" {
		return nil, errors.New("wire: Options need Key and Password")
	}
	if o.Timeout < 0 {
		return nil, errors.New("wire: Options.Timeout must not be negative")
	}
	to, err := rest.New(base, rest.Options{MaxBytes: maxAnswer, Transport: o.Transport, Plain: o.Plain})
	if err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	c := &Client{http: to, key: o.Key, password: o.Password, timeout: cmp.Or(o.Timeout, DefaultTimeout)}
	if o.SHA256 {
		c.mode = signature.SHA256
	}
	return c, nil
}

// Must returns the client, for a URL and options that a program has as constants. It panics on an error.
func Must(c *Client, err error) *Client {
	if err != nil {
		panic(err)
	}
	return c
}

// Close closes the connections that are not in use.
func (c *Client) Close() { c.http.Close() }

func (c *Client) sign(f signature.Formula, in signature.Inputs) string {
	return signature.Sign(f, c.mode, in, c.password.Reveal())
}

// send sends a request and reads the answer.
func (c *Client) send(ctx context.Context, r rest.Request) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	reply := c.http.Send(ctx, r)
	switch {
	case !reply.Sent():
		return nil, fmt.Errorf("%w: %w", ErrNotSent, reply.Err())
	case reply.Err() != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnsure, reply.Err())
	case reply.Status >= http.StatusInternalServerError:
		return nil, fmt.Errorf("%w: status %d", ErrUnsure, reply.Status)
	}
	a := &Answer{Status: reply.Status}
	whole := decode(reply.Body, &a.Body) == nil
	if refused := a.refused(); refused != nil {
		return nil, refused
	}
	if !whole || reply.Status/100 != 2 {
		return nil, fmt.Errorf("%w: status %d, and a body of %d bytes", ErrUnsure, reply.Status, len(reply.Body))
	}
	return a, nil
}

// decode reads one JSON value, with numbers as they are written.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}

// unclear are the statuses of clients' faults after which a request may have been done all the same.
var unclear = []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly}

// Refused says that the platform refuses a request, which has done nothing.
type Refused struct {
	Status  int      // of HTTP
	Code    int      // docs/protocol/errors.md has the list; 0 for none
	Message string   // what it says of the whole request
	Faults  []string // what is wrong, each with its field where it names one
}

// Error says what is wrong.
func (e *Refused) Error() string {
	text := fmt.Sprintf("wire: refused with status %d", e.Status)
	if e.Message != "" {
		text += ": " + e.Message
	}
	return strings.Join(append([]string{text}, e.Faults...), " ")
}

// Duplicate reports that an earlier request is the reason: one like it was done or is under way, or its order has a
// payment. Ask for the status of the order.
func (e *Refused) Duplicate() bool {
	if e.Code == 400 { // the code of the window for duplicates, whatever the status of HTTP
		return true
	}
	known := func(text string) bool {
		return strings.Contains(text, "Duplicate") || strings.Contains(text, "Previous payment not completed")
	}
	return known(e.Message) || slices.ContainsFunc(e.Faults, known)
}

// refused returns what an answer refuses; nil for none.
func (a *Answer) refused() *Refused {
	message, result := a.Text("error_message"), a.Text("result")
	undone := a.Status/100 == 4 && !slices.Contains(unclear, a.Status)
	if !undone && (message == "" || result != "ERROR") {
		return nil
	}
	r := &Refused{Status: a.Status, Message: message, Code: a.code("error_code")}
	for i := range min(a.len("errors"), maxFaults) {
		at := strconv.Itoa(i)
		r.Faults = append(r.Faults, a.Text("errors", at, "error_message"))
		if r.Code == 0 {
			r.Code = a.code("errors", at, "error_code")
		}
	}
	return r
}

// Fields is an object of a request or an answer.
type Fields map[string]any

// Answer is what the platform answers. Numbers in Body are json.Number.
type Answer struct {
	Status int // of HTTP
	Body   any // the JSON value: map[string]any, or []any of a status with size
}

// at returns a value below the body, by names of members and numbers of elements; nil for none.
func (a *Answer) at(path ...string) any {
	value := a.Body
	for _, name := range path {
		switch in := value.(type) {
		case map[string]any:
			value = in[name]
		case []any:
			value = element(in, name)
		default:
			return nil
		}
	}
	return value
}

func element(list []any, number string) any {
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(list) || strconv.Itoa(i) != number {
		return nil
	}
	return list[i]
}

// Text returns a text or a number of the answer by its path, like Text("order", "amount"). Elements of a list are
// numbered from "0". It is empty for what is not there.
func (a *Answer) Text(path ...string) string {
	switch value := a.at(path...).(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	default:
		return ""
	}
}

func (a *Answer) len(path ...string) int {
	list, _ := a.at(path...).([]any)
	return len(list)
}

func (a *Answer) code(path ...string) int {
	n, _ := json.Number(a.Text(path...)).Int64()
	return int(n)
}

// Redirect returns where the payer has to go next, in the shape of each protocol; false for nowhere.
func (a *Answer) Redirect() (next store.Redirect, ok bool) {
	next = store.Redirect{URL: a.Text("redirect_url"), Method: a.Text("redirect_method")}
	if next.URL == "" {
		return next, false
	}
	switch params := a.at("redirect_params").(type) {
	case map[string]any:
		for _, name := range sorted(params) {
			next.Params = append(next.Params, store.RedirectParam{Name: name, Value: a.Text("redirect_params", name)})
		}
	case []any:
		for i := range params {
			at := strconv.Itoa(i)
			next.Params = append(next.Params, store.RedirectParam{
				Name: a.Text("redirect_params", at, "name"), Value: a.Text("redirect_params", at, "value")})
		}
	}
	if next.Method == "" { // HPF names none: a POST has a list of parameters, which may be empty, and a GET has none
		next.Method = http.MethodGet
		if _, posted := a.at("redirect_params").([]any); posted {
			next.Method = http.MethodPost
		}
	}
	return next, true
}

func sorted(m map[string]any) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	return names
}
