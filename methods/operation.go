package methods

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Operation is one thing to do. Amounts are exact and in major units.
type Operation struct {
	Kind          store.Operation
	Key           string // idempotency key: a pure function of the transaction id
	TransactionID string
	PaymentID     string
	Merchant      string // its name, as payers know it
	Amount        store.Amount
	AmountOpen    bool // the payer chooses the amount: Amount is nothing, and the answer has it
	Currency      string
	Order         store.Order
	Method        string        // code of the catalogue
	MethodKind    MethodKind    // how it ends, as far as its code shows; empty for an unknown code
	Window        time.Duration // how long the payer has to finish; zero for the connector's own time
	Test          bool
	Deadline      time.Time

	MID            MID
	Card           *Card          // nil when the operation needs none; of a payout to a card the payee's
	PayeeCard      *Card          // of a transfer from card to card: the number
	MPI            *MPI           // with AuthExternal, unless Wallet brings the cryptogram
	Wallet         *Wallet        // nil when no wallet pays
	Authentication Authentication // whether and how the payer is authenticated
	// COF is how a stored card is used; the zero value where none is. With MID.COF the acquirer registers the
	// card where Credential is empty, and answers with the reference in Facts.Credential; Credential is what it
	// answered at this MID before (SPEC1, req_token).
	COF           store.COF
	Credential    string
	Payer         store.Payer
	Payee         *store.Payer // of a transfer or a payout, as far as it is known
	Quote         *store.Quote // tax and exchange as the host computed them; nil for none
	Identifier    string       // S2S APM: the payer's name at the method
	CryptoNetwork string
	Browser       map[string]string
	Parameters    []byte // the method's parameters as JSON, as sent

	// Parent is the operation this one acts on: the charge a capture, refund or void is for.
	ParentKey       string
	ParentReference string

	// Continuation is what the connector itself asked to be handed back.
	Continuation []byte
	// ReturnURL is where the payer comes back to, NotificationURL where the acquirer may report. Each carries a
	// secret of its own, of this transaction: the payer learns the first, and the second is the acquirer's alone.
	ReturnURL       string
	NotificationURL string
}

// MID is what a connector learns of the merchant account.
type MID struct {
	ID         string
	Descriptor string
	COF        bool // it registers stored cards
	Settings   map[string]string
	Secrets    map[string]store.Secret
}

// Card is an opened card, for this call only. Code is empty on MOTO and on anything that is resent.
type Card struct {
	PAN    store.PAN
	Expiry store.Expiry
	Holder string
	Code   store.SecurityCode
}

// MPI is the result of a 3-D Secure that was done elsewhere, as it was given (SPEC2, mpi_data).
type MPI struct {
	ECI                 string // 2 characters
	AuthenticationValue string // 28..64 characters
	DSTransID           string // UUID
	Version             string // X.Y.Z
	TransStatus         string // one upper-case letter, or empty
	XID                 string // up to 64 characters
}

// Facts is what records and callbacks show of it. A nil MPI has none.
func (m *MPI) Facts() store.ThreeDSFacts {
	if m == nil {
		return store.ThreeDSFacts{}
	}
	return store.ThreeDSFacts{DSTransID: m.DSTransID, XID: m.XID, TransStatus: m.TransStatus, ECI: m.ECI,
		ProtocolVersion: m.Version}
}

// Authentication says who authenticates the payer: one instrument, one authentication.
type Authentication string

// The zero value lets the platform start 3-D Secure.
const (
	AuthPlatform Authentication = ""         // the connector may start 3-D Secure
	AuthExternal Authentication = "external" // done elsewhere; mpi_data came with the request, or a wallet did it
	AuthOff      Authentication = "off"      // none: MOTO, or a later payment of a chain
)

// Return is what a payer's browser brought back from the issuer or the bank.
type Return struct {
	Method string              // GET or POST, or Answered when the payer filled in what was asked
	Params map[string][]string // query and form together
}

// Answered is the Method of a Return that brings what the payer was asked: Params has one value for
// each Ask.
const Answered = "ANSWER"

// Note is an acquirer's own notification, as it came in.
type Note struct {
	Method string
	Header map[string][]string
	Query  map[string][]string
	Body   []byte // up to 64 KiB
}
