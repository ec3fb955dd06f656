package page

import (
	"html/template"
	"slices"

	"github.com/tollgatepay/gateway"
)

// FormView is the form: the methods to choose from, and the fields of the card if a method takes one.
type FormView struct {
	Action, CancelAction   string // targets of the two forms; CancelAction is empty when the form cannot be cancelled
	Attempt                int
	Agreement              string         // sent back as "agreement": the terms that the payer agrees to
	Words                  OperationWords // of the operation
	Subscription           *SubscriptionView
	Methods                []MethodView // paid by the button of the form; empty when there are only wallets
	Wallets                []WalletView // each paid by its own button
	OnlyWallets            bool         // there is no other method, whether or not a wallet can be opened
	Or                     string       // between the wallets and the rest; empty when one of them is missing
	Saved                  []SavedView  // cards to choose from
	ExpiryOnly             bool         // a payout to a saved card: only the expiry is typed
	NeedName               bool
	Code                   gateway.CodeNeed
	Payee                  string // of a transfer: whose card receives the money
	NeedPayeeCard          bool
	NeedAmount             bool
	Currency, AmountHint   string       // beside the amount
	NeedTerms, Agreed      bool         // whether the payer has to agree to terms, and has
	TermsURL               template.URL // checked: http or https; empty otherwise
	Expiry, Name, Amount   string       // as typed before; never numbers and codes
	Faults                 []FormFault
	Errors                 map[string]string // the same by field
	Declined               string            // empty unless the last attempt was declined
	Next                   string            // what to do after a decline
	Left                   string            // number of attempts left, in words
	Cancel                 string            // text of its button
	Focus                  string            // the field with the focus, or "declined" or "problems"
	ErrorTexts             map[string]string // texts of the script, by field
	BlankExpiry            string            // text of the script for an empty expiry
	Brands                 []Brand
	Accepted               []Brand // of the cards that are accepted
	WarnExpiry, SayExpired string
}

// Choice reports whether there is more than one method.
func (f *FormView) Choice() bool { return len(f.Methods) > 1 }

// TakesCard reports whether one of the methods takes a card.
func (f *FormView) TakesCard() bool {
	return slices.ContainsFunc(f.Methods, func(m MethodView) bool { return m.Card })
}

// AnotherCard reports whether the fields of a card have to be filled in.
func (f *FormView) AnotherCard() bool {
	return !slices.ContainsFunc(f.Saved, func(s SavedView) bool { return s.Chosen })
}

// NeedCode reports whether the form asks for the security code.
func (f *FormView) NeedCode() bool { return f.Code != gateway.CodeNone }

// CodeRequired reports whether the security code is required.
func (f *FormView) CodeRequired() bool { return f.Code == gateway.CodeNeeded }

// FormFault is one line of the summary of errors. Field is empty when no field is at fault.
type FormFault struct{ Field, Text string }
