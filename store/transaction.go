package store

import (
	"errors"
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
	OpCalc       Operation = "CALC" // the commission of a debit that is completed later (DEBIT2VIRTUAL_CALC)
)

// Operations lists every operation.
func Operations() []Operation {
	return []Operation{OpSale, OpAuth, OpDebit, OpTransfer, OpCredit,
		OpCapture, OpVoid, OpRefund, OpReversal, OpChargeback, OpCalc}
}

// Outcome is what is known of a transaction.
type Outcome string

// The outcomes. A transaction moves from Sent through at most a few waiting outcomes to Success or
// Fail, and never leaves those. InDoubt is a state of its own that only evidence ends
// (architecture.md, "What is not known").
const (
	Sent    Outcome = ""        // intent committed, no answer yet
	Waiting Outcome = "waiting" // the payer or the acquirer has still to act
	InDoubt Outcome = "doubt"   // something may have happened; nobody knows
	Success Outcome = "success"
	Fail    Outcome = "fail"
)

// Final reports whether the outcome can no longer change.
func (o Outcome) Final() bool { return o == Success || o == Fail }

// Transaction is one operation on a payment, written before the acquirer is called and closed by
// evidence of what came of it.
type Transaction struct {
	ID         string    `json:"id"`
	PaymentID  string    `json:"payment"`
	MerchantID string    `json:"merchant"`
	Operation  Operation `json:"operation"`
	Amount     Amount    `json:"amount"`
	AmountOpen bool      `json:"open,omitempty"` // the payer chooses the amount at the acquirer (crypto)
	Currency   string    `json:"currency"`
	Outcome    Outcome   `json:"outcome"`
	Reason     string    `json:"reason,omitempty"`
	Soft       bool      `json:"soft,omitempty"` // declined in a way that another try may change
	Version    int       `json:"version"`

	MIDID     string `json:"mid"`
	Connector string `json:"connector"`
	// Authentication says who authenticates the payer (methods.Authentication) and Browser what is known
	// of his, so that a request that is sent again is the same.
	Authentication string            `json:"authentication,omitempty"`
	Browser        map[string]string `json:"browser,omitempty"`
	// Credential is the reference of the stored card that it was sent with (methods.Operation).
	Credential string `json:"credential,omitempty"`
	// ParentID is the transaction it acts on, ParentReference the acquirer's name for that one.
	ParentID        string `json:"parent,omitempty"`
	ParentReference string `json:"parent_reference,omitempty"`

	Reference    string `json:"reference,omitempty"` // the acquirer's name for this transaction
	Continuation []byte `json:"continuation,omitempty"`
	Facts        Facts  `json:"facts,omitzero"`
	// Extras are what the acquirer told beside them, under names of its own.
	Extras []Extra `json:"extras,omitempty"`

	// ReturnHash is the SHA-256 of the secret in the payer's return URL, NotifyHash that of the secret in the
	// acquirer's notification URL (decision ce). Held (the security code, where it may be of use
	// then, gone with the outcome or the link) and Back (where the browser goes) are sealed under the first, Next (where the payer has to go) under that of the session's
	// link. None of these secrets is stored.
	ReturnHash       string  `json:"return_hash,omitempty"`
	NotifyHash       string  `json:"notify_hash,omitempty"`
	SealedCode       []byte  `json:"held,omitempty"`
	SealedReturnPage []byte  `json:"back,omitempty"`
	SealedRedirect   []byte  `json:"next,omitempty"`
	SealedCard       *Sealed `json:"sealed_card,omitempty"` // number and expiry, under the key provider
	// SealedParameters are the method's, with what the payer answered for keeps; they stay.
	SealedParameters *Sealed `json:"sealed_parameters,omitempty"`

	// SealedSent are the parameters as they came, while another MID of a cascade may need them.
	SealedSent *Sealed `json:"sealed_sent,omitempty"`
	SealedMPI  *Sealed `json:"sealed_mpi,omitempty"` // of an external 3-D Secure, until the outcome
	// SealedWallet is what the connector gets of a wallet's token, until the outcome.
	SealedWallet    *Sealed `json:"sealed_wallet,omitempty"`
	CountedInLimits bool    `json:"counted,omitempty"` // against the limits of its MID

	// Display is what the payer is shown meanwhile, Asks what he is asked, Answered what he answered last
	// and Answers how often he was asked that.
	Display         *Display `json:"shown,omitempty"`
	Prompts         []Prompt `json:"asks,omitempty"`
	PromptsAnswered []Prompt `json:"answered,omitempty"`
	AnswerCount     int      `json:"answers,omitempty"`

	// Coded says that the card came with a security code. KeptUntil is when the payer's link ends, and with it what
	// is held for the return; zero for a day after CreatedAt. ErasedAt is when the card went before the outcome.
	// OnFile is a card that is kept with its chain anyway: it stays for the outcome.
	Coded      bool      `json:"coded,omitempty"`
	OnFile     bool      `json:"on_file,omitempty"`
	LinkEndsAt time.Time `json:"kept_until,omitzero"`
	ErasedAt   time.Time `json:"erased_at,omitzero"`

	// Returning marks the call of the connector that the payer's return makes, Answering the one that the
	// payer's answers make, from before it is made.
	Returning *CallMark `json:"returning,omitempty"`
	Answering *CallMark `json:"answering,omitempty"`

	Due              time.Time `json:"due,omitzero"`       // when recovery looks at it next
	RecoveryAttempts int       `json:"asked,omitempty"`    // how often recovery has looked
	Review           string    `json:"review,omitempty"`   // why a person has to decide, if so
	Decision         *Decision `json:"decision,omitempty"` // what a person decided
	ReviewedBy       *Decision `json:"seen,omitempty"`     // who saw to the breach that Review tells of, and how

	CreatedAt  time.Time `json:"created_at"`
	DeadlineAt time.Time `json:"deadline_at"` // the call has ended by then
	DoneAt     time.Time `json:"done_at,omitzero"`
}

// CallMark says that a connector is called about what a payer brought, so that two browsers make one call. It
// lapses where the process died, and it stays after a call whose outcome is unknown.
type CallMark struct {
	ID       string    `json:"id"` // of the call
	Until    time.Time `json:"until,omitzero"`
	Evidence string    `json:"evidence,omitempty"` // keyed digest of what the payer brought
	Pending  bool      `json:"pending,omitempty"`  // the connector has it, and knows no outcome yet
	Answered bool      `json:"answered,omitempty"` // the call has ended, whatever it said
	// Kept is the return itself, sealed under the secret of the payer's page until the call is answered: the
	// page sends the browser there again where the process died.
	Kept []byte `json:"kept,omitempty"`
}

// Live reports a call that may be under way.
func (m *CallMark) Live(now time.Time) bool { return m != nil && now.Before(m.Until) }

// Lapsed reports a call that died before anybody heard what came of it.
func (m *CallMark) Lapsed(now time.Time) bool { return m != nil && !m.Answered && !m.Live(now) }

// Redirect is where the payer has to go to finish: the issuer's 3-D Secure page or a third-party page.
type Redirect struct {
	ThreeDS bool            `json:"three_ds,omitempty"`
	URL     string          `json:"url"`
	Method  string          `json:"method"` // GET or POST
	Params  []RedirectParam `json:"params,omitempty"`
}

// RedirectParam is one form field of a redirect, in order.
type RedirectParam struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Facts is what an acquirer tells about a transaction beside its outcome.
type Facts struct {
	RRN            string `json:"rrn,omitempty"`
	ApprovalCode   string `json:"approval_code,omitempty"`
	ARN            string `json:"arn,omitempty"`
	GatewayID      string `json:"gateway_id,omitempty"`
	ExtraGatewayID string `json:"extra_gateway_id,omitempty"`
	Descriptor     string `json:"descriptor,omitempty"`
	IssuerCountry  string `json:"issuer_country,omitempty"`
	IssuerBank     string `json:"issuer_bank,omitempty"`

	// Credential is under what reference the issuer knows the stored card, like a network transaction id: it
	// goes with every later use of that card at the same MID (SPEC1, req_token). Up to 255 bytes.
	Credential string `json:"credential,omitempty"`

	// Computed amounts come from the acquirer as exact decimal strings; the kernel never multiplies
	// (decision ab).
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
	BankDate   string `json:"bank_date,omitempty"` // YYYY-MM-DD HH:MM:SS, as the bank has it
}

// Extra is a name and value of the acquirer's own.
type Extra struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ThreeDSFacts are the result attributes of 3-D Secure (SPEC1, "Events"), from the connector or as an
// external MPI gave them.
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

// Decision is the recorded word of an operator on a transaction in doubt.
type Decision struct {
	Outcome Outcome   `json:"outcome"` // Success or Fail
	By      string    `json:"by"`
	Why     string    `json:"why"`
	At      time.Time `json:"at"`
}

// Sealed is a value under a data key that the key provider wrapped. Purpose, merchant and record are
// bound to it, so that it opens nowhere else.
type Sealed struct {
	KeyID   string `json:"key_id"`
	DataKey []byte `json:"data_key"` // wrapped
	Box     []byte `json:"box"`      // nonce and ciphertext
}

// Check guards what every stored transaction must satisfy.
func (t *Transaction) Check() error {
	switch {
	case t.ID == "" || t.PaymentID == "" || t.MerchantID == "" || t.Currency == "":
		return errors.New("transaction: id, payment, merchant and currency are required")
	case t.Outcome.Final() && (len(t.SealedCode) > 0 || !t.Due.IsZero()):
		return errors.New("transaction: closed, but card data or due work is left")
	}
	return nil
}
