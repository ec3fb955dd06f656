package shop

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
)

const (
	apiTimeout = 45 * time.Second // longer than the gateway waits for an acquirer
	maxAnswer  = 1 << 20          // bytes
)

// client sends requests to the gateway as one merchant.
type client struct {
	base    string
	account *Account
	now     func() time.Time
	http    *http.Client
}

func newClient(base string, account *Account, now func() time.Time) *client {
	return &client{base: base, account: account, now: now, http: &http.Client{
		Timeout:   apiTimeout,
		Transport: &http.Transport{MaxIdleConnsPerHost: 8, IdleConnTimeout: 30 * time.Second},
		// The gateway answers at its own address; a redirect would send signed bodies elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// post sends one request. A failure is part of the exchange, because the pages show it.
func (c *client) post(ctx context.Context, name, path string, body any) exchange {
	return c.say(ctx, exchange{Name: name, Method: http.MethodPost, Path: path}, "", body)
}

// say sends the request of e, with a session token if there is one.
func (c *client) say(ctx context.Context, e exchange, token string, body any) exchange {
	e.At = c.now().UTC()
	text, err := json.MarshalIndent(body, "", "  ")
	if err != nil {
		e.Fault = "the request could not be written"
		return e
	}
	e.Request = string(text)
	header := http.Header{"Content-Type": {"application/json"}}
	if token != "" {
		header.Set("Token", token)
	}
	return c.ask(ctx, e, e.Request, header)
}

// ask sends a body and records the answer.
func (c *client) ask(ctx context.Context, e exchange, body string, header http.Header) exchange {
	var err error
	if e.Status, e.Answer, err = c.send(ctx, e, body, header); err != nil {
		e.Fault = "the gateway could not be reached"
	}
	return e
}

func (c *client) send(ctx context.Context, e exchange, body string, header http.Header) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, e.Method, c.base+e.Path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header = header
	answer, err := c.http.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = answer.Body.Close() }() // read to its end
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return 0, "", err
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, text, "", "  ") != nil {
		return answer.StatusCode, string(text), nil
	}
	return answer.StatusCode, pretty.String(), nil
}

// sessionRequest is the part of a session request that a shop needs (SPEC1, "Checkout session request").
type sessionRequest struct {
	MerchantKey string         `json:"merchant_key"`
	Operation   string         `json:"operation"`
	Auth        string         `json:"auth,omitempty"` // "Y": authorize only
	Order       wireOrder      `json:"order"`
	SuccessURL  string         `json:"success_url,omitempty"`
	CancelURL   string         `json:"cancel_url,omitempty"`
	ExpiryURL   string         `json:"expiry_url,omitempty"`
	ErrorURL    string         `json:"error_url,omitempty"`
	ReturnURL   string         `json:"return_url,omitempty"` // of a session token, instead of the others
	Customer    *wireCustomer  `json:"customer,omitempty"`
	Billing     *wireAddress   `json:"billing_address,omitempty"`
	VATCalc     bool           `json:"vat_calc,omitempty"` // report the tax
	CustomData  map[string]any `json:"custom_data,omitempty"`

	RecurringInit  bool   `json:"recurring_init,omitempty"` // the card may be charged again
	ScheduleID     string `json:"schedule_id,omitempty"`    // the schedule by which it is charged
	ScheduleStart  string `json:"schedule_start_date,omitempty"`
	ScheduleAmount string `json:"payment_schedule_amount,omitempty"` // when it differs from the first one

	Hash string `json:"hash"`
}

type wireOrder struct {
	Number      string `json:"number"`
	Amount      string `json:"amount"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
}

type wireCustomer struct {
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
	IP    string `json:"ip,omitempty"`
}

type wireAddress struct {
	Country string `json:"country"`
}

// session requests a payment page. pages is the order's own URL, to which the payer returns.
func (c *client) session(ctx context.Context, o *order, pages string, payer *wireCustomer) exchange {
	request := c.purchase(o, payer)
	request.SuccessURL, request.CancelURL = pages+"/success", pages+"/cancel"
	request.ExpiryURL, request.ErrorURL = pages+"/expiry", pages+"/error"
	return c.post(ctx, "Session", "/api/v1/session", request)
}

// purchase returns the fields of every request about an order, signed.
func (c *client) purchase(o *order, payer *wireCustomer) sessionRequest {
	request := sessionRequest{
		MerchantKey: c.account.Key, Operation: "purchase",
		Order:    wireOrder{o.Number, o.Amount, o.Currency, o.Description},
		Customer: payer, CustomData: o.data(),
		Hash: c.account.sign(signature.CheckoutSession, signature.Inputs{
			OrderNumber: o.Number, Amount: o.Amount, Currency: o.Currency, Description: o.Description,
		}),
	}
	if o.Country != "" {
		request.Billing, request.VATCalc = &wireAddress{o.Country}, true
	}
	if o.Hold {
		request.Auth = "Y"
	}
	if o.Plan.ScheduleID != "" {
		request.RecurringInit, request.ScheduleID = true, o.Plan.ScheduleID
		request.ScheduleStart, request.ScheduleAmount = o.Plan.Start, o.Plan.Amount
	}
	return request
}

// statusRequest is a lookup of a payment, or of the newest payment of an order.
type statusRequest struct {
	MerchantKey string `json:"merchant_key"`
	PaymentID   string `json:"payment_id,omitempty"`
	OrderID     string `json:"order_id,omitempty"`
	Hash        string `json:"hash"`
}

// status returns the payment of an order. found is false before a payer has tried to pay. All payments of a
// subscription have the number of its order, so once the first one is known it is looked up by its own id.
func (c *client) status(ctx context.Context, o *order) (p payment, e exchange, found bool) {
	request := statusRequest{MerchantKey: c.account.Key, PaymentID: o.Plan.First}
	if request.PaymentID == "" {
		request.OrderID = o.Number
		request.Hash = c.account.sign(signature.CheckoutOrder, signature.Inputs{OrderID: o.Number})
	} else {
		request.Hash = c.account.sign(signature.CheckoutPayment, signature.Inputs{PaymentID: request.PaymentID})
	}
	e = c.post(ctx, "Status", "/api/v1/payment/status", request)
	err := e.decode(&p)
	return p, e, err == nil
}

// followUpRequest is a follow-up of a payment.
type followUpRequest struct {
	MerchantKey string `json:"merchant_key"`
	PaymentID   string `json:"payment_id"`
	Amount      string `json:"amount,omitempty"`
	Hash        string `json:"hash"`
}

// followUps are the follow-ups by their name in the path.
var followUps = map[string]struct {
	name       string
	withAmount bool
}{
	"capture": {"Capture", true},
	"refund":  {"Refund", true},
	"void":    {"Void", false},
}

// followUp captures, refunds or voids a payment.
func (c *client) followUp(ctx context.Context, action, paymentID, amount string) exchange {
	row := followUps[action]
	request := followUpRequest{MerchantKey: c.account.Key, PaymentID: paymentID}
	formula, in := signature.CheckoutPayment, signature.Inputs{PaymentID: paymentID}
	if row.withAmount {
		request.Amount, in.Amount, formula = amount, amount, signature.CheckoutAmount
	}
	request.Hash = c.account.sign(formula, in)
	return c.post(ctx, row.name, "/api/v1/payment/"+action, request)
}
