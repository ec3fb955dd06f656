package gateway

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// scheduleOf returns the schedule on which a session begins a chain; nil if there is none, or it was deleted.
func scheduleOf(r store.Reader, s *store.Session) (*records.Schedule, error) {
	if !s.Extra.RecurringInit || s.Extra.ScheduleID == "" {
		return nil, nil
	}
	set, err := recurring.OwnSchedule(r, records.Owner{MerchantID: s.MerchantID, Test: s.Test}, s.Extra.ScheduleID)
	switch {
	case err == refusal.ErrNoSchedule:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &set, nil
}

// agreed returns a check that refuses a payment if the payer saw other terms than those that hold now. It runs in the
// transaction that begins the payment. If shown is empty, there is no check.
func (o *offers) agreed(s *store.Session, p *merchant.Profile, shown string) func(store.Reader) error {
	if shown == "" {
		return nil
	}
	var list []MethodChoice
	if s.Extra.RecurringInit {
		list = o.choices(s, p)
	}
	return func(r store.Reader) error {
		set, err := scheduleOf(r, s)
		if err != nil {
			return err
		}
		if agreement(&s.Order, o.subscription(s, set, p, list), p.Mapping(store.Checkout).TermsURL) != shown {
			return refusal.ErrInvalid.Fields(refusal.Fault{Path: "agreement", Text: fields.TextChanged})
		}
		return nil
	}
}

// subscription returns the later payments that the form of a session shows; nil if there are none. The dates are those
// of the MID that would take the payment now.
func (o *offers) subscription(s *store.Session, set *records.Schedule, p *merchant.Profile,
	list []MethodChoice) *Subscription {
	if !s.Extra.RecurringInit {
		return nil
	}
	if set == nil {
		return &Subscription{}
	}
	sub := &Subscription{
		Amount: cmp.Or(s.Extra.PaymentScheduleAmount, s.Order.Amount),
		Every:  set.IntervalLength, Unit: set.IntervalUnit, Count: set.PaymentsCount,
	}
	zone := ""
	if len(list) > 0 {
		if found, _ := o.router.Route(store.Checkout, o.router.RouteRequest(s, list[0].Code), p); len(found) > 0 {
			zone = found[0].TimeZone
			sub.Held = found[0].Operation == store.OpAuth && !fields.IsZero(s.Order.Amount)
		}
	}
	if sub.Held && s.Extra.ScheduleStartDate == "" {
		return sub
	}
	sub.Held = false
	sub.date(set, zone, s.Extra.ScheduleStartDate, o.now())
	return sub
}

// agreement returns a digest of what a form asks its payer to agree to.
func agreement(order *store.Order, later *Subscription, termsURL string) string {
	shown, _ := json.Marshal(struct { // texts, numbers and dates only
		Amount, Currency, Terms string
		Later                   *Subscription
	}{order.Amount, order.Currency, termsURL, later})
	sum := sha256.Sum256(shown)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
