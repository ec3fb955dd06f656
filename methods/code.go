package methods

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// The protocols that list a code: Checkout, S2S APM, or both.
const (
	onCheckout = "C"
	onS2S      = "S"
	onBoth     = "CS"
)

// method returns a method that sells, and pays out if the documents have payout parameters for its code. It has no
// operation that they do not list (decision bo). A host whose acquirer does more registers a method of its own
// under the code.
func method(code, name string, kind MethodKind, where string, uses ...Use) Method {
	m := Method{Code: code, Name: name, Kind: kind, Sets: uses, Operations: []store.Operation{store.OpSale}}
	if slices.ContainsFunc(uses, func(u Use) bool { return slices.Contains(u.Operations, store.OpCredit) }) {
		m.Operations = append(m.Operations, store.OpCredit)
	}
	if where != onS2S {
		m.Protocols = append(m.Protocols, store.Checkout)
	}
	if where != onCheckout {
		m.Protocols = append(m.Protocols, store.S2SAPM)
	}
	return m
}

// use adds a set that always applies, sent one that applies only when one of its parameters is sent.
func use(set string) Use { return Use{Set: set} }

func sent(set string) Use { return Use{Set: set, IfSent: true} }

func (u Use) in(s Spelling) Use { u.Spelling = s; return u }

func (u Use) of(group string) Use { u.Group = group; return u }

func (u Use) sale() Use { u.Operations = []store.Operation{store.OpSale}; return u }

func (u Use) debit() Use { u.Operations = []store.Operation{store.OpDebit}; return u }

func (u Use) transfer() Use { u.Operations = []store.Operation{store.OpTransfer}; return u }

func (u Use) payout() Use { u.Operations = []store.Operation{store.OpCredit}; return u }

func (m Method) prompts(asks ...Prompt) Method { m.Prompts = append(m.Prompts, asks...); return m }

func (m Method) window(seconds int) Method { m.Window = seconds; return m }

func (m Method) in(currencies ...string) Method { m.Currencies = currencies; return m }

func (m Method) only(operations ...store.Operation) Method { m.Operations = operations; return m }

// The parameters that the page asks for.

func promptDocumentNumber() Prompt { return Prompt{Name: "document_number", Label: "Document number"} }

func promptPersonalID() Prompt { return Prompt{Name: "personal_id", Label: "Personal ID"} }

func promptInstitution() []Prompt {
	return []Prompt{
		{Name: "orgCode", Label: "Bank code"},
		{Name: "accountName", Label: "Account holder", Pattern: ".{1,64}"},
		{Name: "accountNumber", Label: "Account number"},
	}
}
