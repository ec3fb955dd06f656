package page

import (
	"fmt"
	"html/template"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/internal/form"
	"github.com/tollgatepay/gateway/checkout/page/internal/policy"
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// formView is the form with what was typed before and what is wrong with it.
func formView(
	v *View, turn *gateway.Turn, token string, typed form.Entry, faults []form.Fault, now time.Time,
) *FormView {
	t, amount := v.T, v.Amount
	if turn.Order.Amount == "" {
		amount = ""
	}
	f := &FormView{
		Action: fromForm + token, Attempt: turn.Attempt, Agreement: turn.Agreement, NeedName: turn.NeedName,
		Words: operationWords(t, turn, v.Merchant, amount),
		Code:  turn.Code, NeedPayeeCard: turn.NeedPayeeCard, Payee: clean.Shown(turn.Payee),
		NeedAmount: turn.NeedAmount,
		Errors:     map[string]string{}, Brands: brands, Accepted: accepted(turn), WarnExpiry: t.ExpiresSoon,
		SayExpired: t.Expired, ErrorTexts: errorTexts(t),
		BlankExpiry: form.Wording(t, form.Fault{Rule: form.BlankExpiry}),
		NeedTerms:   turn.TermsURL != "", Agreed: typed.Terms, Saved: savedViews(turn, typed.Saved, now),
	}
	f.ExpiryOnly = form.ExpiryOnly(turn)
	f.Subscription = subscriptionView(t, turn, v.Merchant, amount)
	if turn.NeedAmount {
		f.Currency, f.Amount = clean.Shown(turn.Order.Currency), form.Keep(clean.Visible(typed.Amount))
		f.AmountHint = texts.Say(t, t.AmountHint, localeOf(t).Sample(turn.Order.Currency))
	}
	if u, ok := policy.WebURL(turn.TermsURL); ok {
		f.TermsURL = template.URL(policy.ASCII(u.String()))
	}
	f.Expiry, f.Name = typed.Keep()
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
		f.Declined, f.Next = texts.Reason(t, turn.Declined, t.Declined), nextStep(t, turn)
		f.Left, f.Focus = left(t, turn.Left), "declined"
	}
	f.blame(t, faults)
	return f
}

// errorTexts are what the script says beside the fields that every method may have.
func errorTexts(t *Texts) map[string]string {
	return map[string]string{
		form.FieldNumber: t.BadNumber, form.FieldExpiry: t.BadExpiry, form.FieldCode: t.BadCode,
		form.FieldName: t.BadName, form.FieldPayee: form.Wording(t, form.Fault{Rule: form.BadPayee}),
		form.FieldAmount: t.BadAmount, form.FieldTerms: t.BadTerms,
	}
}

// blame lists what is wrong. The first fault has the focus.
func (f *FormView) blame(t *Texts, faults []form.Fault) {
	for i, fault := range faults {
		text := form.Wording(t, fault)
		f.Faults = append(f.Faults, FormFault{fault.Field, text})
		f.Errors[fault.Field] = text
		if i == 0 {
			f.Focus = fault.Field
		}
	}
	if len(faults) > 0 && f.Focus == "" {
		f.Focus = "problems"
	}
}

// left says how many attempts there are, or nothing where there is none to speak of.
func left(t *Texts, attempts int) string {
	switch {
	case attempts <= 0:
		return ""
	case attempts == 1:
		return t.LeftOne
	}
	return fmt.Sprintf(t.LeftMany, attempts)
}
