package store

import (
	"errors"
	"time"
)

// TransactionRecord is a transaction as it is stored, for the gateway alone, in the record of its payment.
type TransactionRecord struct {
	Transaction
	Continuation []byte `json:"continuation,omitempty" after:"ref"`

	// ReturnHash is the SHA-256 of the secret in the payer's return URL, NotifyHash of the secret in the acquirer's
	// notification URL (decision ce). Three fields are sealed. SealedCode is the security code, while it may be needed;
	// it is erased with the outcome or the link. SealedReturnPage is where the browser goes at the end. Both are sealed
	// under the secret of the return URL. SealedRedirect is where the payer has to go, sealed under the secret of the
	// session's link. None of these secrets is stored.
	ReturnHash       string  `json:"rh,omitempty" after:"extras"`
	NotifyHash       string  `json:"nh,omitempty"`
	SealedCode       []byte  `json:"held,omitempty"`
	SealedReturnPage []byte  `json:"back,omitempty"`
	SealedRedirect   []byte  `json:"next,omitempty"`
	SealedCard       *Sealed `json:"sc,omitempty"` // number and expiry, sealed under the key provider
	// SealedParameters are the method's parameters, with the payer's answers that are kept; they stay.
	SealedParameters *Sealed `json:"sealed_parameters,omitempty"`

	// SealedSent are the parameters as they were sent, while another MID of a cascade may need them.
	SealedSent *Sealed `json:"sealed_sent,omitempty"`
	SealedMPI  *Sealed `json:"sealed_mpi,omitempty"` // data of an external 3-D Secure, until the outcome
	// SealedWallet is what the connector gets of a wallet's token, until the outcome.
	SealedWallet    *Sealed `json:"sealed_wallet,omitempty"`
	CountedInLimits bool    `json:"counted,omitempty"` // counted against the limits of its MID

	// PromptsAnswered are the prompts that the payer last answered, and AnswerCount is how often they have answered.
	PromptsAnswered []Prompt `json:"answered,omitempty" after:"asks"`
	AnswerCount     int      `json:"answers,omitempty"`

	// Coded says that the card came with a security code. LinkEndsAt is when the payer's link ends, and with it
	// the data kept for the return; zero means a day after CreatedAt. ErasedAt is when the card was erased before the
	// outcome. OnFile marks a card that its chain keeps anyway: it stays for the outcome.
	Coded      bool      `json:"cv,omitempty"`
	OnFile     bool      `json:"on_file,omitempty"`
	LinkEndsAt time.Time `json:"kept_until,omitzero"`
	ErasedAt   time.Time `json:"erased_at,omitzero"`

	// Returning marks the connector's call for the payer's return, Answering the call for the payer's answers. Each
	// is set before the call.
	Returning *CallMark `json:"returning,omitempty"`
	Answering *CallMark `json:"answering,omitempty"`

	// Stage counts the next steps to which the acquirer has led the payer.
	Stage int `json:"stage,omitempty"`

	// Accepted says that the acquirer has told that it has the operation; false once the transaction is closed.
	Accepted bool `json:"accepted,omitempty"`

	// DeadlineAt is when the connector's call has ended; zero once the transaction is closed.
	DeadlineAt time.Time `json:"till,omitzero" after:"at"`
}

// CallMark says that a connector is being called about what a payer brought, so that two browsers make one call.
// It lapses when the process died, and it stays after a call whose outcome is unknown.
type CallMark struct {
	ID       string    `json:"id"` // identifies the call
	Until    time.Time `json:"until,omitzero"`
	Evidence string    `json:"evidence,omitempty"` // keyed digest of what the payer brought
	Pending  bool      `json:"pending,omitempty"`  // the connector got it and knows no outcome yet
	Answered bool      `json:"answered,omitempty"` // the call has ended, with or without an outcome
	// Sent is the evidence of earlier calls that were made, or may have been. A connector that would act twice gets none
	// of it again.
	Sent []string `json:"sent,omitempty"`
	// Kept is the payer's return, sealed under the secret of the payer's page until the call is answered. When the
	// process died, the page sends the browser to that address again.
	Kept []byte `json:"kept,omitempty"`
}

// Live reports whether the call may be under way.
func (m *CallMark) Live(now time.Time) bool { return m != nil && now.Before(m.Until) }

// Lapsed reports whether the call ended without a known outcome.
func (m *CallMark) Lapsed(now time.Time) bool { return m != nil && !m.Answered && !m.Live(now) }

// check guards the rules that every transaction of a payment must satisfy.
func (t *TransactionRecord) check(p *PaymentRecord) error {
	switch {
	case t == nil || t.ID == "":
		return errors.New("transaction: an id is required")
	case t.PaymentID != p.ID || t.MerchantID != p.MerchantID || t.Currency != p.Order.Currency || t.MIDID != p.MIDID:
		return errors.New("transaction: payment, merchant, currency and MID are not those of its payment")
	case t.Outcome.Final() && (len(t.SealedCode) > 0 || !t.Due.IsZero()):
		return errors.New("transaction: it is closed but still has card data or due work")
	}
	return nil
}
