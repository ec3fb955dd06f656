package store

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// Kind is what a payment is for; the operation of SPEC1's session request.
type Kind string

// The kinds of payment.
const (
	Purchase Kind = "purchase"
	Debit    Kind = "debit"
	Transfer Kind = "transfer"
	Credit   Kind = "credit" // payout
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Purchase, Debit, Transfer, Credit} }

// Order is the merchant's order. Amount is the text as it was sent, because that is what was signed.
type Order struct {
	Number      string `json:"number"`
	Amount      string `json:"amount"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
}

// Payment is one attempt of a payer to pay an order, with everything that came of it. Amounts stand
// here and are changed by one guarded write, never summed over other records.
type Payment struct {
	ID         string   `json:"id"`
	MerchantID string   `json:"merchant"`
	SessionID  string   `json:"session,omitempty"`
	Protocol   Protocol `json:"protocol"`
	Kind       Kind     `json:"kind"`
	Hold       bool     `json:"hold,omitempty"` // authorize only
	Test       bool     `json:"test,omitempty"`
	Signature  string   `json:"signature,omitempty"` // of a payout: the mark of the signature that pays it, once
	Order      Order    `json:"order"`
	Status     Status   `json:"status"`
	Version    int      `json:"version"` // grows by one with every write
	Reason     string   `json:"reason,omitempty"`

	Amount     Amount `json:"amount"`     // what was asked for
	Authorized Amount `json:"authorized"` // held or taken
	Captured   Amount `json:"captured"`
	Refunded   Amount `json:"refunded"`
	Reserved   Amount `json:"reserved"` // refunds that run or are in doubt

	// Running is the transaction that has the payment to itself: the charge, a capture, a void or a
	// reversal. Refunds share it and only reserve.
	Running      string   `json:"running,omitempty"`
	Transactions []string `json:"transactions"`
	Charge       string   `json:"charge,omitempty"`    // the transaction that takes the money, when it is not the first
	Callbacks    int      `json:"callbacks,omitempty"` // how many were queued

	// Action is the S2S action that made the payment (SALE, DEBIT, CARD2CARD, ...); its callbacks repeat it.
	Action     string `json:"action,omitempty"`
	Identifier string `json:"identifier,omitempty"` // S2S APM: the payer's name at the method

	Method          string          `json:"method"`
	MIDID           string          `json:"mid"`
	Card            *CardFacts      `json:"card,omitempty"`
	Wallet          *WalletFacts    `json:"wallet,omitempty"`    // the card came in a wallet's token
	OfWallet        bool            `json:"of_wallet,omitempty"` // a later payment of a chain that such a token began
	Payer           Payer           `json:"payer,omitzero"`
	Payee           *Payer          `json:"payee,omitempty"`      // whom a transfer or payout goes to
	PayeeCard       *CardFacts      `json:"payee_card,omitempty"` // and on which card
	MOTOType        string          `json:"moto_type,omitempty"`
	CryptoNetwork   string          `json:"crypto_network,omitempty"`
	CustomData      json.RawMessage `json:"custom_data,omitempty"`
	NotificationURL string          `json:"notification_url,omitempty"`
	OwnURL          bool            `json:"own_url,omitempty"` // the request brought it, so that later payments by a schedule keep it
	Descriptor      string          `json:"descriptor,omitempty"`
	ReturnURL       string          `json:"return_url,omitempty"` // where the payer goes in the end, without a session
	ReturnTarget    string          `json:"return_target,omitempty"`
	Language        string          `json:"language,omitempty"` // of the pages he sees

	// ReqToken asks for a card token; CardToken is the one issued, or the one paid with. It is no card data:
	// only the merchant it belongs to can charge by it.
	ReqToken  bool   `json:"req_token,omitempty"`
	CardToken string `json:"card_token,omitempty"`

	// RecurringInit starts a chain; RecurringToken and RecurringInitID name the chain the payment began or
	// belongs to (lifecycle.md, "Recurring").
	RecurringInit   bool   `json:"recurring_init,omitempty"`
	RecurringToken  string `json:"recurring_token,omitempty"`
	RecurringInitID string `json:"recurring_init_id,omitempty"`
	ScheduleID      string `json:"schedule_id,omitempty"`
	// The first scheduled payment's date and the later ones' amount, where they differ (SPEC1,
	// schedule_start_date and payment_schedule_amount); whether the payer is present, as S2S told.
	ScheduleStartDate string `json:"schedule_start_date,omitempty"`
	ScheduleAmount    string `json:"schedule_amount,omitempty"`
	FirstRecurring    string `json:"first_recurring,omitempty"` // date of the first scheduled payment, once it is known
	Occurrence        int    `json:"occurrence,omitempty"`      // of a scheduled payment: which of its chain, from 1
	PayerPresent      string `json:"payer_present,omitempty"`
	VATCalc           bool   `json:"vat_calc,omitempty"`
	Quote             *Quote `json:"quote,omitempty"` // what the host computed for the charge
	COF               *COF   `json:"cof,omitempty"`   // Card-on-File attributes

	// Cascade is the first payment of the cascade this one is a later attempt of; Next the attempt that
	// came after this one (callbacks.md, "Cascading").
	Cascade string   `json:"cascade,omitempty"`
	Next    string   `json:"next,omitempty"`
	Tried   []string `json:"tried,omitempty"` // MIDs of the attempts before

	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	CapturedAt time.Time `json:"captured_at,omitzero"` // when money was taken; a void counts from here
}

// Quote are the amounts that the host of the gateway computed for a payment, as exact decimal strings (decision bm).
type Quote struct {
	VATAmount        string `json:"vat_amount,omitempty"` // contained in the order's amount
	VATRate          string `json:"vat_rate,omitempty"`   // as people read it
	ExchangeRate     string `json:"exchange_rate,omitempty"`
	ExchangeRateBase string `json:"exchange_rate_base,omitempty"`
	ExchangeCurrency string `json:"exchange_currency,omitempty"`
	ExchangeAmount   string `json:"exchange_amount,omitempty"`
}

// MaxTransactions bounds the transactions of one payment, our own limit.
const MaxTransactions = 500

// ChargeID is the transaction that takes or holds the money: the first one, unless the first told a
// commission only, or another try came after it.
func (p *Payment) ChargeID() string {
	if p.Charge != "" {
		return p.Charge
	}
	return p.Transactions[0]
}

// Taken reports a payment whose money was taken and is not all given back, or that holds nothing because it only
// verifies a card: a chain may go on from it (decision ar).
func (p *Payment) Taken() bool {
	switch p.Status {
	case Declined, Reversed, Voided:
		return false
	case Pending:
		return p.Hold && p.Amount.IsZero() && p.Running != p.ChargeID() // else nobody knows yet
	default:
		return !p.CapturedAt.IsZero()
	}
}

// ChainToken is the token of the chain that the payment began, once that may go on, or of the one that it belongs
// to, once its own money is taken or held (lifecycle.md, "Recurring").
func (p *Payment) ChainToken() string {
	held := p.Status == Pending && p.Running != p.ChargeID()
	if begins := p.RecurringInitID == p.ID; begins && p.Taken() || !begins && (held || !p.CapturedAt.IsZero()) {
		return p.RecurringToken
	}
	return ""
}

// AmountText writes an amount of the payment with the decimals of its order's amount, as Checkout tells what a
// follow-up is about (decision aq).
func (p *Payment) AmountText(a Amount) string {
	_, fraction, _ := strings.Cut(p.Order.Amount, ".")
	return a.d.StringFixed(int32(max(len(fraction), a.Decimals())))
}

// Refundable is what is captured and neither refunded nor reserved.
func (p *Payment) Refundable() Amount {
	left, _ := p.Captured.Sub(p.Refunded.Add(p.Reserved))
	return left
}

// Check guards the invariants of money before every write: captured is at most authorized, and
// refunded with reserved at most captured.
func (p *Payment) Check() error {
	switch {
	case p.ID == "" || p.MerchantID == "" || p.Order.Number == "":
		return errors.New("payment: id, merchant and order number are required")
	case p.Captured.Cmp(p.Authorized) > 0:
		return errors.New("payment: captured more than authorized")
	case p.Refunded.Add(p.Reserved).Cmp(p.Captured) > 0:
		return errors.New("payment: refunded more than captured")
	case len(p.Transactions) > MaxTransactions:
		return errors.New("payment: too many transactions")
	}
	return nil
}

// IsMOTO reports a payment that the merchant takes by mail or telephone, by the type its request names (decision t).
func IsMOTO(motoType string) bool { return motoType != "" && motoType != "ecommerce" }
