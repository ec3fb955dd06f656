package store

import (
	"cmp"
	"time"
)

// Operation is what a transaction does at the acquirer (s2s_card.md, GET_TRANS_DETAILS).
type Operation string

// The operations.
const (
	OpSale       Operation = "SALE"
	OpAuth       Operation = "AUTH"
	OpDebit      Operation = "DEBIT"
	OpTransfer   Operation = "TRANSFER"
	OpCredit     Operation = "CREDIT"
	OpCapture    Operation = "CAPTURE"
	OpVoid       Operation = "VOID"
	OpRefund     Operation = "REFUND"
	OpReversal   Operation = "REVERSAL"
	OpChargeback Operation = "CHARGEBACK"
	OpCalc       Operation = "CALC" // computes the commission of a debit that is completed later (DEBIT2VIRTUAL_CALC)
)

// Operations returns every operation.
func Operations() []Operation {
	return []Operation{OpSale, OpAuth, OpDebit, OpTransfer, OpCredit,
		OpCapture, OpVoid, OpRefund, OpReversal, OpChargeback, OpCalc}
}

// Outcome is what is known of a transaction.
type Outcome string

// The outcomes. A transaction goes from Sent, perhaps over waiting outcomes, to Success or Fail, and stays there.
// InDoubt is a state of its own: only the acquirer's evidence ends it (architecture.md, "What is not known").
const (
	Sent    Outcome = ""        // stored before the call; no answer yet
	Waiting Outcome = "waiting" // the payer or the acquirer still has to act
	InDoubt Outcome = "doubt"   // the acquirer may or may not have done it
	Success Outcome = "success"
	Fail    Outcome = "fail"
)

// Final reports whether the outcome can no longer change.
func (o Outcome) Final() bool { return o == Success || o == Fail }

// Transaction is one operation on a payment. It is written before the acquirer is called and closed by evidence of the
// outcome.
type Transaction struct {
	ID         string    `json:"id"`
	Number     int       `json:"-"` // its place in the payment, from 1
	PaymentID  string    `json:"-"` // as its payment has it, like MerchantID, Currency and MIDID
	MerchantID string    `json:"-"`
	Operation  Operation `json:"op"`
	Amount     Amount    `json:"a"`
	AmountOpen bool      `json:"open,omitempty"` // the payer chooses the amount at the acquirer (crypto)
	Currency   string    `json:"-"`
	Outcome    Outcome   `json:"out,omitempty"`
	Reason     string    `json:"reason,omitempty"`
	Soft       bool      `json:"soft,omitempty"` // declined in a way that another attempt may change
	Version    int       `json:"n,omitempty"`

	MIDID     string `json:"-"`
	Connector string `json:"by"`
	// Authentication says who authenticates the payer (methods.Authentication), and Browser has the data of the
	// payer's browser. They are stored so that a repeated request is the same.
	Authentication string            `json:"authentication,omitempty"`
	Browser        map[string]string `json:"browser,omitempty"`
	// Credential is the reference of the stored card that was sent (methods.Operation).
	Credential string `json:"credential,omitempty"`
	// ParentID is the transaction that this one follows up, ParentReference the acquirer's reference of that one.
	ParentID        string `json:"parent,omitempty"`
	ParentReference string `json:"parent_reference,omitempty"`

	Reference string `json:"ref,omitempty"` // the acquirer's reference of this transaction
	Facts     Facts  `json:"facts,omitzero"`
	// Extras are further facts from the acquirer, under its own names.
	Extras []Extra `json:"extras,omitempty"`

	// Display is what the payer sees while they wait, Prompts the fields that they are asked for.
	Display *Display `json:"shown,omitempty"`
	Prompts []Prompt `json:"asks,omitempty"`

	Due              time.Time `json:"due,omitzero"`       // when recovery asks about it next
	RecoveryAttempts int       `json:"asked,omitempty"`    // how often recovery has asked
	Review           string    `json:"review,omitempty"`   // why a person has to decide, if one has to
	Decision         *Decision `json:"decision,omitempty"` // what a person decided
	ReviewedBy       *Decision `json:"seen,omitempty"`     // who handled the breach that Review reports, and how

	CreatedAt time.Time `json:"at"`
	DoneAt    time.Time `json:"done,omitzero"`
}

// Redirect is the page where the payer has to go on: the issuer's 3-D Secure page or a third-party page.
type Redirect struct {
	ThreeDS bool            `json:"three_ds,omitempty"`
	URL     string          `json:"url"`
	Method  string          `json:"method"` // GET or POST
	Params  []RedirectParam `json:"params,omitempty"`
}

// RedirectParam is one form field of a redirect. Their order is kept.
type RedirectParam struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Facts is what an acquirer reports about a transaction in addition to its outcome.
type Facts struct {
	RRN            string `json:"rrn,omitempty"`
	ApprovalCode   string `json:"approval_code,omitempty"`
	ARN            string `json:"arn,omitempty"`
	GatewayID      string `json:"gateway_id,omitempty"`
	ExtraGatewayID string `json:"extra_gateway_id,omitempty"`
	Descriptor     string `json:"descriptor,omitempty"`
	IssuerCountry  string `json:"issuer_country,omitempty"`
	IssuerBank     string `json:"issuer_bank,omitempty"`

	// Credential is the reference by which the issuer knows the stored card, like a network transaction id. It is
	// sent with every later use of that card at the same MID (SPEC1, req_token). Up to 255 bytes.
	Credential string `json:"credential,omitempty"`

	// Amounts that the acquirer computed, as exact decimal strings; the kernel never multiplies (decision ab).
	ExchangeRate     string `json:"exchange_rate,omitempty"`
	ExchangeRateBase string `json:"exchange_rate_base,omitempty"`
	ExchangeCurrency string `json:"exchange_currency,omitempty"`
	ExchangeAmount   string `json:"exchange_amount,omitempty"`
	VATAmount        string `json:"vat_amount,omitempty"`
	Commission       string `json:"commission,omitempty"`   // of a DEBIT2VIRTUAL
	TotalAmount      string `json:"total_amount,omitempty"` // amount and commission together

	CryptoAddress string `json:"crypto_address,omitempty"`
	CryptoNetwork string `json:"crypto_network,omitempty"`

	ThreeDS ThreeDSFacts `json:"three_ds,omitzero"`

	// Of a dispute.
	ReasonCode string `json:"reason_code,omitempty"`
	BankDate   string `json:"bank_date,omitempty"` // YYYY-MM-DD HH:MM:SS, as the bank reports it
}

// fill takes what an acquirer reports of every operation from other facts, where these have none.
func (f *Facts) fill(other *Facts) {
	f.RRN, f.ARN = cmp.Or(f.RRN, other.RRN), cmp.Or(f.ARN, other.ARN)
	f.ApprovalCode = cmp.Or(f.ApprovalCode, other.ApprovalCode)
	f.GatewayID, f.ExtraGatewayID = cmp.Or(f.GatewayID, other.GatewayID), cmp.Or(f.ExtraGatewayID, other.ExtraGatewayID)
	f.IssuerCountry, f.IssuerBank = cmp.Or(f.IssuerCountry, other.IssuerCountry), cmp.Or(f.IssuerBank, other.IssuerBank)
}

// Extra is a fact of the acquirer's own: a name and a value.
type Extra struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ThreeDSFacts are the result attributes of 3-D Secure (SPEC1, "Events"), from the connector or from an external
// MPI.
type ThreeDSFacts struct {
	ServerTransID     string `json:"threeDSServerTransID,omitempty"`
	DSTransID         string `json:"dsTransID,omitempty"`
	ACSTransID        string `json:"acsTransID,omitempty"`
	XID               string `json:"xid,omitempty"`
	TransStatus       string `json:"transStatus,omitempty"`
	TransStatusReason string `json:"transStatusReason,omitempty"`
	ECI               string `json:"eci,omitempty"`
	ProtocolVersion   string `json:"protocolVersion,omitempty"`
	Flow              string `json:"authenticationFlow,omitempty"`
}

// Decision is what an operator decided about a transaction in doubt.
type Decision struct {
	Outcome Outcome   `json:"outcome"` // Success or Fail
	By      string    `json:"by"`
	Why     string    `json:"why"`
	At      time.Time `json:"at"`
}

// Review is what a person says of a transaction that they reviewed: which one, who they are and why.
type Review struct {
	PaymentID, TransactionID string
	By, Why                  string
}

// Sealed is a value encrypted under a data key that the key provider wrapped. Purpose, merchant and record are
// bound to it, so that it opens for no others.
type Sealed struct {
	KeyID   string `json:"k"`
	DataKey []byte `json:"d"` // wrapped
	Box     []byte `json:"b"` // nonce and ciphertext
}

// of gives a transaction its place in a payment, and what that says for all of its own. What names another payment
// stays, and check refuses it.
func (t *Transaction) of(p *Payment, i int) {
	t.Number = i + 1
	t.PaymentID = cmp.Or(t.PaymentID, p.ID)
	t.MerchantID = cmp.Or(t.MerchantID, p.MerchantID)
	t.Currency = cmp.Or(t.Currency, p.Order.Currency)
	t.MIDID = cmp.Or(t.MIDID, p.MIDID)
}
