package sim

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// The records as the auditor reads them: its own structures over the stored bytes.

type orderRecord struct {
	Number      string `json:"n"`
	Amount      string `json:"a"`
	Currency    string `json:"c"`
	Description string `json:"d"`
}

type paymentRecord struct {
	ID         string      `json:"-"`
	Merchant   string      `json:"m"`
	Session    string      `json:"session"`
	Protocol   string      `json:"via"`
	Kind       string      `json:"k"`
	Hold       bool        `json:"hold"`
	Order      orderRecord `json:"o"`
	Status     string      `json:"s"`
	Version    int         `json:"n"`
	Amount     money       `json:"a"`
	Authorized money       `json:"au"`
	Captured   money       `json:"ca"`
	Refunded   money       `json:"rf"`
	Reserved   money       `json:"rs"`
	Running    string      `json:"run"`
	IDs        []string    `json:"-"` // of its transactions
	Charge     string      `json:"charge"`
	Callbacks  int         `json:"cb"`
	MID        string      `json:"mid"`
	Notify     string      `json:"u"`
	Payer      struct {
		Email string `json:"email"`
	} `json:"p"`
	Card *struct {
		Mask   string `json:"mask"`
		Expiry string `json:"expiry"`
	} `json:"c"`
	ReqToken       bool   `json:"req_token"`
	CardToken      string `json:"card_token"`
	RecurringInit  bool   `json:"recurring_init"`
	RecurringToken string `json:"recurring_token"`
	InitID         string `json:"recurring_init_id"`
	Schedule       string `json:"schedule_id"`
	Occurrence     int    `json:"occurrence"` // of a scheduled payment
	Cascade        string `json:"cascade"`
	Next           string `json:"next"`
	CreatedAt      stamp  `json:"at"`
	UpdatedAt      stamp  `json:"up"`
	CapturedAt     stamp  `json:"cat"`

	Transactions []json.RawMessage `json:"t"`
}

// idOf returns the id of a transaction that the record names by its number.
func (p *paymentRecord) idOf(number string) string {
	if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= len(p.IDs) {
		return p.IDs[n-1]
	}
	return number
}

// chargeID is the transaction that took the money, or may take it.
func (p *paymentRecord) chargeID() string {
	if p.Charge != "" {
		return p.Charge
	}
	return p.IDs[0]
}

// untouched reports a settled purchase or debit without refunds and with nothing under way.
func (p *paymentRecord) untouched() bool {
	return p.Kind != "credit" && p.Status == "SETTLED" && p.Refunded+p.Reserved == 0 && p.Running == ""
}

// begins reports the first payment of a chain.
func (p *paymentRecord) begins() bool { return p.InitID == p.ID }

// transactionRecord is one of the transactions in the record of its payment; text is its own part of that.
type transactionRecord struct {
	text         string
	ID           string          `json:"id"`
	Payment      string          `json:"-"`
	Operation    string          `json:"op"`
	Amount       money           `json:"a"`
	Currency     string          `json:"-"`
	Outcome      string          `json:"out"`
	Soft         bool            `json:"soft"`
	Version      int             `json:"n"`
	MID          string          `json:"-"`
	Connector    string          `json:"by"`
	Parent       string          `json:"parent"`
	Reference    string          `json:"ref"`
	Held         json.RawMessage `json:"held"`
	SealedCard   json.RawMessage `json:"sc"`
	Due          stamp           `json:"due"`
	Asked        int             `json:"asked"`
	Review       string          `json:"review"`
	Decision     json.RawMessage `json:"decision"`
	CreatedAt    stamp           `json:"at"`
	DeadlineAt   stamp           `json:"till"`
	DoneAt       stamp           `json:"done"`
	Coded        bool            `json:"cv"`
	OnFile       bool            `json:"on_file"`
	ErasedAt     stamp           `json:"erased_at"`
	Continuation []byte          `json:"continuation"`
	Returning    *markRecord     `json:"returning"`
	Answering    *markRecord     `json:"answering"`
}

// markRecord is the mark of a call of a payer's return or answer.
type markRecord struct {
	ID       string `json:"id"`
	Until    stamp  `json:"until"`
	Answered bool   `json:"answered"`
	Kept     []byte `json:"kept"`
}

// unanswered reports a mark whose call has no answer yet, or never gets one.
func (m *markRecord) unanswered() bool { return m != nil && !m.Until.IsZero() }

// sealed reports whether a call has to open sealed data.
func (t *transactionRecord) sealed() bool { return len(t.Held) > 0 || len(t.SealedCard) > 0 }

// other reports a mark of another call.
func (m *markRecord) other(was *markRecord) bool { return m != nil && (was == nil || m.ID != was.ID) }

// The outcomes of a transaction.
const (
	sent    = ""
	waiting = "waiting"
	doubt   = "doubt"
	success = "success"
	failed  = "fail"
)

func (t *transactionRecord) closed() bool { return t.Outcome == success || t.Outcome == failed }

type sessionRecord struct {
	ID        string      `json:"-"`
	Merchant  string      `json:"merchant"`
	Bare      bool        `json:"bare"`
	State     string      `json:"state"`
	Version   int         `json:"version"`
	Hosted    bool        `json:"hosted"`
	Order     orderRecord `json:"order"`
	Attempts  int         `json:"attempts"`
	Declines  int         `json:"declines"`
	Payment   string      `json:"payment"`
	Running   bool        `json:"running"`
	CreatedAt stamp       `json:"created_at"`
	ExpiresAt stamp       `json:"expires_at"`
}

type callbackRecord struct {
	ID          string          `json:"-"`
	Payment     string          `json:"-"`
	Transaction string          `json:"t"`
	Merchant    string          `json:"m"`
	Number      int             `json:"-"`
	Type        string          `json:"k"`
	Outcome     string          `json:"o"`
	URL         string          `json:"u"`
	Body        string          `json:"b"`
	Sealed      json.RawMessage `json:"sealed_body"`
	RequireOK   bool            `json:"require_ok"`
	State       string          `json:"s"`
	Due         stamp           `json:"due"`
	CreatedAt   stamp           `json:"at"`
	Tries       int             `json:"tries"`
	Attempts    []attemptRecord `json:"attempts"`
}

type attemptRecord struct {
	At      stamp  `json:"at"`
	Verdict string `json:"verdict"`
}

// money is an exact amount in thousandths, the smallest unit of a world's currencies.
type money int64

// UnmarshalText reads a decimal string.
func (m *money) UnmarshalText(text []byte) error {
	*m = moneyOf(string(text))
	return nil
}

// moneyOf reads a decimal string; an invalid one is an amount that equals no other.
func moneyOf(text string) money {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > 3 {
		return -1
	}
	n := money(0)
	for _, digit := range whole + fraction + strings.Repeat("0", 3-len(fraction)) {
		if digit < '0' || digit > '9' {
			return -1
		}
		n = n*10 + money(digit-'0')
	}
	return n
}

// stamp is a time, which records have in microseconds since 1970.
type stamp struct{ time.Time }

// UnmarshalJSON reads a number.
func (s *stamp) UnmarshalJSON(text []byte) error {
	at, err := strconv.ParseInt(string(text), 10, 64)
	s.Time = time.UnixMicro(at).UTC()
	return err
}
