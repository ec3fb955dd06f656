package methods

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Connector performs one operation at one acquirer, once. It is the only port a connector author must
// implement; the optional powers below tell the gateway what else the acquirer can do, and
// package methodstest checks them all.
//
// The gateway has committed the operation's intent before it calls, holds no store transaction
// meanwhile, and gives a context that ends at Operation.Deadline. Perform must return by then and say
// what it knows: NotSent only when the acquirer certainly did nothing, Unknown whenever something may
// have happened. A panic counts as Unknown. Perform is called from many goroutines.
type Connector interface {
	Perform(ctx context.Context, op Operation) Answer
}

// Declarer tells what may be relied on. A connector that does not declare gets the zero value, which
// is the strictest: nothing is resent, nothing times out into a decline.
type Declarer interface {
	Capabilities() Capabilities
}

// Finder asks the acquirer what became of an operation, by our key.
type Finder interface {
	// Find answers what is known, or NotFound when the acquirer has seen nothing under the key. An
	// Unknown answer means the question itself failed, also because the context ended. It repeats the
	// acquirer's amount and currency, not those of op, so that a mismatch can be seen. op has no card.
	Find(ctx context.Context, op Operation) Answer
}

// Completer finishes an operation after the payer has been elsewhere.
type Completer interface {
	// Complete is given the operation with the Continuation of the answer that sent the payer away, and
	// what the payer's browser brought back. That is no evidence by itself: it has to be verified by the
	// acquirer's means or asked about. A return that is forged or another operation's is Unverified and
	// changes nothing. Two calls are never under way at once about one return. One whose answer is Unknown or was
	// never heard comes again only to a connector that is IdempotentByKey, which gives the same answer; another one
	// is asked by Find. The card is there until the payer's link ends, its security code with CodeAtReturn.
	Complete(ctx context.Context, op Operation, back Return) Answer
}

// Notified reads the acquirer's own notification about an operation. It must verify it by the
// acquirer's means; what does not verify is Unverified and changes nothing. Unknown is one that could not be read
// now, and that the acquirer is asked to send again.
type Notified interface {
	Notification(ctx context.Context, op Operation, note Note) Answer
}

// Stopper stops what an acquirer itself charges again and again: a schedule that it runs for a payment
// (s2s_card.md, STOP_SCHEDULE).
type Stopper interface {
	// StopSchedule is given the charge that began the schedule, with its key and reference. Approved says
	// that nothing more will be charged by it, also when it was stopped before; Declined that the acquirer
	// does not stop it, or runs none.
	StopSchedule(ctx context.Context, op Operation) Answer
}

// Capabilities is what a connector declares (architecture.md, "Ports").
type Capabilities struct {
	// IdempotentByKey: a second request with our key has no second effect and gives the first answer.
	IdempotentByKey bool
	// Lateness is how long after the deadline an unseen request may still take effect. Zero means not
	// declared: an operation that is not found then stays in doubt.
	Lateness time.Duration
	// ResendWithoutCode: a charge may be sent without the security code that the payer gave: again, or after another
	// MID had declined it, when the code is there no longer.
	ResendWithoutCode bool
	// CodeAtReturn: Complete needs the card with its security code, as an acquirer does that authorizes only after the
	// issuer's page. So has a Complete that brings what the payer was asked. Else the code is gone when the payer comes
	// back, unless another MID may need it. On S2S the callbacks of such an attempt do not say where the payer has to go,
	// to the issuer, to a bank or to the gateway's own page, since their bodies are kept; the answer does. Once the
	// payer's link has ended, a day after the attempt began at most, Complete is not called at all, and nothing is asked.
	CodeAtReturn bool
	// Holds: authorizations can be held and captured later (DMS).
	Holds bool
	// ZeroAmount: authorizations of nothing are accepted.
	ZeroAmount bool
	// Wallet: what of a wallet's token is taken (SPEC2, "Wallet tokens").
	Wallet WalletSupport
	// WalletHolds: a token that is taken as it is can be held and captured later, too (decision z).
	WalletHolds bool
	// BrowserFields are the browser attributes it cannot do without; a missing one declines with
	// INVALID_REQUEST before anything is sent (decision al).
	BrowserFields []string
	// Timeout bounds one call; zero means the gateway's own.
	Timeout time.Duration
}

// Operation is one thing to do. Amounts are exact and in major units.
type Operation struct {
	Kind          store.Operation
	Key           string // idempotency key: a pure function of the transaction id
	TransactionID string
	PaymentID     string
	Merchant      string // its name, as payers know it
	Amount        store.Amount
	Open          bool // the payer chooses the amount: Amount is nothing, and the answer tells it
	Currency      string
	Order         store.Order
	Method        string        // code of the catalogue
	MethodKind    MethodKind    // how it ends, as far as its code tells; empty for a code nobody knows
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
	return store.ThreeDSFacts{DSTransID: m.DSTransID, XID: m.XID, TransStatus: m.TransStatus, ECI: m.ECI, ProtocolVersion: m.Version}
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

// CapabilitiesOf is what a connector declares; nothing for one that declares nothing.
func CapabilitiesOf(connector Connector) Capabilities {
	if declarer, ok := connector.(Declarer); ok {
		return declarer.Capabilities()
	}
	return Capabilities{}
}
