package engine

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Merchant is a merchant with the configuration that an operation needs.
type Merchant interface {
	Record() *store.Merchant
	Mapping(store.Protocol) *store.Mapping
	MID(id string) *store.MID
	// Speaks returns the error of a protocol whose mapping cannot be read.
	Speaks(store.Protocol) error
	// Readable returns the error of a payment whose mapping or MID cannot be read.
	Readable(*records.Payment) error
}

// Operation begins a payment. Ids, times and secrets are made beforehand, because step one may run more than
// once.
type Operation struct {
	Merchant    Merchant
	MID         *store.MID
	Payment     records.Payment     // as requested; step one completes it
	Transaction records.Transaction // its intent, with its sealed data
	Give
	Way
	// Claim checks and reserves in step one, before the limits of the MID are taken, and Insert writes after them. A
	// later attempt of a cascade only inserts. Both may run more than once; nil does nothing.
	Claim, Insert func(store.Tx) error
	// Next makes the attempt that follows a soft decline of this one; nil if there is none.
	Next func(ctx context.Context, of *Operation) (*Operation, error)
	// Supersedes deletes what the previous attempt created, if the merchant does not know it.
	Supersedes func(store.Tx, *records.Payment) error

	written store.Kept[records.Payment]
}

// Give is what the connector gets beyond the records.
type Give struct {
	Card, PayeeCard *methods.Card
	MPI             *methods.MPI
	Wallet          *methods.Wallet
	Parameters      json.RawMessage
	Secret, Notice  []byte // of the payer's return link and of the acquirer's notification link
}

// Way is how the payer gets to the page. Link returns the secret of that page, under which a redirect is sealed
// for payers who reload. Hosted is its address, if the caller redirects the payer to it. Alone makes the page
// where no session has one.
type Way struct {
	Link   func() []byte
	Hosted string
	Alone  func() (*StatusPage, error)
}

// StatusPage is the page of a payment without a session. It is stored once the payer is redirected.
type StatusPage struct {
	URL    string
	Insert func(store.Tx, *records.Payment) error
}

// FollowUp is a request for a payment that exists. Draft is the transaction it begins; Whole means that its
// amount is all that is left. Claim runs once the payment's status allows the request; nil means none. Give
// and Way are those of a charge, for a follow-up that is one.
type FollowUp struct {
	Merchant  Merchant
	Owner     records.Owner
	PaymentID string
	Ask       state.Request
	Whole     bool
	Draft     records.Transaction
	Claim     func(store.Tx, *records.Payment) error
	Give      *Give
	Way       Way

	payment records.Payment
	intent  records.Transaction
	written store.Kept[records.Payment]
}

// Dispute is an issuer's chargeback, as the acquirer reports it.
type Dispute struct {
	Reason, ReasonCode string
	BankDate           time.Time
}

// PayerReturn is what a payer brings back from elsewhere or answers to a prompt, and the secrets for it.
type PayerReturn struct {
	Back   methods.Return
	Secret []byte // of the return link; nil for an answer
	Code   store.SecurityCode
	Page   string // where the payer goes next
	Link   []byte // the secret of Page, if it is a page of ours
}

// evidence names what the payer brought, by a hash that is keyed with the link.
func (t *PayerReturn) evidence() string {
	text, _ := json.Marshal(t.Back) // strings only, so it cannot fail
	mac := hmac.New(sha256.New, t.Secret)
	mac.Write([]byte("return\n"))
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}

// CodeGone reports whether the card had a security code that is now erased.
func (t *PayerReturn) CodeGone(of *records.Transaction) bool {
	return of.Coded && t.Code.Digits() == ""
}

// Declined is a charge that was declined softly after its payer returned, with its sealed data.
type Declined struct {
	Merchant    Merchant
	Payment     *records.Payment
	Transaction *records.Transaction
	Given       *methods.Operation
	Return      PayerReturn
}
