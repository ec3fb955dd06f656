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
	ScheduleAmount = Form{Pattern: AmountForm.Pattern,
		Words: "with schedule_id; greater than 0, with the decimals of the currency"}
	SessionAmount = Form{Pattern: "^(-1|" + strings.Trim(AmountForm.Pattern, "^$") + ")$",
		Words: "with the decimals of the currency; greater than 0, or 0 with auth or recurring_init; " +
			"-1 in a transfer: the payer chooses"}
)

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
