package store

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is the purpose of a payment; "operation" in the session request of SPEC1.
type Kind string

// The kinds of payment.
const (
	Purchase Kind = "purchase"
	Debit    Kind = "debit"
	Transfer Kind = "transfer"
	Credit   Kind = "credit" // payout
)

// Kinds returns every kind.
func Kinds() []Kind { return []Kind{Purchase, Debit, Transfer, Credit} }

// Order is the merchant's order. Amount is the text as it was sent, because that text was signed.
type Order struct {
	Number      string `json:"n"`
	Amount      string `json:"a"`
	Currency    string `json:"c"`
	Description string `json:"d"`
}

// Payment is one attempt of a payer to pay an order, with all that follows from it: its transactions and its amounts.
// It is stored whole, so that every step reads and writes one record. The fields that most records have get short names
// in it, because what a store writes is what a payment costs.
//
// Signature, Callbacks, OwnURL and Tried are for the gateway alone, and empty in what callers get.
type Payment struct {
	ID         string   `json:"-"` // the key has it
	MerchantID string   `json:"m"`
	SessionID  string   `json:"session,omitempty"`
	Protocol   Protocol `json:"via"`
	Kind       Kind     `json:"k"`
	Hold       bool     `json:"hold,omitempty"` // authorize only
	Test       bool     `json:"test,omitempty"`
	Signature  string   `json:"signature,omitempty"` // of a payout: the hash of the signature, so that it pays once
	Order      Order    `json:"o"`
	Status     Status   `json:"s"`
	Version    int      `json:"n"` // grows by one with every write
	Reason     string   `json:"reason,omitempty"`

	Amount     Amount `json:"a"`  // as requested
	Authorized Amount `json:"au"` // authorized or captured
	Captured   Amount `json:"ca"`
	Refunded   Amount `json:"rf,omitzero"`
	Reserved   Amount `json:"rs,omitzero"` // refunds that are under way or in doubt

	// Running is the transaction that excludes all others: the charge, a capture, a void or a reversal. Refunds may
	// run side by side and only reserve their amount.
	Running string `json:"run,omitempty"`
	// Transactions are the operations on the payment, oldest first. Copies of a payment share them, so none is changed:
	// SetTransaction puts another in its place.
	Transactions []*Transaction `json:"t"`
	Charge       string         `json:"charge,omitempty"` // the transaction that takes the money; empty for the first
	Callbacks    int            `json:"cb,omitempty"`     // how many callbacks were queued

	// Action is the S2S action that made the payment (SALE, DEBIT, CARD2CARD, ...); its callbacks repeat it.
	Action     string `json:"action,omitempty"`
	Identifier string `json:"identifier,omitempty"` // S2S APM: the payer's identifier at the method

	Method          string          `json:"by"`
	MIDID           string          `json:"mid"`
	Card            *CardFacts      `json:"c,omitempty"`
	Wallet          *WalletFacts    `json:"wallet,omitempty"`    // set when the card came in a wallet's token
	OfWallet        bool            `json:"of_wallet,omitempty"` // a later payment of a chain begun with a wallet's token
	Payer           Payer           `json:"p,omitzero"`
	Payee           *Payer          `json:"payee,omitempty"`      // who receives a transfer or payout
	PayeeCard       *CardFacts      `json:"payee_card,omitempty"` // the card that receives it
	MOTOType        string          `json:"moto_type,omitempty"`
	CryptoNetwork   string          `json:"crypto_network,omitempty"`
	CustomData      json.RawMessage `json:"custom_data,omitempty"`
	NotificationURL string          `json:"u,omitempty"`
	OwnURL          bool            `json:"own_url,omitempty"` // the request named it; scheduled payments keep it
	Descriptor      string          `json:"descriptor,omitempty"`
	ReturnURL       string          `json:"return_url,omitempty"` // where the payer is sent at the end, without a session
	ReturnTarget    string          `json:"return_target,omitempty"`
	Language        string          `json:"language,omitempty"` // of the payer's pages

	// ReqToken asks for a card token. CardToken is the one issued, or the one paid with. It is no card data: only the
	// merchant that it belongs to can charge by it.
	ReqToken  bool   `json:"req_token,omitempty"`
	CardToken string `json:"card_token,omitempty"`

	// RecurringInit starts a chain; RecurringToken and RecurringInitID name the chain the payment began or
	// belongs to (lifecycle.md, "Recurring").
	RecurringInit   bool   `json:"recurring_init,omitempty"`
	RecurringToken  string `json:"recurring_token,omitempty"`
	RecurringInitID string `json:"recurring_init_id,omitempty"`
	ScheduleID      string `json:"schedule_id,omitempty"`
	// ScheduleStartDate is the date of the first scheduled payment and ScheduleAmount the amount of the later ones,
	// where they differ (SPEC1, schedule_start_date and payment_schedule_amount). PayerPresent says whether the payer
	// is present, as S2S sent it.
	ScheduleStartDate string `json:"schedule_start_date,omitempty"`
	ScheduleAmount    string `json:"schedule_amount,omitempty"`
	FirstRecurring    string `json:"first_recurring,omitempty"` // date of the first scheduled payment, once it is known
	Occurrence        int    `json:"occurrence,omitempty"`      // of a scheduled payment: its number in the chain, from 1
	PayerPresent      string `json:"payer_present,omitempty"`
	VATCalc           bool   `json:"vat_calc,omitempty"`
	Quote             *Quote `json:"quote,omitempty"` // what the host computed for the charge
	COF               *COF   `json:"cof,omitempty"`   // Card-on-File attributes

	// Cascade is the first payment of the cascade that this payment continues; Next is the attempt that followed this
	// one (callbacks.md, "Cascading").
	Cascade string   `json:"cascade,omitempty"`
	Next    string   `json:"next,omitempty"`
	Tried   []string `json:"tried,omitempty"` // MIDs of the earlier attempts

	CreatedAt  time.Time `json:"at"`
	UpdatedAt  time.Time `json:"up,omitzero"`
	CapturedAt time.Time `json:"cat,omitzero"` // when the money was captured; the time for a void begins here
}

// Quote is the amounts that the host of the gateway computed for a payment, as exact decimal strings (decision
// bm).
type Quote struct {
	VATAmount        string `json:"vat_amount,omitempty"` // contained in the order's amount
	VATRate          string `json:"vat_rate,omitempty"`   // as people read it, like "20%"
	ExchangeRate     string `json:"exchange_rate,omitempty"`
	ExchangeRateBase string `json:"exchange_rate_base,omitempty"`
	ExchangeCurrency string `json:"exchange_currency,omitempty"`
	ExchangeAmount   string `json:"exchange_amount,omitempty"`
}

// MaxTransactions is how many transactions one payment may have, our own limit.
const MaxTransactions = 500

// ChargeID returns the transaction that captures or authorizes the money: the first one, unless the first only
// computed a commission, or another attempt followed it. It is empty for a payment that is not stored yet.
func (p *Payment) ChargeID() string {
	if p.Charge != "" || len(p.Transactions) == 0 {
		return p.Charge
	}
	return p.Transactions[0].ID
}

// ChargeTransaction returns the transaction of ChargeID; nil for a payment that is not stored yet.
func (p *Payment) ChargeTransaction() *Transaction { return p.Transaction(p.ChargeID()) }

// Transaction returns the transaction with an id; nil if the payment has none.
func (p *Payment) Transaction(id string) *Transaction {
	if i := p.indexOf(id); i >= 0 {
		return p.Transactions[i]
	}
	return nil
}

func (p *Payment) indexOf(id string) int {
	return slices.IndexFunc(p.Transactions, func(t *Transaction) bool { return t != nil && t.ID == id })
}

// SetTransaction numbers a transaction and puts a copy of it in the place of the one with its id, or behind all others.
func (p *Payment) SetTransaction(t *Transaction) {
	i := p.indexOf(t.ID)
	if i == 0 && len(p.Transactions) == 1 || len(p.Transactions) == 0 {
		p.setOnly(t)
		return
	}
	if i < 0 {
		p.Transactions = append(slices.Clip(p.Transactions), nil)
		i = len(p.Transactions) - 1
	} else {
		p.Transactions = slices.Clone(p.Transactions)
	}
	t.of(p, i)
	stored := *t
	p.Transactions[i] = &stored
}

// setOnly is SetTransaction for the only transaction of a payment, which most have. Its list is beside it in memory.
func (p *Payment) setOnly(t *Transaction) {
	t.of(p, 0)
	only := &struct {
		transaction Transaction
		list        [1]*Transaction
	}{transaction: *t}
	only.list[0] = &only.transaction
	p.Transactions = only.list[:]
}

// brief returns the payment without what complete can add. Transactions are named by their numbers.
func (p *Payment) brief() Payment {
	b := *p
	b.Running, b.Charge = p.numberOf(b.Running), p.numberOf(b.Charge)
	if b.UpdatedAt.Equal(p.lastMoment()) {
		b.UpdatedAt = time.Time{}
	}
	return b
}

// complete adds what the document leaves out: the id, what the payment says for all its transactions, and what they
// say for it.
func (p *Payment) complete(id string) {
	p.ID = id
	for i, t := range p.Transactions {
		if t != nil {
			t.of(p, i)
		}
	}
	p.Running, p.Charge = p.idOf(p.Running), p.idOf(p.Charge)
	if p.UpdatedAt.IsZero() {
		p.UpdatedAt = p.lastMoment()
	}
}

// numberOf returns the number of a transaction as text; an id that the payment does not have stays.
func (p *Payment) numberOf(id string) string {
	if id == "" {
		return ""
	}
	if i := p.indexOf(id); i >= 0 {
		return strconv.Itoa(i + 1)
	}
	return id
}

// idOf returns the id of the transaction with a number; another text stays, and Check refuses it.
func (p *Payment) idOf(number string) string {
	if number == "" { // an error costs more
		return ""
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 1 || i > len(p.Transactions) || p.Transactions[i-1] == nil {
		return number
	}
	return p.Transactions[i-1].ID
}

// lastMoment is when a transaction of the payment last began or ended. Most payments were last changed then.
func (p *Payment) lastMoment() time.Time {
	last := p.CreatedAt
	for _, t := range p.Transactions {
		if t == nil {
			continue
		}
		for _, at := range [...]time.Time{t.CreatedAt, t.DoneAt} {
			if at.After(last) {
				last = at
			}
		}
	}
	return last
}

// Taken reports whether a chain may continue from the payment: money was captured and is not all refunded, or the
// payment only verifies a card and holds nothing (decision ar).
func (p *Payment) Taken() bool {
	switch p.Status {
	case Declined, Reversed, Voided:
		return false
	case Pending:
		return p.Hold && p.Amount.IsZero() && p.Running != p.ChargeID() // otherwise the outcome is not known yet
	default:
		return !p.CapturedAt.IsZero()
	}
}

// ChainToken returns the token of the chain that the payment began, once the chain may continue, or of the chain
// that it belongs to, once its own money is captured or authorized (lifecycle.md, "Recurring").
func (p *Payment) ChainToken() string {
	held := p.Status == Pending && p.Running != p.ChargeID()
	if begins := p.RecurringInitID == p.ID; begins && p.Taken() || !begins && (held || !p.CapturedAt.IsZero()) {
		return p.RecurringToken
	}
	return ""
}

// AmountText writes an amount of the payment with the decimals of its order's amount, as Checkout reports the
// amount of a follow-up (decision aq).
func (p *Payment) AmountText(a Amount) string {
	_, fraction, _ := strings.Cut(p.Order.Amount, ".")
	return a.d.StringFixed(int32(max(len(fraction), a.Decimals())))
}

// Refundable returns what is captured and neither refunded nor reserved.
func (p *Payment) Refundable() Amount {
	left, _ := p.Captured.Sub(p.Refunded.Add(p.Reserved))
	return left
}

// Check guards every write: captured is at most authorized, refunded with reserved is at most captured, and every
// transaction belongs to the payment and has an id of its own.
func (p *Payment) Check() error {
	switch {
	case p.ID == "" || p.MerchantID == "" || p.Order.Number == "":
		return errors.New("payment: id, merchant and order number are required")
	case p.Captured.Cmp(p.Authorized) > 0:
		return errors.New("payment: captured more than authorized")
	case p.Refunded.Add(p.Reserved).Cmp(p.Captured) > 0:
		return errors.New("payment: refunded more than captured")
	case p.Charge != "" && p.Transaction(p.Charge) == nil, p.Running != "" && p.Transaction(p.Running) == nil:
		return errors.New("payment: its charge or its running transaction is missing")
	case len(p.Transactions) == 0 || len(p.Transactions) > MaxTransactions:
		return errors.New("payment: no transactions, or too many")
	}
	for i, t := range p.Transactions {
		if err := t.check(p); err != nil {
			return err
		}
		if p.indexOf(t.ID) != i {
			return errors.New("transaction: another one of the payment has its id")
		}
	}
	return nil
}

// IsMOTO reports whether the merchant takes the payment by mail or telephone, by the moto_type of the request
// (decision t).
func IsMOTO(motoType string) bool { return motoType != "" && motoType != "ecommerce" }
