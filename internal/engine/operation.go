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

// Merchant is a merchant with everything configured for it, as an operation needs it.
type Merchant interface {
	Record() *store.Merchant
	Mapping(store.Protocol) *store.Mapping
	MID(id string) *store.MID
	// Speaks is the error of a protocol whose mapping cannot be read.
	Speaks(store.Protocol) error
	// Readable is the error of a payment whose mapping or MID cannot be read.
	Readable(*store.Payment) error
}

// Operation begins a payment. Ids, times and secrets are made before, since step one may run more than once.
type Operation struct {
	Merchant    Merchant
	MID         *store.MID
	Payment     store.Payment     // as asked for; step one completes it
	Transaction store.Transaction // its intent, with what is sealed for it
	Give
	Way
	// Claims are taken in step one before the limits of the MID, Inserts behind them. An attempt that follows another
	// one takes its Inserts only. Either may run more than once.
	Claims, Inserts []Claim
	// Next makes the attempt that follows this one, which was declined softly; nil where none does.
	Next func(ctx context.Context, of *Operation) (*Operation, error)
	// Supersedes undoes what the attempt before this one made for itself, where the merchant has not heard of that.
	Supersedes func(store.Tx, *store.Payment) error

	written written
}

// Give is what the connector gets beyond the records.
type Give struct {
	Card, PayeeCard *methods.Card
	MPI             *methods.MPI
	Wallet          *methods.Wallet
	Parameters      json.RawMessage
	Secret, Notice  []byte // of the payer's return link and of the acquirer's notification link
}

// Way is how the payer comes to the page. Link is the secret of that page, under which a redirect is kept for payers
// who reload; Hosted its address, where the caller sends the payer to it; Alone makes the page where no session has it.
type Way struct {
	Link   []byte
	Hosted string
	Alone  func() (*StatusPage, error)
}

// StatusPage is the page of a payment without a session. It is stored once its payer is sent away.
type StatusPage struct {
	URL    string
	Insert func(store.Tx, *store.Payment) error
}

// Claim is what an operation takes in step one, or is refused for.
type Claim struct {
	Name string
	Take func(store.Tx, *Operation) error
}

// written is what step one wrote, for step three to read again.
type written struct {
	payment store.Kept[store.Payment]
	intent  store.Kept[store.Transaction]
}

// FollowUp asks for something on a payment that exists. Draft is the transaction it begins; Whole says that its amount
// is all there is. Claim is taken once the payment's status allows the request; nil for none. Give and Way are those
// of a charge, where the follow-up is one.
type FollowUp struct {
	Merchant  Merchant
	Owner     records.Owner
	PaymentID string
	Ask       state.Request
	Whole     bool
	Draft     store.Transaction
	Claim     func(store.Tx, *store.Payment) error
	Give      *Give
	Way       Way

	payment store.Payment
	intent  store.Transaction
	written written
}

// Dispute is an issuer's chargeback, as the acquirer reports it.
type Dispute struct {
	Reason, ReasonCode string
	BankDate           time.Time
}

// PayerReturn is what a payer brings who has been elsewhere, or was asked, and what is held for that.
type PayerReturn struct {
	Back   methods.Return
	Secret []byte // of the return link; nil for an answer
	Code   store.SecurityCode
	Page   string // where the payer goes next
	Link   []byte // its secret, where it is a page of ours
}

// evidence names what the payer brought, for those only who have the link.
func (t *PayerReturn) evidence() string {
	text, _ := json.Marshal(t.Back) // texts only
	mac := hmac.New(sha256.New, t.Secret)
	mac.Write([]byte("return\n"))
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}

// CodeGone reports a card whose security code came and is not there any more.
func (t *PayerReturn) CodeGone(of *store.Transaction) bool { return of.Coded && t.Code.Digits() == "" }

// Declined is a charge that was declined softly after its payer came back, with what was sealed for it.
type Declined struct {
	Merchant    Merchant
	Payment     *store.Payment
	Transaction *store.Transaction
	Given       *methods.Operation
	Return      PayerReturn
}
