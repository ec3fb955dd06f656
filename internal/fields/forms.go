package fields

import (
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// The forms of values of a session whose rules ask the request.
var (
	CurrencyForm = Form{Words: "code of ISO 4217, or a coin of the gateway"}
	PastDay      = Form{Format: "date", Pattern: DateForm.Pattern, Words: "of the past"}
	StartDay     = Form{Format: "date", Pattern: DateForm.Pattern,
		Words: "with schedule_id; from today on, within ten years"}
	ScheduleAmount = Form{Pattern: AmountForm.Pattern, Words: "with schedule_id: what each scheduled payment charges, " +
		"else as much as the first payment; " + Amount.Form.Words}
	SessionAmount = Form{Pattern: "^(-1|" + strings.Trim(AmountForm.Pattern, "^$") + ")$",
		Words: saysDecimals + "; " + saysPositive + ", or 0 with auth or recurring_init; -1 in a transfer: the payer chooses"}
)

// What a description says of the URLs to which a payer's browser is sent.
const (
	SaysSuccess = "where the payer goes after paying, " + saysQuery
	SaysCancel  = "where a payer goes who gives up, or whose last attempt that the mapping allows was declined; after " +
		"an attempt " + saysQuery
	SaysExpiry = "where the payer of a session goes that has expired; nothing is added"
	SaysError  = "where the payer goes while the outcome is unknown; nothing is added; cancel_url when it is left out"
	SaysReturn = "where the payer comes back to from 3-D Secure or a bank's page, and in place of every other URL that " +
		"is left out; after an attempt " + saysQuery
	saysQuery = "with payment_id, trans_id, order_id and hash in its query"
	// SaysProof is of all of them.
	SaysProof = "That the payer comes to one of the URLs proves no payment, and neither does the `hash` in its query, " +
		"which is the same after a decline. The callback tells the outcome, or the status."
	// SaysBack is of a payment without a page of its own.
	SaysBack = "where the payer's browser comes back to from 3-D Secure or a bank's page; nothing is added, so put " +
		"your order number into it"
)

// SaysRefundAgain is what a description says of a refund that is sent again.
const SaysRefundAgain = "**A repeated request is another refund**: nothing in it tells the two apart. While the " +
	"first one is not finished, one of the same amount is refused with `Duplicate request.`; afterwards it gives back " +
	"once more, as long as something is left. If an answer was lost, "

// SaysSchedule is what a description says of the schedule of a chain.
const SaysSchedule = "what CREATE_SCHEDULE of S2S CARD answered; the gateway charges the chain by it"

// SaysHash is what a description says of the field hash.
const SaysHash = "the signature of the request"

// Words is a form that only words tell.
func Words(text string) Form { return Form{Words: text} }

// LatinForm is the form of a name.
func LatinForm(shortest, longest int) Form {
	return Form{Min: shortest, Max: longest, Words: "Latin letters, unless the mapping has AnyName"}
}

// Operations is the form of an operation that is one of some kinds.
func Operations(kinds []store.Kind) Form { return Form{Choices: kindNames(kinds)} }

// SessionKinds are what a session can be, with Hosted Payment Fields or without.
func SessionKinds(hosted bool) []store.Kind {
	if hosted {
		return []store.Kind{store.Purchase, store.Debit}
	}
	return store.Kinds()
}

// ForKinds names the operations that take a field.
func ForKinds(kinds []store.Kind) string {
	return "for operation " + strings.Join(kindNames(kinds), " or ")
}

func kindNames(kinds []store.Kind) (names []string) {
	for _, kind := range kinds {
		names = append(names, string(kind))
	}
	return names
}
