package gateway

import (
	"cmp"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// checkCharge checks a charge by the rules of its protocol.
func (f *form) checkCharge(c *ChargeRequest, m *store.Mapping) (faults []refusal.Fault) {
	if c.Protocol.S2S() {
		faults = guards.Faults(guarded{f, c, m}, nil)
		tax := &SessionRequest{Operation: string(c.Kind), Extra: store.SessionExtra{VATCalc: c.VATCalc}}
		faults = append(faults, taxFault(asked{f, tax})...)
	} else {
		faults = f.checkCheckout(c, m)
	}
	if c.CallbackURL != "" && !weburl.Valid(c.CallbackURL, 255) {
		faults = append(faults, refusal.Fault{Path: "callback_url", Text: fields.TextURL})
	}
	return append(faults, chargeObjects(c)...)
}

// checkCheckout checks a charge of a Go caller by the table of a session.
func (f *form) checkCheckout(c *ChargeRequest, m *store.Mapping) []refusal.Fault {
	r := &SessionRequest{
		merchantKey: c.merchantKey, Operation: string(c.Kind), Order: c.Order, ChannelID: c.ChannelID,
		Hold:       c.Hold && c.Kind == store.Purchase, // a debit is held by its MID only, or by a Go caller
		SuccessURL: "https://charge.invalid/",          // a charge has no page to come back from
		CancelURL:  c.ReturnURL,
		Customer:   Customer{Name: c.Payer.FullName(), Email: c.Payer.Email, BirthDate: c.Payer.BirthDate, IP: c.Payer.IP},
		Billing:    c.Payer.Address,
		anyName:    m.AnyName,
		short:      m.ShortAmounts,
		Extra: store.SessionExtra{MOTOType: c.MOTOType, RecurringInit: c.RecurringInit, CryptoNetwork: c.CryptoNetwork,
			VATCalc: c.VATCalc},
	}
	if c.Method != "" {
		r.Methods = []string{c.Method}
	}
	if c.RecurringInit || c.ScheduleStartDate != "" || c.PaymentScheduleAmount != "" { // else the chain is asked
		r.Extra.ScheduleID, r.Extra.ScheduleStartDate, r.Extra.PaymentScheduleAmount = c.ScheduleID, c.ScheduleStartDate,
			c.PaymentScheduleAmount
	}
	if onPayout(asked{f, r}) {
		r.Extra.Payee = &store.Payer{Name: "Recipient"} // where none is named the connector knows whom a charge pays
	}
	if c.Payee != nil {
		r.Extra.Payee = &store.Payer{Name: cmp.Or(c.Payee.Name, "Recipient"), Email: c.Payee.Email, Address: c.Payee.Address}
	}
	faults := append(f.check(r), payeeParts(c.Payee, m.AnyName)...)
	faults = append(faults, fields.CardsIn(otherTexts(make([]fields.Text, 0, usualTexts), c))...)
	return append(faults, fields.HiddenIn(otherLines(make([]fields.Text, 0, usualTexts), c))...)
}

// payeeParts checks the first and the last name of a payee without a whole name: by the letters of payee.name, and by
// the lengths that the two have on S2S, because no document bounds them together.
func payeeParts(payee *store.Payer, anyName bool) (faults []refusal.Fault) {
	if payee == nil || payee.Name != "" {
		return nil
	}
	for _, part := range []fields.Text{{Name: "payee.first_name", Value: payee.FirstName},
		{Name: "payee.last_name", Value: payee.LastName}} {
		if part.Value != "" && !fields.IsLatin(part.Value, 1, fields.MaxNamePart, anyName) {
			faults = append(faults, refusal.Fault{Path: part.Name, Text: fields.TextLatin(1, fields.MaxNamePart)})
		}
	}
	return faults
}

// guarded is a charge on S2S, with what else its rules need.
type guarded struct {
	*form
	*ChargeRequest
	mapping *store.Mapping
}

// guards are the rules of a record, by the names of S2S. Package s2s has checked the whole form by its tables before; a
// charge of a Go caller is checked by these alone.
var guards = fields.Table[guarded]{Every: true, Fields: []fields.Field[guarded]{
	guard("order_id", func(g guarded) string { return g.Order.Number }, func(guarded) bool { return true }, within(255)),
	{Path: "order_currency", Check: currencyFault},
	guard("order_description", func(g guarded) string { return g.Order.Description }, nil, within(1024)),
	{Path: "texts", Check: func(g guarded) []refusal.Fault {
		list := freeTexts(make([]fields.Text, 0, usualTexts), g.ChargeRequest)
		return append(fields.CardsIn(list), fields.HiddenIn(withNames(list, g.ChargeRequest))...)
	}},
	guard("channel_id", func(g guarded) string { return g.ChannelID }, nil, func(_ guarded, value string) string {
		return fields.Sound(len(value) <= 16, fields.TextInvalid)
	}),
	guard("payer_birth_date", func(g guarded) string {
		return g.Payer.BirthDate
	}, nil, func(g guarded, value string) string {
		return fields.Sound(fields.IsBirthDate(value, g.now()), fields.TextInvalid)
	}),
	guard("schedule_start_date", func(g guarded) string {
		return g.ScheduleStartDate
	}, nil, func(g guarded, value string) string {
		return fields.Sound(g.ScheduleID != "" && fields.IsStartDate(value, g.now()), fields.TextStartDate)
	}),
	guard("payment_schedule_amount", func(g guarded) string { return g.PaymentScheduleAmount },
		func(g guarded) bool { return g.ScheduleID != "" && fields.IsZero(g.Order.Amount) },
		func(g guarded, value string) string {
			format := methods.S2S.Short(g.mapping.ShortAmounts)
			return fields.Sound(g.isPositive(format, g.Order.Currency, value), fields.TextPositive)
		}),
	guard("return_url", func(g guarded) string { return g.ReturnURL }, nil, fields.Plain[guarded](fields.URL(weburl.Max)).Check),
	{Path: "states", Check: func(g guarded) []refusal.Fault { return stateFaults(g.ChargeRequest) }},
}}

// guard is one of those texts; the row of texts looks at what they are made of.
func guard(path string, value func(guarded) string, needed func(guarded) bool,
	check func(guarded, string) string) fields.Field[guarded] {
	return fields.Field[guarded]{Path: path, Value: value, Needed: fields.Need[guarded]{When: needed}, Lines: true,
		Rules: []fields.Rule[guarded]{{Check: check}}}
}

// within bounds a text that package s2s has bounded before, in characters.
func within(longest int) func(guarded, string) string {
	return func(_ guarded, value string) string {
		return fields.Sound(utf8.RuneCountInString(value) <= longest, fields.TextInvalid)
	}
}

func currencyFault(g guarded) []refusal.Fault {
	if _, known := g.currencies.Lookup(g.Order.Currency); !known {
		return []refusal.Fault{{Path: "order_currency", Text: fields.TextInvalid}}
	}
	return nil
}

func chargeObjects(c *ChargeRequest) []refusal.Fault {
	return append(one(sealedFault(c.Parameters)), one(customFault(c.CustomData))...)
}
