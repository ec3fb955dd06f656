package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// HostedUpdate changes a session of Hosted Payment Fields before it is paid. Fields that are nil stay (SPEC1,
// "session update fields"). An empty ScheduleID removes the schedule, an empty object clears.
type HostedUpdate struct {
	Amount        *string // in the format of the currency
	Currency      *string
	RecurringInit *bool
	ReqToken      *bool
	ScheduleID    *string
	Parameters    json.RawMessage
	CustomData    json.RawMessage
	// ExpectedAmount and ExpectedCurrency refuse an update of a session that stands at others, where they are
	// set. They are ours; a mapping can demand the amount.
	ExpectedAmount, ExpectedCurrency string
	// Malformed is what the wire already found wrong; it is reported first and silences the rules of its
	// fields. An update with any is refused.
	Malformed []refusal.Fault
}

// Update applies an update as a whole or not at all. Token, expiry and a card that was collected stay.
// Errors: ErrToken, ErrNoMID if Checkout is off, ErrNoUpdate once a payment exists, even a declined one,
// ErrNoMethods when no MID takes the new amount and currency, ErrInvalid naming fields.
func (h HostedFields) Update(ctx context.Context, token string, u HostedUpdate) error {
	for range maxClaims {
		s, _, profile, err := h.load(ctx, token)
		if err != nil {
			return err
		}
		switch {
		case profile.Off(store.Checkout):
			return refusal.ErrNoMID
		case s.Attempts > 0 || s.State != store.SessionOpen:
			return refusal.ErrNoUpdate
		}
		next, err := h.updated(ctx, s, profile, &u)
		if err != nil {
			return err
		}
		err = h.gw.update(ctx, func(tx store.Tx) error { return session.Replace(tx, token, s.Version, next, h.gw.Now()) })
		if !errors.Is(err, session.ErrStale) {
			return err
		}
	}
	return refusal.ErrBusy
}

// updated is the session with an update, checked as a request for it would be.
func (h HostedFields) updated(ctx context.Context, s *store.Session, profile *merchant.Profile,
	u *HostedUpdate) (*store.Session, error) {
	next := *s
	u.apply(&next)
	r := &SessionRequest{
		Malformed: u.Malformed, Hosted: true, Operation: string(s.Kind), Order: next.Order, Hold: s.Hold,
		ChannelID: s.ChannelID, Methods: s.Methods,
		Parameters: next.Parameters, CustomData: next.CustomData, Extra: next.Extra, Billing: s.Payer.Address,
		Customer: Customer{Name: s.Payer.Name, Email: s.Payer.Email},
	}
	r.under(profile.Mapping(store.Checkout))
	faults := append(h.updateFaults(r, u), expected(s, profile, r, u.ExpectedAmount, u.ExpectedCurrency)...)
	if len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	if err := h.gw.agreements.MayUse(ctx, records.Owner{MerchantID: s.MerchantID, Test: s.Test},
		next.Extra.ScheduleID); err != nil {
		return nil, err
	}
	sent, codes := fields.SentParameters(next.Parameters)
	candidate, _, err := h.gw.router.Routable(profile, &next, sent)
	if err != nil {
		return nil, refusal.ErrNoMethods.With(err)
	}
	if faults := h.gw.router.ParameterFaults(&next, sent, codes, candidate.Settings); len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	next.SealedParameters, err = h.gw.seals.Parameters(ctx, s.MerchantID, s.ID, next.Parameters)
	return &next, err
}

// apply sets what the update names.
func (u *HostedUpdate) apply(s *store.Session) {
	set(&s.Order.Amount, u.Amount)
	set(&s.Order.Currency, u.Currency)
	set(&s.Extra.RecurringInit, u.RecurringInit)
	set(&s.Extra.ReqToken, u.ReqToken)
	set(&s.Extra.ScheduleID, u.ScheduleID)
	if s.Extra.ScheduleID == "" { // what said when and how much goes with it
		s.Extra.ScheduleStartDate, s.Extra.PaymentScheduleAmount = "", ""
	}
	if u.Parameters != nil {
		s.Parameters = cleared(u.Parameters)
	}
	if u.CustomData != nil {
		s.CustomData = cleared(u.CustomData)
	}
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

// cleared is nil for an empty object, which takes away what was there.
func cleared(object json.RawMessage) json.RawMessage {
	if string(object) == "{}" {
		return nil
	}
	return object
}

// updateFaults are the faults of an updated session, by the names of the update. What hangs on a field that
// the wire could not read is not judged.
func (h HostedFields) updateFaults(r *SessionRequest, u *HostedUpdate) []refusal.Fault {
	faults := slices.Clone(u.Malformed)
	for _, row := range []struct{ name, path, by string }{
		{"order_amount", "order.amount", "order_currency"}, {"order_currency", "order.currency", ""},
		{"parameters", "parameters", ""}, {"custom_data", "custom_data", ""},
		{"payment_schedule_amount", "payment_schedule_amount", "order_currency"}, // in the format of a new currency
	} {
		if r.malformed(row.name) || row.by != "" && r.malformed(row.by) {
			continue
		}
		faults = append(faults, h.gw.form.faultsAt(row.path, row.name, r)...)
	}
	// Decision ai. A schedule that was there before needs recurring_init as well.
	given := u.ScheduleID != nil && *u.ScheduleID != ""
	wrong := r.Extra.ScheduleID != "" && !r.Extra.RecurringInit || given && r.Operation == string(store.Debit)
	if wrong && !r.malformed("schedule_id") && !r.malformed("recurring_init") {
		faults = append(faults, refusal.Fault{Path: "schedule_id", Text: fields.TextInvalid})
	}
	return faults
}

// expected refuses a charge or an update of another amount or currency than the merchant's backend thinks it is
// about: the token is in the payer's hands, and anyone who has it can change the session.
// With Mapping.RequireExpected both are required each time.
func expected(s *store.Session, p *merchant.Profile, r *SessionRequest, amount,
	currency string) (faults []refusal.Fault) {
	for _, of := range []struct {
		path, value, fault string
		stands             bool
	}{
		{"expected_currency", currency, "the session is in another currency", currency == s.Order.Currency},
		{"expected_amount", amount, "the session is about another amount", fields.IsSameAmount(amount, s.Order.Amount)},
	} {
		switch {
		case of.value == "" && p.Mapping(store.Checkout).RequireExpected && !r.malformed(of.path):
			faults = append(faults, refusal.Fault{Path: of.path, Text: fields.TextBlank})
		case of.value != "" && !of.stands:
			faults = append(faults, refusal.Fault{Path: of.path, Text: of.fault})
		}
	}
	return faults
}
