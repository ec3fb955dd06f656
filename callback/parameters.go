package callback

import (
	"strconv"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store"
)

// Parameter is a row of the table of a protocol's callbacks: what a merchant's endpoint may be sent.
type Parameter struct {
	Name   string
	Always bool   // in every callback, even when it is empty
	When   string // in which callbacks it can be, in words; "" for all of them
	Tree   bool   // with parts in brackets: custom_data[key]
	Since  string // the release that brought it; "" for the first
}

// Parameters returns the rows of a protocol's callbacks, in the order in which bodies have them. A name with two rows
// stands where one of them says. A protocol without callbacks has none.
func Parameters(protocol store.Protocol) (list []Parameter) {
	f, _ := formOf(protocol)
	for i := range f.rows {
		r := &f.rows[i]
		list = append(list, Parameter{Name: r.name, When: r.when.says, Tree: r.tree != nil, Since: r.since,
			Always: r.when.says == "" && r.when.of(&Event{}) == required})
	}
	return list
}

// Actions are the names of S2S callbacks, the parameter action.
func Actions(protocol store.Protocol) []string {
	switch protocol {
	case store.S2SCard:
		return append(append([]string{}, cardCharges...), credit2Card, capture, creditvoid, void, chargeback)
	case store.S2SAPM:
		return append(append([]string{}, apmCharges...), credit2Virtual, credit2Crypto, capture, creditvoid, void, chargeback)
	default: // the type of a Checkout callback is no action
		return nil
	}
}

// Formulas are those that sign the callbacks of a protocol.
func Formulas(protocol store.Protocol) []signature.Formula {
	switch protocol {
	case store.Checkout:
		return []signature.Formula{signature.CheckoutCallback}
	case store.S2SCard:
		return []signature.Formula{signature.Card2, signature.Card6}
	case store.S2SAPM:
		return []signature.Formula{signature.APMCallback, signature.APMCreditCallback, signature.APMCryptoCallback}
	}
	panic("callback: no such protocol: " + strconv.Quote(string(protocol)))
}
