package store

import (
	"encoding/json"
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
type Payment struct {
	ID         string   `json:"-"` // the key has it
	MerchantID string   `json:"m"`
	SessionID  string   `json:"session,omitempty"`
	Protocol   Protocol `json:"via"`
	Kind       Kind     `json:"k"`
	Hold       bool     `json:"hold,omitempty"` // authorize only
	Test       bool     `json:"test,omitempty"`
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
	Cascade string `json:"cascade,omitempty"`
	Next    string `json:"next,omitempty"`

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

// Charged returns the transaction of ChargeID with what is known of the money by now: its own facts, and those of its
// capture where it has none. The ARN of a hold, for one, comes with the capture. It is zero for a payment that is not
// stored yet.
func (p *Payment) Charged() (charge Transaction) {
	if own := p.ChargeTransaction(); own != nil {
		charge = *own
	}
	for _, t := range p.Transactions {
		if t != nil && t.Operation == OpCapture && t.Outcome == Success {
			charge.Facts.fill(&t.Facts)
		}
	}
	return charge
}

// Transaction returns the transaction with an id; nil if the payment has none.
func (p *Payment) Transaction(id string) *Transaction {
	for _, t := range p.Transactions {
		if t != nil && t.ID == id {
			return t
		}
	}
	return nil
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

// AmountText writes an amount of the payment with the decimals of its order's amount, as the amounts of follow-ups are
// reported (decision aq): one payment in yen is told in "1000.00" and "60.00", or in "1000" and "60". It has more
// decimals only where they are more than zeros, beside an order that was sent with fewer (decision am).
func (p *Payment) AmountText(a Amount) string {
	_, fraction, _ := strings.Cut(p.Order.Amount, ".")
	decimals := len(fraction)
	if !a.d.IsInteger() {
		decimals = max(decimals, a.Decimals())
	}
	return a.d.StringFixed(int32(decimals))
}

// Refundable returns what is captured and neither refunded nor reserved.
func (p *Payment) Refundable() Amount {
	left, _ := p.Captured.Sub(p.Refunded.Add(p.Reserved))
	return left
}

// IsMOTO reports whether the merchant takes the payment by mail or telephone, by the moto_type of the request
// (decision t).
func IsMOTO(motoType string) bool { return motoType != "" && motoType != "ecommerce" }
