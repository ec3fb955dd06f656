package page

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/store"
)

// in returns the texts of a language.
func in(code string) *Texts {
	t, _ := texts.For(code, "", "")
	return t
}

func on(text string) time.Time {
	day, _ := time.Parse(time.DateOnly, text)
	return day
}

// monthly returns a subscription of twelve payments.
func monthly() *gateway.Subscription {
	return &gateway.Subscription{Amount: "12.00", Every: 1, Unit: store.Month, Count: 12, First: on("2027-01-22"),
		Last: on("2027-12-22")}
}

// linesOf returns the lines of a subscription, one per line.
func linesOf(t *Texts, sub *gateway.Subscription) string {
	next := &gateway.NextAction{Subscription: sub, Order: store.Order{Amount: "10.00", Currency: "EUR"}}
	v := subscriptionView(t, next, "Acme", localeOf(t).Money("10.00", "EUR"))
	lines := []string{v.Title}
	for _, l := range v.Lines {
		lines = append(lines, strings.TrimSpace(l.Label+": "+l.Value+" "+l.Below))
	}
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(strings.Join(append(lines, v.Notes...), "\n"))
}

func TestSubscription(t *testing.T) {
	t.Parallel()
	const ends = "\nThe subscription ends by itself after the last payment. To end it sooner, please contact Acme."
	for _, c := range []struct {
		name   string
		texts  *Texts
		change func(*gateway.Subscription)
		want   string
	}{
		{"monthly", in("en"), func(*gateway.Subscription) {}, "This starts a subscription\nToday: €10.00\nEach later payment: €12.00 every month · 12 payments\n" +
			"First later payment: January 22, 2027\nLast later payment: December 22, 2027" + ends},
		{"German", in("de"), func(*gateway.Subscription) {}, "Sie schließen ein Abonnement ab\nHeute: 10,00 €\nJede weitere Zahlung: 12,00 € jeden Monat · 12 Zahlungen\n" +
			"Erste weitere Zahlung: 22. Januar 2027\nLetzte weitere Zahlung: 22. Dezember 2027\n" +
			"Das Abonnement endet nach der letzten Zahlung von selbst. Um es früher zu beenden, wenden Sie sich bitte an Acme."},
		{"Japanese", in("ja"), func(s *gateway.Subscription) { s.Every = 3 }, "定期購入が始まります\n本日: €10.00\n次回以降の各お支払い: €12.00 3か月ごと · 12回のお支払い\n" +
			"次回のお支払い: 2027年1月22日\n最後のお支払い: 2027年12月22日\n定期購入は最後のお支払いの後に自動的に終了します。途中で終了するには、Acmeにお問い合わせください。"},
		{"once", in("en"), func(s *gateway.Subscription) { s.Count, s.Last = 1, s.First }, "This starts a subscription\nToday: €10.00\nEach later payment: €12.00\nDue on: January 22, 2027" + ends},
		{"first of the month", in("en"), func(s *gateway.Subscription) { s.DayOfMonth = 1 }, "This starts a subscription\nToday: €10.00\nEach later payment: €12.00 every month · 12 payments\n" +
			"First later payment: January 22, 2027\nLast later payment: December 22, 2027\nDay of the month: 1" + ends},
		{"last of the month", in("en"), func(s *gateway.Subscription) { s.DayOfMonth = 31 }, "This starts a subscription\nToday: €10.00\nEach later payment: €12.00 every month · 12 payments\n" +
			"First later payment: January 22, 2027\nLast later payment: December 22, 2027\nDay of the month: 31, or the last day of a shorter month" + ends},
		{"held", in("en"), func(s *gateway.Subscription) { s.First, s.Last, s.Held = time.Time{}, time.Time{}, true }, "This starts a subscription\nToday: €10.00\n" +
			"Each later payment: €12.00 every month · 12 payments\nLater payments are counted from the day on which Acme collects today’s amount." + ends},
		{"without a schedule", in("en"), func(s *gateway.Subscription) { *s = gateway.Subscription{} }, "This allows later payments\n" +
			"You allow Acme to charge you again later, as you agreed with them. To end this, please contact them."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sub := monthly()
			c.change(sub)
			require.Equal(t, c.want, linesOf(c.texts, sub))
		})
	}
}

// Every language shows all of it: amounts, interval, number, first and last date.
func TestSubscriptionInEveryLanguage(t *testing.T) {
	t.Parallel()
	for _, each := range texts.All() {
		text := linesOf(each, monthly())
		plain := func(s string) string { return strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s) }
		for _, want := range []string{
			localeOf(each).Money("10.00", "EUR"), localeOf(each).Money("12.00", "EUR"), each.Subscription.Month.Each,
			texts.Count(each, each.Subscription.Payments, 12), localeOf(each).Day(on("2027-01-22")),
			localeOf(each).Day(on("2027-12-22")), "Acme",
		} {
			require.Contains(t, text, plain(want), each.Lang)
		}
		require.NotContains(t, text, "%", each.Lang)
	}
}

func TestIntervals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		texts *Texts
		every int
		unit  store.IntervalUnit
		want  string
	}{
		{in("en"), 1, store.Day, "every day"}, {in("en"), 2, store.Day, "every 2 days"}, {in("en"), 7, store.Day, "every week"},
		{in("en"), 14, store.Day, "every 2 weeks"}, {in("en"), 30, store.Day, "every 30 days"}, {in("en"), 1, store.Month, "every month"},
		{in("en"), 6, store.Month, "every 6 months"}, {in("en"), 12, store.Month, "every year"}, {in("en"), 36, store.Month, "every 3 years"},
		{in("ru"), 2, store.Month, "раз в 2 месяца"}, {in("ru"), 5, store.Month, "раз в 5 месяцев"}, {in("ru"), 21, store.Month, "раз в 21 месяц"},
		{in("ru"), 21, store.Day, "раз в 3 недели"}, {in("ru"), 31, store.Day, "раз в 31 день"},
		{in("pl"), 2, store.Month, "co 2 miesiące"}, {in("pl"), 5, store.Month, "co 5 miesięcy"}, {in("pl"), 22, store.Month, "co 22 miesiące"},
		{in("cs"), 2, store.Month, "každé 2 měsíce"}, {in("cs"), 5, store.Month, "každých 5 měsíců"},
		{in("hr"), 2, store.Month, "svaka 2 mjeseca"}, {in("hr"), 5, store.Month, "svakih 5 mjeseci"},
		{in("ro"), 2, store.Day, "la fiecare 2 zile"}, {in("ro"), 20, store.Day, "la fiecare 20 de zile"},
		{in("ar"), 1, store.Month, "كل شهر"}, {in("ar"), 2, store.Month, "كل شهرين"}, {in("ar"), 3, store.Month, "كل 3 أشهر"}, {in("ar"), 11, store.Month, "كل 11 شهرًا"},
		{in("de"), 2, store.Month, "alle 2 Monate"}, {in("nb"), 2, store.Day, "hver 2. dag"}, {in("hu"), 3, store.Month, "3 havonta"},
	} {
		require.Equal(t, c.want, often(c.texts, &gateway.Subscription{Every: c.every, Unit: c.unit}), c.texts.Lang)
	}
}

func TestSubscriptionButtons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sub          *gateway.Subscription
		amount, want string
	}{
		{nil, "10.00", "Pay €10.00"},
		{monthly(), "10.00", "Subscribe and pay €10.00"},
		{monthly(), "0.00", "Subscribe"},
		{&gateway.Subscription{}, "10.00", "Pay €10.00 and allow later payments"},
		{&gateway.Subscription{}, "0.00", "Allow later payments"},
	} {
		next := &gateway.NextAction{Operation: store.Purchase, Subscription: c.sub, Order: store.Order{Amount: c.amount,
			Currency: "EUR"}}
		require.Equal(t, c.want, operationWords(in("en"), next, "Acme", localeOf(in("en")).Money(c.amount, "EUR")).Button)
	}
	for _, each := range texts.All() {
		buttons := map[string]bool{each.Pay: true, each.Continue: true}
		for _, text := range []string{each.Subscription.Pay, each.Subscription.Start, each.Subscription.PayAgree,
			each.Subscription.AgreeOnly} {
			require.False(t, buttons[text], "%s: two buttons say the same: %s", each.Lang, text)
			buttons[text] = true
		}
	}
}
