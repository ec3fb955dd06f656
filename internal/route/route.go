// Package route chooses the MIDs for a payment: a pure function of the request and the merchant's MIDs. The rules
// are a table of filters in the order in which their refusals are reported (SPEC1, routing table; errors.md,
// "Numeric codes with fixed messages"; decision s).
package route

import (
	"cmp"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// Account is a MID with the capabilities of its connector.
type Account struct {
	store.MID
	Holds      bool // the connector can hold an authorization
	ZeroAmount bool // and accepts an authorization of zero
}

// Request is what has to be routed.
type Request struct {
	Kind      store.Kind
	Hold      bool // auth
	Test      bool // the merchant's test key was used
	Method    string
	Currency  string
	ChannelID string
	MIDID     string      // pinned: a later payment of a chain goes where the chain began
	Brand     store.Brand // of the card that pays, or OtherBrand; empty for no card, or while it is not known
	MOTO      bool
	Zero      bool // the amount is zero
	// Barred is the catalogue's verdict on the method: None, MethodNotFound for an unknown code, NoMethod for another
	// protocol, NoAction, NoCurrency.
	Barred Refusal
}

// Refusal names why no MID is left. The kernel has the catalogue error for each.
type Refusal string

// The refusals, with their codes in errors.md.
const (
	None           Refusal = ""
	NoMID          Refusal = "204002" // Enabled merchant mappings or MIDs not found.
	UseTestKey     Refusal = "220002" // Use merchant test key.
	NoChannel      Refusal = "channel"
	MethodNotFound Refusal = "204010" // Payment method not found.
	NoMethod       Refusal = "204004" // Payment method not supported.
	ActionNotFound Refusal = "204013" // Payment action not found.
	NoAction       Refusal = "204005" // Payment action not supported.
	NoCurrency     Refusal = "204012" // Payment currency not found.
	TypeNotFound   Refusal = "204009" // Payment type not found.
	BrandNotFound  Refusal = "204011" // Payment system/brand not found.
	NoBrand        Refusal = "204006" // Payment system/brand not supported.
	NoType         Refusal = "204003" // Payment type not supported.
	NoMOTO         Refusal = "204025"
	NoZeroValue    Refusal = "zero amount"
)

// Refusals lists every refusal, in the order of the filters.
func Refusals() []Refusal {
	return []Refusal{NoMID, UseTestKey, NoChannel, MethodNotFound, NoMethod, ActionNotFound, NoAction, NoCurrency,
		BrandNotFound, NoBrand, TypeNotFound, NoType, NoMOTO, NoZeroValue}
}

// Later reports whether a refusal comes after another in the order of the filters, so that its request had passed
// the other.
func (why Refusal) Later(than Refusal) bool {
	return slices.Index(Refusals(), why) > slices.Index(Refusals(), than)
}

// Candidate is a MID and the operation it would perform.
type Candidate struct {
	*Account
	Operation store.Operation
}

// filters keep the MIDs that can take the request; the first filter that leaves none names the refusal.
var filters = []struct {
	keep    func(*Request, *Account) bool
	refusal Refusal
}{
	{func(_ *Request, a *Account) bool { return !a.Disabled }, NoMID},
	{func(r *Request, a *Account) bool { return r.Test == a.Test }, UseTestKey},
	{func(r *Request, a *Account) bool { return r.ChannelID == "" || r.ChannelID == a.ChannelID }, NoChannel},
	{func(r *Request, a *Account) bool { return r.MIDID == "" || r.MIDID == a.ID }, NoMID},
	{func(r *Request, a *Account) bool { return r.Barred != NoMethod && listsMethod(r, a) }, NoMethod},
	{func(r *Request, a *Account) bool { return r.Barred != NoAction && listed(a.Operations, Charge(r.Kind)) }, NoAction},
	{func(r *Request, a *Account) bool { return r.Barred != NoCurrency && listed(a.Currencies, r.Currency) }, NoCurrency},
	{func(r *Request, a *Account) bool { return takesBrand(r, a) }, NoBrand},
	{modeFits, NoType},
	{func(r *Request, a *Account) bool { return !r.MOTO || a.MOTO }, NoMOTO},
	{func(r *Request, a *Account) bool { return !r.Zero || a.MID.ZeroAmount && a.ZeroAmount }, NoZeroValue},
}

// choice is a request with room for the MIDs of most merchants.
type choice struct {
	request Request
	room    [4]Candidate
}

// Choose returns the MIDs to try, best first, or why there is none. It does not change accounts, and the candidates
// point into it.
func Choose(request Request, accounts []Account) ([]Candidate, Refusal) {
	c := &choice{request: request}
	r, left := &c.request, slices.Grow(c.room[:0], len(accounts))
	for i := range accounts {
		left = append(left, Candidate{Account: &accounts[i]})
	}
	for _, filter := range filters {
		left = slices.DeleteFunc(left, func(c Candidate) bool { return !filter.keep(r, c.Account) })
		if len(left) == 0 {
			return nil, refusal(r, accounts, filter.refusal)
		}
	}
	slices.SortStableFunc(left, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.ID, b.ID))
	})
	for i := range left {
		left[i].Operation = operation(r, left[i].Account)
	}
	return left, None
}

// refusal returns why the filter kept nothing. A live key is told to use the test key of a merchant that has only
// test MIDs, and where the channel is that of a test MID (decision r). What no MID of the merchant lists, not even one
// that is switched off, is "not found"; what one of them lists is "not supported" (decision bx). MIDs of the other key
// do not count.
func refusal(r *Request, accounts []Account, why Refusal) Refusal {
	some := func(lists func(a *Account) bool) bool {
		return slices.ContainsFunc(accounts, func(a Account) bool { return a.Test == r.Test && lists(&a) })
	}
	switch {
	case why == UseTestKey && (r.Test || some(func(*Account) bool { return true })):
		return NoMID
	case why == NoChannel && !r.Test && slices.ContainsFunc(accounts, r.namesTestMID):
		return UseTestKey
	case why == NoMethod && !some(func(a *Account) bool { return listsMethod(r, a) }):
		return MethodNotFound
	case why == NoAction && !some(func(a *Account) bool { return listed(a.Operations, Charge(r.Kind)) }):
		return ActionNotFound
	case why == NoBrand && !some(func(a *Account) bool { return takesBrand(r, a) }):
		return BrandNotFound
	case why == NoType && !some(func(a *Account) bool { return modeFits(r, a) }):
		return TypeNotFound
	}
	return why
}

// namesTestMID reports whether the channel of a request is that of a test MID.
func (r *Request) namesTestMID(a Account) bool { return a.Test && a.ChannelID == r.ChannelID }

// listsMethod reports whether a MID lists a method. A MID without a list has all methods of the catalogue.
func listsMethod(r *Request, a *Account) bool {
	return r.Barred != MethodNotFound && listed(a.Methods, r.Method)
}

// OtherBrand is the brand of a card whose number belongs to no known brand.
const OtherBrand store.Brand = "other"

// takesBrand reports whether a MID accepts the card's brand. A MID without a list accepts every card.
func takesBrand(r *Request, a *Account) bool { return r.Brand == "" || listed(a.Brands, r.Brand) }

func listed[T comparable](list []T, item T) bool {
	return len(list) == 0 || slices.Contains(list, item)
}

// modeFits is the table of SPEC1: auth false goes to SMS and SMS/DMS, auth true to DMS and SMS/DMS. It filters
// purchases; a DMS MID chosen by its channel or for a debit authorizes (decision s). To hold money, the connector
// must be able to.
func modeFits(r *Request, a *Account) bool {
	mode := a.Mode
	if mode == "" {
		mode = store.SMSDMS
	}
	switch {
	case r.Hold:
		return mode != store.SMS && a.Holds
	case mode != store.DMS:
		return true
	case r.Kind == store.Purchase && r.ChannelID == "" && r.MIDID == "":
		return false
	default:
		return a.Holds
	}
}

// operation returns what the MID would do: authorize if requested, or if it can do nothing else.
func operation(r *Request, a *Account) store.Operation {
	if r.Hold || a.Mode == store.DMS && (r.Kind == store.Purchase || r.Kind == store.Debit) {
		return store.OpAuth
	}
	return charges[r.Kind]
}

// Charge returns the operation that a payment of a kind begins with, if its MID does not hold the money first.
func Charge(kind store.Kind) store.Operation { return charges[kind] }

var charges = map[store.Kind]store.Operation{
	store.Purchase: store.OpSale,
	store.Debit:    store.OpDebit,
	store.Transfer: store.OpTransfer,
	store.Credit:   store.OpCredit,
}
