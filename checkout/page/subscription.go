package page

import (
	"fmt"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// SubscriptionTexts are what the page says of later payments.
type SubscriptionTexts struct {
	Title, AgreeTitle string // headings: with a schedule, and without one
	Today, Later      string // labels of amounts
	First, Last, Only string // labels of the dates of later payments; Only where there is one
	MonthDay          string // label of the day of the month
	OrLastDay         string // %d is a day that not every month has
	Ends              string // %s is the merchant
	Held              string // from when the dates count; %s is the merchant
	Agree             string // without a schedule; %s is the merchant
	Pay, PayAgree     string // buttons; %s is the amount of today
	Start, AgreeOnly  string // the same where nothing is paid today

	Day, Week, Month, Year Interval
	Payments               Plural
}

// Interval is how often something happens: each time, or each few times.
type Interval struct {
	Each  string
	Every Plural
}

// SubscriptionView is what a payer agrees to beside the payment.
type SubscriptionView struct {
	Title string
	Lines []Line
	Notes []string
}

// Line is a label with a value, and what there is to say below the value.
type Line struct{ Label, Value, Below string }

// subscriptionView is nil where there are no later payments.
func subscriptionView(t *Texts, turn *gateway.Turn, merchant, today string) *SubscriptionView {
	sub, own := turn.Subscription, &t.Subscription
	switch {
	case sub == nil:
		return nil
	case sub.Count == 0:
		return &SubscriptionView{Title: own.AgreeTitle, Notes: []string{t.say(own.Agree, merchant)}}
	}
	often := t.often(sub) + " · " + t.count(own.Payments, sub.Count)
	if sub.Count == 1 {
		often = ""
	}
	v := &SubscriptionView{Title: own.Title, Lines: []Line{
		{own.Today, today, ""}, {own.Later, t.money(shown(sub.Amount), shown(turn.Order.Currency)), often},
	}}
	v.Lines = append(v.Lines, t.dates(sub)...)
	if sub.Held {
		v.Notes = append(v.Notes, t.say(own.Held, merchant))
	}
	v.Notes = append(v.Notes, t.say(own.Ends, merchant))
	return v
}

// dates are the lines that say when later payments come, as far as it is known.
func (t *Texts) dates(sub *gateway.Subscription) (lines []Line) {
	own := &t.Subscription
	switch {
	case sub.First.IsZero():
	case sub.Count == 1:
		lines = []Line{{own.Only, t.day(sub.First), ""}}
	default:
		lines = []Line{{own.First, t.day(sub.First), ""}, {own.Last, t.day(sub.Last), ""}}
	}
	switch day := sub.DayOfMonth; {
	case day > 28:
		lines = append(lines, Line{own.MonthDay, fmt.Sprintf(own.OrLastDay, day), ""})
	case day > 0:
		lines = append(lines, Line{own.MonthDay, fmt.Sprint(day), ""})
	}
	return lines
}

// often says how often a later payment comes, in the greatest unit that fits.
func (t *Texts) often(sub *gateway.Subscription) string {
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
	return t.count(unit.Every, n)
}

// subscribeButton is the button of a form that begins later payments.
func (t *Texts) subscribeButton(sub *gateway.Subscription, amount string, nothing bool) string {
	own := &t.Subscription
	format, otherwise := own.PayAgree, own.AgreeOnly
	if sub.Count > 0 {
		format, otherwise = own.Pay, own.Start
	}
	if nothing {
		return otherwise
	}
	return t.button(format, otherwise, amount)
}
