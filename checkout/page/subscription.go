package page

import (
	"fmt"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/store"
)

// SubscriptionView is what a payer agrees to in addition to the payment.
type SubscriptionView struct {
	Title string
	Lines []Line
	Notes []string
}

// Line is a label with a value, and a remark below the value.
type Line struct{ Label, Value, Below string }

// subscriptionView returns nil without later payments.
func subscriptionView(t *Texts, next *gateway.NextAction, merchant, today string) *SubscriptionView {
	sub, own := next.Subscription, &t.Subscription
	switch {
	case sub == nil:
		return nil
	case sub.Count == 0:
		return &SubscriptionView{Title: own.AgreeTitle, Notes: []string{texts.Say(t, own.Agree, merchant)}}
	}
	often := often(t, sub) + " · " + texts.Count(t, own.Payments, sub.Count)
	if sub.Count == 1 {
		often = ""
	}
	v := &SubscriptionView{Title: own.Title, Lines: []Line{
		{own.Today, today, ""},
		{own.Later, localeOf(t).Money(clean.Shown(sub.Amount), clean.Shown(next.Order.Currency)), often},
	}}
	v.Lines = append(v.Lines, dates(t, sub)...)
	if sub.Held {
		v.Notes = append(v.Notes, texts.Say(t, own.Held, merchant))
	}
	v.Notes = append(v.Notes, texts.Say(t, own.Ends, merchant))
	return v
}

// dates returns the lines with the dates of later payments, as far as they are known.
func dates(t *Texts, sub *gateway.Subscription) (lines []Line) {
	own := &t.Subscription
	switch {
	case sub.First.IsZero():
	case sub.Count == 1:
		lines = []Line{{own.Only, localeOf(t).Day(sub.First), ""}}
	default:
		lines = []Line{{own.First, localeOf(t).Day(sub.First), ""}, {own.Last, localeOf(t).Day(sub.Last), ""}}
	}
	switch day := sub.DayOfMonth; {
	case day > 28:
		lines = append(lines, Line{own.MonthDay, fmt.Sprintf(own.OrLastDay, day), ""})
	case day > 0:
		lines = append(lines, Line{own.MonthDay, fmt.Sprint(day), ""})
	}
	return lines
}

// often says how often a later payment is made, in the greatest unit that fits.
func often(t *Texts, sub *gateway.Subscription) string {
	own, n := &t.Subscription, sub.Every
	unit := &own.Day
	switch {
	case sub.Unit == store.Month && n%12 == 0:
		unit, n = &own.Year, n/12
	case sub.Unit == store.Month:
		unit = &own.Month
	case n%7 == 0:
		unit, n = &own.Week, n/7
	}
	if n == 1 {
		return unit.Each
	}
	return texts.Count(t, unit.Every, n)
}

// subscribeButton returns the button of a form that begins later payments.
func subscribeButton(t *Texts, sub *gateway.Subscription, amount string, nothing bool) string {
	own := &t.Subscription
	format, otherwise := own.PayAgree, own.AgreeOnly
	if sub.Count > 0 {
		format, otherwise = own.Pay, own.Start
	}
	if nothing {
		return otherwise
	}
	return button(t, format, otherwise, amount)
}
