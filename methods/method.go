package methods

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// MethodKind is the way a method ends, as far as its code shows (SPEC2, "Method behaviours"). What really
// happens is what the connector answers.
type MethodKind string

// The kinds.
const (
	KindCard         MethodKind = "card"
	KindRedirect     MethodKind = "redirect"     // the payer finishes elsewhere
	KindQR           MethodKind = "qr"           // a QR code is shown
	KindConfirmation MethodKind = "confirmation" // the payer confirms in an app or on the phone
	KindDetails      MethodKind = "details"      // payment details are shown
	KindLink         MethodKind = "link"         // a link comes by e-mail or SMS
	KindWallet       MethodKind = "wallet"       // a wallet's token
	KindCrypto       MethodKind = "crypto"
	KindVoucher      MethodKind = "voucher"
	KindPayout       MethodKind = "payout" // nothing but payouts
)

// MethodKinds lists every kind.
func MethodKinds() []MethodKind {
	return []MethodKind{KindCard, KindRedirect, KindQR, KindConfirmation, KindDetails, KindLink, KindWallet,
		KindCrypto, KindVoucher, KindPayout}
}

// Method is a payment method as data; it can be kept as JSON. A code that has a known shape needs a
// record and no code.
type Method struct {
	Code string     `json:"code"` // up to 64 ASCII letters, digits, "_" and "-"; `brand` on S2S
	Name string     `json:"name"` // for the payer
	Kind MethodKind `json:"kind"`

	Protocols []store.Protocol `json:"protocols,omitempty"` // empty: every protocol
	// Operations are the first operations that it serves: SALE, which stands for AUTH too, DEBIT, TRANSFER and
	// CREDIT. Nothing else is accepted, and a record without any is refused (decision bo).
	Operations []store.Operation `json:"operations"`
	Currencies []string          `json:"currencies,omitempty"` // empty: as the MID has them

	Sets []Use `json:"sets,omitempty"`
	// Prompts are the parameters that the hosted page asks the payer for when they were not sent. Each names
	// a row of the method's sets; every parameter that is conditional on the page must be among them.
	Prompts []Prompt `json:"asks,omitempty"`
	// Window is how many seconds the payer has to finish; 0 for the connector's own time.
	Window int `json:"window,omitempty"`

	// Defines are sets the method brings along. Other methods may use them as well; one that has the name
	// of a default set replaces it.
	Defines []Set `json:"defines,omitempty"`
}

// Use says that a method takes a set, and when.
type Use struct {
	Set        string            `json:"set"`
	Spelling   Spelling          `json:"spelling,omitempty"`   // JSON: Checkout only, Form: S2S only
	Operations []store.Operation `json:"operations,omitempty"` // empty: every operation
	// IfSent leaves the set out while nothing of it is sent, unless the MID lists its name as needed. Any
	// parameter of the set begins it, an optional one too: one that goes without the rest belongs in a set
	// of its own.
	IfSent bool `json:"if_sent,omitempty"`
	// Group makes sets alternatives: of those with the same Group one has to fit.
	Group string `json:"group,omitempty"`
}

// ServesProtocol reports whether the method may be used by a protocol.
func (m Method) ServesProtocol(p store.Protocol) bool {
	return len(m.Protocols) == 0 || slices.Contains(m.Protocols, p)
}

// Serves reports whether a payment may begin with an operation; an authorization counts as a sale. Ask for what
// the payment is, not for what a MID makes of it: one in DMS mode begins a debit with an authorization.
func (m Method) Serves(op store.Operation) bool {
	return slices.Contains(m.Operations, asCharge(op))
}

// Missing are the fields the page has to ask for: those of Asks that were not sent.
func (m Method) Missing(tree map[string]any) (asks []Prompt) {
	for _, ask := range m.Prompts {
		if path, err := ParsePath(ask.Name); err == nil && isAbsent(at(tree, path)) {
			asks = append(asks, ask)
		}
	}
	return asks
}

// at is the value at a path through objects; nil where there is none.
func at(tree any, path Path) any {
	for _, step := range path {
		object, ok := tree.(map[string]any)
		if !ok {
			return nil
		}
		tree = object[step.Key]
	}
	return tree
}
