package page

import (
	"html/template"
	"slices"

	"github.com/tollgatepay/gateway"
)

// FormView is the form: the methods to choose from, and the fields of the card where one takes it.
type FormView struct {
	Action, CancelAction   string // where the two forms go; CancelAction is empty where nothing cancels
	Attempt                int
	Agreement              string         // to be sent back as "agreement": what the payer is shown to agree to
	Words                  OperationWords // of the operation
	Subscription           *SubscriptionView
	Methods                []MethodView // paid by the button of the form; none where there are only wallets
	Wallets                []WalletView // paid by buttons of their own
	OnlyWallets            bool         // there is no other way to pay, whether or not one of them can be asked
	Or                     string       // between the wallets and the rest, empty where one of them is missing
	Saved                  []SavedView  // cards to choose from
	ExpiryOnly             bool         // a payout to one of them: of a card nothing is typed but the expiry
	NeedName               bool
	Code                   gateway.CodeNeed
	Payee                  string // whose card the money of a transfer goes to
	NeedPayeeCard          bool
	NeedAmount             bool
	Currency, AmountHint   string       // beside the amount
	NeedTerms, Agreed      bool         // the payer has to agree to terms, and did
	TermsURL               template.URL // checked: http or https; empty where it is not
	Expiry, Name, Amount   string       // as typed before; numbers and code are never given
	Faults                 []FormFault
	Errors                 map[string]string // the same by field
	Declined               string            // empty unless the last attempt was declined
	Next                   string            // what to do after a decline
	Left                   string            // attempts left, in words
	Cancel                 string            // the words of its button
	Focus                  string            // the field, or "declined" or "problems", that has the focus
	ErrorTexts             map[string]string // what the script says, by field
	BlankExpiry            string            // the same of an expiry that is empty
	Brands                 []Brand
	Accepted               []Brand // of the cards that can be used
	WarnExpiry, SayExpired string
}

// Choice holds where there is more than one method.
func (f *FormView) Choice() bool { return len(f.Methods) > 1 }

// TakesCard holds where one of the methods takes a card.
func (f *FormView) TakesCard() bool {
	return slices.ContainsFunc(f.Methods, func(m MethodView) bool { return m.Card })
}

// AnotherCard holds where the fields of a card are to be filled in.
func (f *FormView) AnotherCard() bool {
	return !slices.ContainsFunc(f.Saved, func(s SavedView) bool { return s.Chosen })
}

// NeedCode holds where the security code is asked for.
func (f *FormView) NeedCode() bool { return f.Code != gateway.CodeNone }

// CodeRequired holds where the security code has to be there.
func (f *FormView) CodeRequired() bool { return f.Code == gateway.CodeNeeded }

// FormFault is one line of the summary of errors. Field is empty where none is to blame.
type FormFault struct{ Field, Text string }
