// Package wire is a merchant's client of the protocols over HTTP: it signs requests, sends them and reads the answers.
//
//	shop := wire.Must(wire.New("https://pay.example", wire.Options{Key: key, Password: password}))
//	page, err := shop.CreateSession(ctx, wire.Fields{"operation": "purchase", "order": ...})
//	http.Redirect(w, r, page, http.StatusSeeOther)
//
// Fields have the names of the protocol's documents, and amounts are text, like "10.00". An error is a *Refused when
// the platform said no and did nothing, ErrNotSent when it never had the request, and ErrUnsure when nobody knows: then
// ask for the status before the request is sent again. A payment that is declined is an answer, not an error.
//
// Package callback/receive reads what the platform reports by itself.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

// Why there is no answer.
var (
	ErrNotSent = errors.New("wire: the platform could not be reached, and nothing was done")
	ErrUnsure  = errors.New("wire: there is no answer, and the request may have been done: ask for the status")
)

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 1 << 20

// Options are what the platform has given to the merchant. Key and Password are required.
type Options struct {
	Key      string       // merchant_key of Checkout, client_key of S2S
	Password store.Secret // signs, and is never sent
	SHA256   bool         // the Protocol Mapping says that hashes are SHA-256. Default: MD5
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
}

// New returns a client of the platform at an absolute URL, without a path of a protocol. It returns an error for a URL
// with a query or a password, for one without TLS to another host, and without key or password.
func New(base string, o Options) (*Client, error) {
	if o.Key == "" || o.Password.Reveal() == "" {
		return nil, errors.New("wire: Options need Key and Password")
	}
	to, err := rest.New(base, rest.Options{MaxBytes: maxAnswer, Transport: o.Transport, Plain: o.Plain})
	if err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	c := &Client{http: to, key: o.Key, password: o.Password}
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
	reply := c.http.Send(ctx, r)
	switch {
	case !reply.Sent():
		return nil, ErrNotSent
	case reply.Body == nil, reply.Status >= http.StatusInternalServerError:
		return nil, ErrUnsure
	}
	a := &Answer{Status: reply.Status}
	whole := decode(reply.Body, &a.Body) == nil
	if refused := a.refused(); refused != nil {
		return nil, refused
	}
	if !whole || reply.Status/100 != 2 {
		return nil, ErrUnsure
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

// Refused says that the platform refuses a request, and has done nothing.
type Refused struct {
	Status  int      // of HTTP
	Code    int      // docs/errors.md has the list; 0 for none
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

// refused returns what an answer refuses; nil for none.
func (a *Answer) refused() *Refused {
	message, result := a.Text("error_message"), a.Text("result")
	undone := a.Status/100 == 4 && !slices.Contains(unclear, a.Status)
	if !undone && (message == "" || result != "ERROR") {
		return nil
	}
	r := &Refused{Status: a.Status, Message: message, Code: a.code("error_code")}
	for i := range a.len("errors") {
		at := fmt.Sprint(i)
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
	for i := range list {
		if fmt.Sprint(i) == number {
			return list[i]
		}
	}
	return nil
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
			at := fmt.Sprint(i)
			next.Params = append(next.Params, store.RedirectParam{
				Name: a.Text("redirect_params", at, "name"), Value: a.Text("redirect_params", at, "value")})
		}
	}
	if next.Method == "" { // HPF names none: a GET has no parameters
		next.Method = http.MethodGet
		if len(next.Params) > 0 {
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
