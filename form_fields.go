package gateway

import (
	"cmp"
	"slices"

	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// need decides whether a field is required; never is the zero value.
type need = fields.Need[asked]

var (
	never  need
	always = fields.Always[asked]()

	// fromNothing: scheduled payments need an amount of their own if the first payment is of zero.
	fromNothing = fields.If("with schedule_id when order.amount is 0", func(a asked) bool {
		return a.Extra.ScheduleID != "" && fields.IsZero(a.Order.Amount)
	})
	// hosted and notHosted: with Hosted Payment Fields the payer comes back to return_url (SPEC1, Endpoints).
	hosted    = fields.If(fields.OfHosted, func(a asked) bool { return a.Hosted })
	notHosted = fields.If(fields.OfCheckout, func(a asked) bool { return !a.Hosted })
	// payout: an operation that sends money to somebody names them (SPEC1, payee.name).
	payout = fields.If("for operation transfer or credit of Checkout", onPayout)
)

func onPayout(a asked) bool {
	return !a.Hosted && (a.Operation == string(store.Transfer) || a.Operation == string(store.Credit))
}

// row is a field that is one text.
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

// part is a field that is not a single text, with what a description says of it.
func part(path, says string, check func(asked) []refusal.Fault) fields.Field[asked] {
	return fields.Field[asked]{Path: path, Check: check, Form: fields.Words(says)}
}

// sessionFields is the table of SPEC1, "Checkout session request", in the order in which CO662's
// sample reports faults; every answer keeps that order.
var sessionFields = newSessionFields()

func newSessionFields() *fields.Table[asked] {
	list := slices.Concat(orderRows(), payerRows(), extraRows())
	return &fields.Table[asked]{Cards: true, Fields: append(list,
		fields.Field[asked]{Path: "hash", Check: hashFault, Needed: always, Form: fields.Words(fields.SaysHash)})}
}

// orderRows are what is bought, and where the payer goes.
func orderRows() []fields.Field[asked] {
	return []fields.Field[asked]{
		number("merchant_key", func(a asked) string { return a.merchantKey }, always, plain(fields.Name)).Says("the merchant's key"),
		row("operation", func(a asked) string { return a.Operation }, always, is(isOperation, fields.TextChoice, fields.Operations(fields.SessionKinds(false)))),
		fields.Field[asked]{Path: "methods", Check: methodFaults, Form: fields.Form{Min: 1, Max: 64, Many: fields.Many, Words: "codes of payment methods, " + fields.TextMany + "; the page offers all that fit when it is left out"}},
		number("order.number", func(a asked) string { return a.Order.Number }, always, plain(fields.Within(3, 255))).Says("the shop's number of the order"),
		fields.Field[asked]{Path: "order.amount", Check: amountFault, Needed: fields.If("unless the payer chooses it in crypto", func(asked) bool { return true }), Form: fields.SessionAmount},
		row("order.currency", func(a asked) string { return a.Order.Currency }, always, is(isCurrency, fields.TextInvalid, fields.CurrencyForm)),
		row("order.description", func(a asked) string { return a.Order.Description }, always, plain(fields.Within(2, 1024))).Says("what the payment is for"),
		number("cancel_url", func(a asked) string { return a.CancelURL }, never, isURL).Says(fields.SaysCancel),
		number("return_url", func(a asked) string { return a.ReturnURL }, hosted, isURL).Says(fields.SaysReturn),
		number("success_url", func(a asked) string { return a.SuccessURL }, notHosted, isURL).Says(fields.SaysSuccess),
		number("expiry_url", func(a asked) string { return a.ExpiryURL }, never, isURL).Says(fields.SaysExpiry),
		number("error_url", func(a asked) string { return a.ErrorURL }, never, isURL).Says(fields.SaysError),
		row("url_target", func(a asked) string { return a.URLTarget }, never, plain(fields.OneOf("_self", "_parent", "_top"))),
		part("session_expiry", "minutes, "+fields.TextWithin(1, 720)+"; 60 when it is left out", expiryFault),
		number("channel_id", func(a asked) string { return a.ChannelID }, never, plain(fields.AtMost(16))).Says("leads to the MID that has it"),
	}
}

// payerRows are who pays.
func payerRows() []fields.Field[asked] {
	list := []fields.Field[asked]{
		row("customer.name", func(a asked) string { return a.Customer.Name }, never, isLatin(2, maxName)),
		row("customer.email", func(a asked) string { return a.Customer.Email }, never, plain(fields.Within(2, 255)), plain(fields.Email)),
		row("customer.birth_date", func(a asked) string { return a.Customer.BirthDate }, never, is(isBirthDate, fields.TextPastDate, fields.PastDay)),
		row("customer.ip", func(a asked) string { return a.Customer.IP }, never, plain(fields.IP)),
	}
	list = append(list, addressRows("billing_address.", func(a asked) store.Address { return a.Billing })...)
	name, language := "billing_address.language", func(a asked) string { return a.Language }
	return append(list, row(name, language, never, plain(fields.AtMost(1024))).Says("of the payer's pages"))
}

// extraRows are what else a payment may have.
func extraRows() []fields.Field[asked] {
	list := []fields.Field[asked]{
		part("parameters", "parameters of methods, by their codes; "+fields.TextSize(maxParameters), parametersFault),
		part("custom_data", "comes back in callbacks; "+fields.TextSize(maxObject), func(a asked) []refusal.Fault { return one(customFault(a.CustomData)) }),
		part("auth", "only authorize; for operation purchase", func(a asked) []refusal.Fault { return a.misplaced("auth", a.Hold, store.Purchase) }),
		part("req_token", "return a card token; for operation purchase or debit", func(a asked) []refusal.Fault {
			return a.misplaced("req_token", a.Extra.ReqToken, store.Purchase, store.Debit)
		}),
		fields.Field[asked]{Path: "card_token", Check: cardTokenFaults, Form: fields.Form{Min: 64, Max: 64, Many: fields.Many, Words: "saved cards to offer, " + fields.TextMany + "; for operation purchase, debit or credit"}},
		part("recurring_init", "begin a chain; for operation purchase or debit", func(a asked) []refusal.Fault {
			return a.misplaced("recurring_init", a.Extra.RecurringInit, store.Purchase, store.Debit)
		}),
		part("vat_calc", "compute VAT; for operation purchase, where the gateway computes it", taxFault),
		number("schedule_id", func(a asked) string { return a.Extra.ScheduleID }, never, plain(fields.AtMost(255)), is(withRecurring, fields.TextNeedsRecurring, fields.Words(fields.TextNeedsRecurring))).Says(fields.SaysSchedule),
		row("schedule_start_date", func(a asked) string { return a.Extra.ScheduleStartDate }, never, is(isStartDate, fields.TextStartOfSession, fields.StartDay)),
		row("payment_schedule_amount", func(a asked) string { return a.Extra.PaymentScheduleAmount }, fromNothing, is(isScheduleAmount, fields.TextScheduleAmount, fields.ScheduleAmount)),
		row("moto_type", func(a asked) string { return a.Extra.MOTOType }, never, onlyFor(store.Purchase), plain(fields.MOTOType)),
		row("crypto.network", func(a asked) string { return a.Extra.CryptoNetwork }, never, plain(fields.AtMost(50))).Says("of the coin, such as TRC20"),
		number("form_id", func(a asked) string { return a.Extra.FormID }, never, plain(fields.UUID)),
		part("payee", "for operation transfer or credit", func(a asked) []refusal.Fault {
			return a.misplaced("payee", a.Extra.Payee != nil, store.Transfer, store.Credit)
		}),
		row("payee.name", func(a asked) string { return payee(a.SessionRequest).Name }, payout, isLatin(2, 32)),
		row("payee.email", func(a asked) string { return payee(a.SessionRequest).Email }, never, plain(fields.Within(2, 255)), plain(fields.Email)),
	}
	return append(list, addressRows("payee_billing_address.",
		func(a asked) store.Address { return payee(a.SessionRequest).Address })...)
}

// SessionRows describes the fields of a session request, for the descriptions of Checkout and Hosted Payment Fields.
func SessionRows() []contract.Row { return sessionFields.Rows() }

// addressRows returns the rows of an address. A state counts for some countries only (decision bj).
func addressRows(prefix string, of func(asked) store.Address) []fields.Field[asked] {
	isState := func(a asked, value string) bool { return fields.IsState(of(a).Country, value) }
	second := row(prefix+"address2", func(a asked) string { return of(a).Address2 }, never, plain(fields.AtMost(255)))
	second.Unsent = true
	return []fields.Field[asked]{
		row(prefix+"country", func(a asked) string { return of(a).Country }, never, plain(fields.Country)),
		row(prefix+"state", func(a asked) string { return fields.StateOf(of(a)) }, never, is(isState, fields.TextState, fields.Words(fields.TextState))),
		row(prefix+"city", func(a asked) string { return of(a).City }, never, plain(fields.Within(2, 40))),
		row(prefix+"address", func(a asked) string { return of(a).Address }, never, plain(fields.Within(2, 255))),
		second,
		row(prefix+"house_number", func(a asked) string { return of(a).HouseNumber }, never, plain(fields.Within(1, 9)), plain(fields.HouseNumber)),
		row(prefix+"zip", func(a asked) string { return of(a).Zip }, never, plain(fields.Within(2, 10))),
		number(prefix+"phone", func(a asked) string { return of(a).Phone }, never, plain(fields.Within(1, 32)), plain(fields.Phone)),
		row(prefix+"phone_country_code", func(a asked) string { return of(a).PhoneCountryCode }, never, plain(fields.Within(1, 10)), plain(fields.PhoneCode)),
		row(prefix+"district", func(a asked) string { return of(a).District }, never, plain(fields.Within(2, 32))),
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
