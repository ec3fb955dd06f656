package methods

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Operation is what a connector has to do. Amounts are exact and in major units. A connector may read its maps, lists
// and pointers, and must not change what they hold: the configuration of the MID belongs to other calls too, and the
// rest to the record.
type Operation struct {
	Kind          store.Operation
	Key           string // idempotency key: a pure function of the transaction id
	TransactionID string
	PaymentID     string
	Merchant      string // the merchant's name, as payers know it
	Amount        store.Amount
	AmountOpen    bool // the payer chooses the amount: Amount is zero, and the answer has the amount
	Currency      string
	Order         store.Order
	Method        string        // code of the catalogue
	MethodKind    MethodKind    // how it goes on, as far as its code shows; empty for an unknown code
	Window        time.Duration // how long the payer has to finish; zero for the connector's own time
	Test          bool
	Deadline      time.Time

	MID            MID
	Card           *Card          // nil without a card; of a payout to a card, the payee's
	PayeeCard      *Card          // of a transfer from card to card: only the number
	MPI            *MPI           // with AuthExternal, unless Wallet has the cryptogram
	Wallet         *Wallet        // nil without a wallet
	Authentication Authentication // whether and how the payer is authenticated
	// COF is how a stored card is used; zero for a card that is not stored. With MID.COF the acquirer registers the
	// card when Credential is empty, and the answer has its reference in Facts.Credential. Credential is the
	// reference that this MID returned before (SPEC1, req_token).
	COF           store.COF
	Credential    string
	Payer         store.Payer
	Payee         *store.Payer // of a transfer or a payout, as far as known
	Quote         *store.Quote // tax and exchange as the host computed them; nil without any
	Identifier    string       // S2S APM: the payer's identifier at the method
	CryptoNetwork string
	Browser       map[string]string
	Parameters    []byte // the method's parameters as JSON, as sent

	// Parent is the operation that this one follows up: the charge that is captured, refunded or voided.
	ParentKey       string
	ParentReference string

	// Continuation is what the connector's earlier answer set.
	Continuation []byte
	// ReturnURL is where the payer comes back to, NotificationURL where the acquirer may report. Each has a secret of
	// this transaction: the payer sees the first one, only the acquirer the second.
	ReturnURL       string
	NotificationURL string
}

// MID is what a connector gets of the merchant account.
type MID struct {
	ID         string
	Descriptor string
	COF        bool // it registers stored cards
	Settings   map[string]string
	Secrets    map[string]store.Secret
}

// Card is the card for this call only, decrypted. Code is empty on MOTO and on anything that is sent again.
type Card struct {
	PAN    store.PAN
	Expiry store.Expiry
	Holder string
	Code   store.SecurityCode
}

// MPI is the result of a 3-D Secure that was done elsewhere, as it was sent (SPEC2, mpi_data).
type MPI struct {
	ECI                 string // 2 characters
	AuthenticationValue string // 28..64 characters
	DSTransID           string // UUID
	Version             string // X.Y.Z
	TransStatus         string // one upper-case letter, or empty
	XID                 string // up to 64 characters
}

// Facts returns what records and callbacks show of the result. A nil MPI has none.
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

// Return is what the payer's browser brought back from the issuer or the bank.
type Return struct {
	Method string              // GET or POST, or Answered when the payer filled in the prompts
	Params map[string][]string // query and form together
}

// Answered is the Method of a Return with the payer's answers: Params has one value for each Prompt.
const Answered = "ANSWER"

// Note is an acquirer's own notification, unchanged.
type Note struct {
	Method string // of HTTP
	Header map[string][]string
	Query  map[string][]string
	Body   []byte // up to 64 KiB
}
