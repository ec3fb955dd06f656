package methods

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// MethodKind is how a payment by the method goes on, as far as its code shows (SPEC2, "Method behaviours"). The
// connector's answer decides.
type MethodKind string

// The kinds.
const (
	KindCard         MethodKind = "card"
	KindRedirect     MethodKind = "redirect"     // the payer finishes on another page
	KindQR           MethodKind = "qr"           // a QR code is shown
	KindConfirmation MethodKind = "confirmation" // the payer confirms in an app or on the phone
	KindDetails      MethodKind = "details"      // payment details are shown
	KindLink         MethodKind = "link"         // the payer gets a link by e-mail or SMS
	KindWallet       MethodKind = "wallet"       // a wallet's token
	KindCrypto       MethodKind = "crypto"
	KindVoucher      MethodKind = "voucher"
	KindPayout       MethodKind = "payout" // payouts only
)

// MethodKinds returns every kind.
func MethodKinds() []MethodKind {
	return []MethodKind{KindCard, KindRedirect, KindQR, KindConfirmation, KindDetails, KindLink, KindWallet,
		KindCrypto, KindVoucher, KindPayout}
}

// Method is a payment method as data, which can be stored as JSON. A method of a known kind needs a record only,
// no Go code.
type Method struct {
	Code string     `json:"code"` // up to 64 ASCII letters, digits, "_" and "-"; `brand` on S2S
	Name string     `json:"name"` // that payers see
	Kind MethodKind `json:"kind"`

	Protocols []store.Protocol `json:"protocols,omitempty"` // empty: every protocol
	// Operations are the first operations that it serves: SALE, which includes AUTH, DEBIT, TRANSFER and CREDIT. No
	// other is accepted, and a record without any is refused (decision bo).
	Operations []store.Operation `json:"operations"`
	Currencies []string          `json:"currencies,omitempty"` // empty: the MID's

	Sets []Use `json:"sets,omitempty"`
	// Prompts are the parameters that the hosted page asks the payer for when they were not sent. Each names a row of
	// the method's sets. Every parameter that is conditional on the page must be one of them.
	Prompts []Prompt `json:"asks,omitempty"`
	// Window is how many seconds the payer has to finish; 0 for the connector's own time.
	Window int `json:"window,omitempty"`

	// Defines are sets that come with the method. Other methods may use them too. A set with the name of a default
	// set replaces it.
	Defines []Set `json:"defines,omitempty"`
}

// Use says that a method has a set, and when.
type Use struct {
	Set        string            `json:"set"`
	Spelling   Spelling          `json:"spelling,omitempty"`   // JSON: Checkout only, Form: S2S only
	Operations []store.Operation `json:"operations,omitempty"` // empty: every operation
	// IfSent leaves the set out while none of its parameters is sent, unless the MID lists the set as needed. Any
	// parameter of the set counts, an optional one too: a parameter that may be sent alone belongs in a set of its
	// own.
	IfSent bool `json:"if_sent,omitempty"`
	// Group makes sets alternatives: one of the sets with the same Group has to fit.
	Group string `json:"group,omitempty"`
}

// ServesProtocol reports whether the method may be used by a protocol.
func (m Method) ServesProtocol(p store.Protocol) bool {
	return len(m.Protocols) == 0 || slices.Contains(m.Protocols, p)
}

// Serves reports whether a payment may begin with an operation; an authorization counts as a sale. Pass the
// operation of the payment, not that of the MID: a MID in DMS mode begins a debit with an authorization.
func (m Method) Serves(op store.Operation) bool {
	return slices.Contains(m.Operations, asCharge(op))
}

// Missing returns the fields that the page has to ask for: the Prompts that were not sent.
func (m Method) Missing(tree map[string]any) (asks []Prompt) {
	for _, ask := range m.Prompts {
		if path, err := ParsePath(ask.Name); err == nil && isAbsent(at(tree, path)) {
			asks = append(asks, ask)
		}
	}
	return asks
}

// at returns the value at a path through objects; nil without one.
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
