package gateway

import (
	"cmp"
	"slices"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// need decides whether a field is required.
type need = func(asked) bool

func always(asked) bool { return true }

// fromNothing: scheduled payments need an amount of their own if the first payment is of zero.
func fromNothing(a asked) bool { return a.Extra.ScheduleID != "" && fields.IsZero(a.Order.Amount) }

// hosted and notHosted: with Hosted Payment Fields the payer comes back to return_url (SPEC1, Endpoints).
func hosted(a asked) bool { return a.Hosted }

func notHosted(a asked) bool { return !a.Hosted }

// onPayout: an operation that sends money to somebody names them (SPEC1, payee.name).
func onPayout(a asked) bool {
	return !a.Hosted && (a.Operation == string(store.Transfer) || a.Operation == string(store.Credit))
}

// row is a field that is one text. A nil need means that it is never required.
func row(path string, value func(asked) string, needed need, rules ...fields.Rule[asked]) fields.Field[asked] {
	return fields.Field[asked]{Path: path, Value: value, Needed: needed, Rules: rules}
}

// number is a field whose value is a number, the name of a record or a URL, whose digits may look like a card number by
// chance. Every other text is free text, in which a card number is refused (decision ba).
func number(path string, value func(asked) string, needed need, rules ...fields.Rule[asked]) fields.Field[asked] {
	f := row(path, value, needed, rules...)
	f.Numbers = true
	return f
}

// part is a field that is not a single text.
func part(path string, check func(asked) []refusal.Fault) fields.Field[asked] {
	return fields.Field[asked]{Path: path, Check: check}
}

// sessionFields is the table of SPEC1, "Checkout session request", in the order in which CO662's
// sample reports faults; every answer keeps that order.
var sessionFields = newSessionFields()

func newSessionFields() *fields.Table[asked] {
	list := []fields.Field[asked]{
		number("merchant_key", func(a asked) string { return a.merchantKey }, always, plain(fields.Name)),
		row("operation", func(a asked) string { return a.Operation }, always, is(isOperation, fields.TextChoice)),
		part("methods", methodFaults),
		number("order.number", func(a asked) string { return a.Order.Number }, always, plain(fields.Within(3, 255))),
		part("order.amount", amountFault),
		row("order.currency", func(a asked) string { return a.Order.Currency }, always, is(isCurrency, fields.TextInvalid)),
		row("order.description", func(a asked) string { return a.Order.Description }, always, plain(fields.Within(2, 1024))),
		number("cancel_url", func(a asked) string { return a.CancelURL }, nil, isURL),
		number("return_url", func(a asked) string { return a.ReturnURL }, hosted, isURL),
		number("success_url", func(a asked) string { return a.SuccessURL }, notHosted, isURL),
		number("expiry_url", func(a asked) string { return a.ExpiryURL }, nil, isURL),
		number("error_url", func(a asked) string { return a.ErrorURL }, nil, isURL),
		row("url_target", func(a asked) string { return a.URLTarget }, nil, plain(fields.OneOf("_self", "_parent", "_top"))),
		part("session_expiry", expiryFault),
		number("channel_id", func(a asked) string { return a.ChannelID }, nil, plain(fields.AtMost(16))),

		row("customer.name", func(a asked) string { return a.Customer.Name }, nil, isLatin(2, maxName)),
		row("customer.email", func(a asked) string {
			return a.Customer.Email
		}, nil, plain(fields.Within(2, 255)), plain(fields.Email)),
		row("customer.birth_date", func(a asked) string {
			return a.Customer.BirthDate
		}, nil, is(isBirthDate, fields.TextPastDate)),
		row("customer.ip", func(a asked) string { return a.Customer.IP }, nil, plain(fields.IP)),
	}
	list = append(list, addressRows("billing_address.", func(a asked) store.Address { return a.Billing })...)
	list = append(list,
		row("billing_address.language", func(a asked) string { return a.Language }, nil, plain(fields.AtMost(1024))),

		part("parameters", parametersFault),
		part("custom_data", func(a asked) []refusal.Fault { return one(customFault(a.CustomData)) }),
		part("auth", func(a asked) []refusal.Fault { return a.misplaced("auth", a.Hold, store.Purchase) }),
		part("req_token", func(a asked) []refusal.Fault {
			return a.misplaced("req_token", a.Extra.ReqToken, store.Purchase, store.Debit)
		}),
		part("card_token", cardTokenFaults),
		part("recurring_init", func(a asked) []refusal.Fault {
			return a.misplaced("recurring_init", a.Extra.RecurringInit, store.Purchase, store.Debit)
		}),
		part("vat_calc", taxFault),

		number("schedule_id", func(a asked) string { return a.Extra.ScheduleID }, nil,
			plain(fields.AtMost(255)), is(withRecurring, fields.TextNeedsRecurring)),
		row("schedule_start_date", func(a asked) string {
			return a.Extra.ScheduleStartDate
		}, nil, is(isStartDate, textStart)),
		row("payment_schedule_amount", func(a asked) string { return a.Extra.PaymentScheduleAmount }, fromNothing,
			is(isScheduleAmount, textScheduleAmount)),
		row("moto_type", func(a asked) string {
			return a.Extra.MOTOType
		}, nil, onlyFor(store.Purchase), plain(fields.MOTOType)),
		row("crypto.network", func(a asked) string { return a.Extra.CryptoNetwork }, nil, plain(fields.AtMost(50))),
		number("form_id", func(a asked) string { return a.Extra.FormID }, nil, plain(fields.UUID)),

		part("payee", func(a asked) []refusal.Fault {
			set := a.Extra.Payee != nil || a.PayeeBilling != (store.Address{})
			return a.misplaced("payee", set, store.Transfer, store.Credit)
		}),
		row("payee.name", func(a asked) string { return payee(a.SessionRequest).Name }, onPayout, isLatin(2, 32)),
		row("payee.email", func(a asked) string {
			return payee(a.SessionRequest).Email
		}, nil, plain(fields.Within(2, 255)), plain(fields.Email)),
	)
	list = append(list, addressRows("payee_billing_address.", func(a asked) store.Address { return a.PayeeBilling })...)
	return &fields.Table[asked]{Cards: true, Fields: append(list, part("hash", hashFault))}
}

// addressRows returns the rows of an address. A state counts for some countries only (decision bj).
func addressRows(prefix string, of func(asked) store.Address) []fields.Field[asked] {
	isState := func(a asked, value string) bool { return fields.IsState(of(a).Country, value) }
	return []fields.Field[asked]{
		row(prefix+"country", func(a asked) string { return of(a).Country }, nil, plain(fields.Country)),
		row(prefix+"state", func(a asked) string { return fields.StateOf(of(a)) }, nil, is(isState, fields.TextState)),
		row(prefix+"city", func(a asked) string { return of(a).City }, nil, plain(fields.Within(2, 40))),
		row(prefix+"address", func(a asked) string { return of(a).Address }, nil, plain(fields.Within(2, 255))),
		row(prefix+"house_number", func(a asked) string {
			return of(a).HouseNumber
		}, nil, plain(fields.Within(1, 9)), plain(fields.HouseNumber)),
		row(prefix+"zip", func(a asked) string { return of(a).Zip }, nil, plain(fields.Within(2, 10))),
		number(prefix+"phone", func(a asked) string {
			return of(a).Phone
		}, nil, plain(fields.Within(1, 32)), plain(fields.Phone)),
		row(prefix+"phone_country_code", func(a asked) string { return of(a).PhoneCountryCode }, nil,
			plain(fields.Within(1, 10)), plain(fields.PhoneCode)),
		row(prefix+"district", func(a asked) string { return of(a).District }, nil, plain(fields.Within(2, 32))),
	}
}

var isURL = plain(fields.URL(weburl.Max))

func payee(r *SessionRequest) store.Payer {
	if r.Extra.Payee == nil {
		return store.Payer{}
	}
	return *r.Extra.Payee
}

// check checks a request by the session table, but not its signature. It returns one fault for every field that fails,
// in the order of the table.
func (f *form) check(r *SessionRequest) []refusal.Fault {
	faults := append(slices.Clone(r.Malformed), sessionFields.Faults(asked{f, r}, r.malformed)...)
	slices.SortStableFunc(faults, func(a, b refusal.Fault) int { return cmp.Compare(place(a.Path), place(b.Path)) })
	return faults
}

// place returns the place of a fault in the session table.
func place(path string) int {
	if path == "amount" { // decision ac
		path = "order.amount"
	}
	return sessionFields.Place(path)
}

// faultsAt checks one field of a request by its row, under the caller's name for it.
func (f *form) faultsAt(path, name string, r *SessionRequest) []refusal.Fault {
	row := sessionFields.Row(path).Named(name)
	return sessionFields.FaultsOf(&row, asked{f, r})
}
