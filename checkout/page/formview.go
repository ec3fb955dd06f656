package page

import (
	"html/template"
	"slices"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/checkout/page/texts"
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

// formView is the form with what was typed before and what is wrong with it.
func formView(v *View, turn *gateway.Turn, token string, typed entry, faults []fault, now time.Time) *FormView {
	t, amount := v.T, v.Amount
	if turn.Order.Amount == "" {
		amount = ""
	}
	f := &FormView{
		Action: fromForm + token, Attempt: turn.Attempt, Agreement: turn.Agreement, NeedName: turn.NeedName, Words: operationWords(t, turn, v.Merchant, amount),
		Code: turn.Code, NeedPayeeCard: turn.NeedPayeeCard, Payee: clean.Shown(turn.Payee), NeedAmount: turn.NeedAmount,
		Errors: map[string]string{}, Brands: brands, Accepted: accepted(turn), WarnExpiry: t.ExpiresSoon, SayExpired: t.Expired, ErrorTexts: errorTexts(t), BlankExpiry: faultText(t, fault{rule: blankExpiry}),
		NeedTerms: turn.TermsURL != "", Agreed: typed.terms, Saved: savedViews(turn, typed.saved, now),
	}
	f.ExpiryOnly = expiryOnly(turn)
	f.Subscription = subscriptionView(t, turn, v.Merchant, amount)
	if turn.NeedAmount {
		f.Currency, f.Amount = clean.Shown(turn.Order.Currency), keepField(clean.Visible(typed.amount))
		f.AmountHint = texts.Say(t, t.AmountHint, localeOf(t).Sample(turn.Order.Currency))
	}
	if u, ok := policy.WebURL(turn.TermsURL); ok {
		f.TermsURL = template.URL(policy.ASCII(u.String()))
	}
	f.Expiry, f.Name = typed.keep()
	f.Methods, f.Wallets = methodViews(t, turn, typed, faults, now), walletViews(t, turn, now)
	f.OnlyWallets = len(f.Methods) == 0
	if len(f.Wallets) > 0 && len(f.Methods) > 0 {
		if f.Or = t.OrOther; len(f.Methods) == 1 && f.Methods[0].Card {
			f.Or = t.OrCard
		}
	}
	if turn.CanLeave {
		f.CancelAction, f.Cancel = fromForm+token+"/cancel", texts.Say(t, t.Cancel, v.Merchant)
	}
	if turn.Declined != "" && len(faults) == 0 {
		f.Declined, f.Next, f.Left, f.Focus = texts.Reason(t, turn.Declined, t.Declined), nextStep(t, turn), left(t, turn.Left), "declined"
	}
	f.blame(t, faults)
	return f
}

// errorTexts are what the script says beside the fields that every method may have.
func errorTexts(t *Texts) map[string]string {
	return map[string]string{
		fieldNumber: t.BadNumber, fieldExpiry: t.BadExpiry, fieldCode: t.BadCode, fieldName: t.BadName,
		fieldPayee: faultText(t, fault{rule: badPayee}), fieldAmount: t.BadAmount, fieldTerms: t.BadTerms,
	}
}

// blame lists what is wrong. The first fault has the focus.
func (f *FormView) blame(t *Texts, faults []fault) {
	for i, fault := range faults {
		text := faultText(t, fault)
		f.Faults = append(f.Faults, FormFault{fault.field, text})
		f.Errors[fault.field] = text
		if i == 0 {
			f.Focus = fault.field
		}
	}
	if len(faults) > 0 && f.Focus == "" {
		f.Focus = "problems"
	}
}
