package s2sclient

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// maxBody bounds what is read of an answer or of a callback, in bytes.
const maxBody = 1 << 20

// Fields is a form body of a request. Nested values have bracket names: "parameters[code]".
type Fields map[string]string

// With returns a copy with further fields, given as name, value, name, value. An empty value removes a field.
func (f Fields) With(pairs ...string) Fields {
	out := Fields{}
	maps.Copy(out, f)
	for pair := range slices.Chunk(pairs, 2) {
		if len(pair) < 2 || pair[1] == "" {
			delete(out, pair[0])
			continue
		}
		out[pair[0]] = pair[1]
	}
	return out
}

// Client is a merchant. It must not be copied after first use; it may be used by several goroutines.
type Client struct {
	URL      string // complete, with the path /post, /post-va or /v2/post
	Key      string // client_key
	Password string
	SHA256   bool // SHA-256 replaces MD5
	HTTP     *http.Client

	Unicode       bool   // requests are upper-cased beyond ASCII (decision l)
	UpperPassword bool   // the other reading of the APM password in requests (decision a)
	Multipart     bool   // bodies are multipart/form-data (decision m)
	CryptoBrands  string // words: brands whose SALE is a crypto one
	CryptoByEmail bool   // callbacks of a crypto SALE are signed by the e-mail formula (decision bv)
	Cascading     bool   // Cascading Context is on: status answers are about the newest payment of a cascade

	mu     sync.Mutex
	memory memory
}

// Answer is the answer to a request.
type Answer struct {
	HTTP    int // status
	Header  http.Header
	Raw     []byte
	Body    *Object // nil when Raw is no JSON object, see Fault
	Fault   string  // why there is no Body
	Path    string  // of the request
	Sent    Fields  // as sent, with client_key and hash
	Payment Payment // that the request is about, as far as the client knows it

	// Cascading means that a status answer may be about another payment of the order than the named one.
	Cascading bool
}

// Result returns SUCCESS, DECLINED and so on, "" when absent.
func (a *Answer) Result() string { return a.Body.Text("result") }

// Status returns the payment status of the answer.
func (a *Answer) Status() string { return a.Body.Text("status") }

// TransID returns the payment's id in the answer.
func (a *Answer) TransID() string { return a.Body.Text("trans_id") }

// Do signs and sends a request. A client_key or hash among the fields stays as it is, an empty one is sent empty.
// Errors are those of the transport; Check finds a wrong answer.
func (c *Client) Do(ctx context.Context, fields Fields) (*Answer, error) {
	sent := c.Sign(fields)
	p, begins := c.begin(sent)
	answer, err := c.send(ctx, sent)
	if err != nil {
		return nil, err
	}
	answer.Payment, answer.Cascading = p, c.Cascading && strings.HasPrefix(sent["action"], "GET_TRANS_")
	c.keep(answer, begins)
	return answer, nil
}

// Sign returns a copy of the fields with client_key and hash added if they are missing.
func (c *Client) Sign(fields Fields) Fields {
	sent := Fields{"client_key": c.Key}
	maps.Copy(sent, fields)
	if _, given := sent["hash"]; given {
		return sent
	}
	c.mu.Lock()
	p, begins := c.memory.subject(sent, c.path())
	c.mu.Unlock()
	of := p.Action
	if begins {
		of = ""
	}
	if hash := c.hash(RequestFormula(p.Protocol, sent, of), sent, p); hash != "" {
		sent["hash"] = hash
	}
	return sent
}

// Hash returns the signature of a request by a formula of the caller's choice, to be sent in the field hash.
func (c *Client) Hash(formula Formula, fields Fields) string {
	c.mu.Lock()
	p, _ := c.memory.subject(fields, c.path())
	c.mu.Unlock()
	return c.hash(formula, fields, p)
}

func (c *Client) hash(formula Formula, f Fields, p Payment) string {
	email := cmp.Or(f["payer_email"], p.Email)
	if p.Action == "CREDIT2CARD" {
		email = "" // no formula of a card payout has it
	}
	return formula.Digest(Inputs{
		Email: email, Card: c.signed(f, p), CardToken: f["card_token"],
		TransID: f["trans_id"], OrderID: f["order_id"], ScheduleID: f["schedule_id"],
		Identifier: f["identifier"], Amount: f["order_amount"], Currency: f["order_currency"],
		Password: c.Password, SHA256: c.SHA256, Unicode: c.Unicode, UpperAPMPass: c.UpperPassword,
	})
}

// signed returns the card number that is signed: none for a new payment by token, whose formula has the token.
func (c *Client) signed(f Fields, p Payment) string {
	if f["card_token"] != "" && f["card_number"] == "" && f["payer_card_number"] == "" {
		return ""
	}
	return p.Card
}

func (c *Client) path() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	return u.Path
}

func (c *Client) send(ctx context.Context, sent Fields) (*Answer, error) {
	body, contentType, err := c.encode(sent)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", contentType)
	response, err := c.HTTP.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	answer := &Answer{HTTP: response.StatusCode, Header: response.Header, Raw: raw, Path: c.path(), Sent: sent}
	if answer.Body, err = ParseObject(raw); err != nil {
		answer.Fault = err.Error()
	}
	return answer, nil
}

func (c *Client) encode(f Fields) (io.Reader, string, error) {
	if c.Multipart {
		return f.multipart()
	}
	values := url.Values{}
	for name, value := range f {
		values.Set(name, value)
	}
	return strings.NewReader(values.Encode()), "application/x-www-form-urlencoded", nil
}

func (f Fields) multipart() (io.Reader, string, error) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if err := w.WriteField(name, f[name]); err != nil {
			return nil, "", err
		}
	}
	return &body, w.FormDataContentType(), w.Close()
}
