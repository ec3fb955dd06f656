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

// checkCharge holds a charge against the rules of its protocol.
func (f *form) checkCharge(c *ChargeRequest, m *store.Mapping) (faults []refusal.Fault) {
	if c.Protocol.S2S() {
		faults = f.checkS2S(c, m)
		tax := &SessionRequest{Operation: string(c.Kind), Extra: store.SessionExtra{VATCalc: c.VATCalc}}
		if fault := f.taxFault("vat_calc", tax); fault.Text != "" {
			faults = append(faults, fault)
		}
	} else {
		faults = f.checkCheckout(c, m)
	}
	if c.CallbackURL != "" && !weburl.Valid(c.CallbackURL, 255) {
		faults = append(faults, refusal.Fault{Path: "callback_url", Text: fields.TextURL})
	}
	return append(faults, f.chargeObjects(c)...)
}

// checkCheckout is the table of a session, for a charge of a Go caller.
func (f *form) checkCheckout(c *ChargeRequest, m *store.Mapping) []refusal.Fault {
	r := &SessionRequest{
		MerchantKey: c.MerchantKey, Operation: string(c.Kind), Order: c.Order, ChannelID: c.ChannelID,
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
	if c.RecurringInit { // what a later payment of a chain names is asked of the chain
		r.Extra.ScheduleID, r.Extra.ScheduleStartDate, r.Extra.PaymentScheduleAmount = c.ScheduleID, c.ScheduleStartDate,
			c.PaymentScheduleAmount
	}
	if onPayout(r) {
		r.Extra.Payee = &store.Payer{Name: "Recipient"} // where none is named the connector knows whom a charge pays
	}
	if c.Payee != nil {
		r.Extra.Payee = &store.Payer{Name: cmp.Or(c.Payee.Name, "Recipient"), Email: c.Payee.Email}
		r.PayeeBilling = c.Payee.Address
	}
	faults := append(f.check(r), f.payeeParts(c.Payee, r)...)
	return append(append(faults, fields.CardsIn(otherTexts(c))...), fields.HiddenIn(otherLines(c))...)
}

// payeeParts holds the two names of a payee who came without a whole one against the letters of payee.name and the
// lengths that first and last names have on S2S: no document bounds them together.
func (f *form) payeeParts(payee *store.Payer, r *SessionRequest) (faults []refusal.Fault) {
	if payee == nil || payee.Name != "" {
		return nil
	}
	for _, part := range []struct{ path, value string }{{"payee.first_name", payee.FirstName},
		{"payee.last_name", payee.LastName}} {
		if part.value != "" && !isLatin(1, 32)(f, r, part.value) {
			faults = append(faults, refusal.Fault{Path: part.path, Text: "only Latin basic letters, 1..32"})
		}
	}
	return faults
}

// checkS2S guards what a record must satisfy, by the names of S2S. Package s2s holds the whole form
// against its tables before.
func (f *form) checkS2S(c *ChargeRequest, m *store.Mapping) (faults []refusal.Fault) {
	_, known := f.currencies.Lookup(c.Order.Currency)
	require := func(ok bool, path, text string) {
		if !ok {
			faults = append(faults, refusal.Fault{Path: path, Text: text})
		}
	}
	require(c.Order.Number != "", "order_id", fields.TextBlank)
	require(utf8.RuneCountInString(c.Order.Number) <= 255, "order_id", fields.TextInvalid)
	require(known, "order_currency", fields.TextInvalid)
	require(utf8.RuneCountInString(c.Order.Description) <= 1024, "order_description", fields.TextInvalid)
	faults = append(faults, fields.CardsIn(freeTexts(c))...)
	require(len(c.ChannelID) <= 16, "channel_id", fields.TextInvalid)
	asked := &SessionRequest{Extra: store.SessionExtra{ScheduleID: c.ScheduleID}}
	require(c.Payer.BirthDate == "" || isBirthDate(f, asked, c.Payer.BirthDate), "payer_birth_date", fields.TextInvalid)
	require(c.ScheduleStartDate == "" || isStartDate(f, asked, c.ScheduleStartDate), "schedule_start_date",
		"must be a date from today on, within ten years, YYYY-MM-DD")
	require(c.ScheduleID == "" || !fields.IsZero(c.Order.Amount) || c.PaymentScheduleAmount != "",
		"payment_schedule_amount", fields.TextBlank)
	require(c.PaymentScheduleAmount == "" || f.isPositive(methods.S2S.Short(m.ShortAmounts), c.Order.Currency,
		c.PaymentScheduleAmount), "payment_schedule_amount", fields.TextPositive)
	require(c.ReturnURL == "" || weburl.Valid(c.ReturnURL, weburl.Max), "return_url", fields.TextURL)
	return append(append(faults, fields.HiddenIn(lines(c))...), stateFaults(c)...)
}

func (f *form) chargeObjects(c *ChargeRequest) (faults []refusal.Fault) {
	for _, fault := range []refusal.Fault{objectFault("parameters", c.Parameters, maxParameters),
		customFault(c.CustomData)} {
		if fault.Text != "" {
			faults = append(faults, fault)
		}
	}
	return faults
}
