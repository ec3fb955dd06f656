package store

import (
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// CallbackState is the state of a callback's delivery.
type CallbackState string

// The states of a callback. A dead one stays visible and can be sent again.
const (
	CallbackDue       CallbackState = "due"
	CallbackDelivered CallbackState = "delivered"
	CallbackDead      CallbackState = "dead"
)

// Callback is one notification to a merchant. It is rendered in the transaction that applies the outcome it
// reports, and every attempt sends the same bytes. Body is empty when it has the payer's link, and is stored sealed
// then.
type Callback struct {
	ID            string        `json:"-"` // the key has it: the payment's id and the number (CallbackID)
	PaymentID     string        `json:"-"`
	TransactionID string        `json:"t"`
	MerchantID    string        `json:"m"`
	Number        int           `json:"-"` // 1, 2, ... within the payment
	Type          string        `json:"k"` // sale, 3ds, refund, ...
	Outcome       string        `json:"o"` // success, fail, waiting or undefined
	URL           string        `json:"u"`
	Body          string        `json:"b,omitempty"`
	RequireOK     bool          `json:"require_ok,omitempty"`
	State         CallbackState `json:"s"`
	Due           time.Time     `json:"due,omitzero"`
	Tries         int           `json:"tries,omitempty"`
	GivenBack     int           `json:"given_back,omitempty"` // tries in a row that could not deliver
	Attempts      []Attempt     `json:"attempts,omitempty"`   // the newest, at most MaxAttempts
	CreatedAt     time.Time     `json:"at"`
}

// CallbackRecord is a callback as it is stored, for the gateway alone. SealedBody replaces Body when the body has the
// payer's link. Follows is the callback that has to be tried before this one: that of the payment that began the chain.
// Leads says that others may wait for this callback (decision bb).
type CallbackRecord struct {
	Callback
	SealedBody *Sealed `json:"sealed_body,omitempty" after:"b"`
	Follows    string  `json:"follows,omitempty" after:"at"`
	Leads      bool    `json:"leads,omitempty"`
}

// CallbackID returns the id of the n-th callback of a payment. The ids of a payment ascend.
func CallbackID(paymentID string, number int) string {
	digits := strconv.Itoa(number)
	return paymentID + "." + "000"[:max(4-len(digits), 0)] + digits
}

// SplitCallbackID returns the payment and the number of a callback; 0 for an id that is none.
func SplitCallbackID(id string) (paymentID string, number int) {
	at := strings.LastIndexByte(id, '.')
	if at < 0 {
		return id, 0
	}
	number, _ = strconv.Atoi(id[at+1:])
	return id[:at], number
}

// brief returns the callback without what complete can add: most are due when they are made.
func (c *CallbackRecord) brief() CallbackRecord {
	b := *c
	if b.State == CallbackDue && b.Due.Equal(b.CreatedAt) {
		b.Due = time.Time{}
	}
	return b
}

// complete adds what the document leaves out: what the key has, and that it is due since it was made.
func (c *CallbackRecord) complete(id string) {
	c.ID = id
	c.PaymentID, c.Number = SplitCallbackID(id)
	if c.State == CallbackDue && c.Due.IsZero() {
		c.Due = c.CreatedAt
	}
}

// MaxAttempts bounds the attempt log of a callback.
const MaxAttempts = 20

// Attempt is one entry of the attempt log of a callback.
type Attempt struct {
	At      time.Time `json:"at"`
	Verdict string    `json:"verdict"`          // accepted, refused or timeout: callback.Verdict
	Status  int       `json:"status,omitempty"` // of HTTP; 0 without an answer
	Detail  string    `json:"detail,omitempty"`
}

// Check guards the rules that every stored callback must satisfy.
func (c *CallbackRecord) Check() error {
	switch {
	case c.ID == "" || c.PaymentID == "" || c.Number < 1 || c.URL == "" || len(c.Body) == 0 && c.SealedBody == nil:
		return errors.New("callback: id, payment, number, URL and body are required")
	case !utf8.ValidString(c.Body):
		return errors.New("callback: the body is not text")
	case (c.State == CallbackDue) == c.Due.IsZero():
		return errors.New("callback: the state is due if and only if a due time is set")
	}
	return nil
}
