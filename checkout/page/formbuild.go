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

// formView returns the form with what was typed before and the faults.
func formView(
	v *View, next *gateway.NextAction, token string, typed form.Entry, faults []form.Mistake, now time.Time,
) *FormView {
	t, amount := v.T, v.Amount
	if next.Order.Amount == "" {
		amount = ""
	}
	f := &FormView{
		Action: fromForm + token, Attempt: next.Attempt, Agreement: next.Agreement, NeedName: next.NeedName,
		Words: operationWords(t, next, v.Merchant, amount),
		Code:  next.Code, NeedPayeeCard: next.NeedPayeeCard, Payee: clean.Shown(next.Payee),
		NeedAmount: next.NeedAmount,
		Errors:     map[string]string{}, Brands: brands, Accepted: accepted(next), WarnExpiry: t.ExpiresSoon,
		SayExpired: t.Expired, ErrorTexts: errorTexts(t),
		BlankExpiry: form.Wording(t, form.Mistake{Rule: form.BlankExpiry}),
		NeedTerms:   next.TermsURL != "", Agreed: typed.Terms, Saved: savedViews(next, typed.Saved, now),
	}
	f.ExpiryOnly = form.ExpiryOnly(next)
	f.Subscription = subscriptionView(t, next, v.Merchant, amount)
	if next.NeedAmount {
		f.Currency, f.Amount = clean.Shown(next.Order.Currency), form.Keep(clean.Visible(typed.Amount))
		f.AmountHint = texts.Say(t, t.AmountHint, localeOf(t).Sample(next.Order.Currency))
	}
	if u, ok := policy.WebURL(next.TermsURL); ok {
		f.TermsURL = template.URL(policy.ASCII(u.String()))
	}
	f.Expiry, f.Name = typed.Keep()
	f.Methods, f.Wallets = methodViews(t, next, typed, faults, now), walletViews(t, next, now)
	f.OnlyWallets = len(f.Methods) == 0
	if len(f.Wallets) > 0 && len(f.Methods) > 0 {
		if f.Or = t.OrOther; len(f.Methods) == 1 && f.Methods[0].Card {
			f.Or = t.OrCard
		}
	}
	if next.CanLeave {
		f.CancelAction, f.Cancel = fromForm+token+"/cancel", texts.Say(t, t.Cancel, v.Merchant)
	}
	if next.Declined != "" && len(faults) == 0 {
		f.Declined, f.Next = texts.Reason(t, next.Declined, t.Declined), nextStep(t, next)
		f.Left, f.Focus = left(t, next.AttemptsLeft), "declined"
	}
	f.blame(t, faults)
	return f
}

// errorTexts returns the script's texts for the fields that every method may have.
func errorTexts(t *Texts) map[string]string {
	return map[string]string{
		form.FieldNumber: t.BadNumber, form.FieldExpiry: t.BadExpiry, form.FieldCode: t.BadCode,
		form.FieldName: t.BadName, form.FieldPayee: form.Wording(t, form.Mistake{Rule: form.BadPayee}),
		form.FieldAmount: t.BadAmount, form.FieldTerms: t.BadTerms,
	}
}

// blame lists the faults. The first one has the focus.
func (f *FormView) blame(t *Texts, faults []form.Mistake) {
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

// left says how many attempts are left, or nothing when their number is not limited.
func left(t *Texts, attempts int) string {
	switch {
	case attempts <= 0:
		return ""
	case attempts == 1:
		return t.LeftOne
	}
	return fmt.Sprintf(t.LeftMany, attempts)
}
