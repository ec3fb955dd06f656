package fields

import (
	"fmt"

	"github.com/tollgatepay/gateway/internal/fault"
)

// The texts of refused fields, each once (errors.md, "Field-validation messages"). Those without a full stop are ours,
// in the same manner.
const (
	TextBlank      = fault.Blank
	TextChoice     = "The value you selected is not a valid choice."
	TextPositive   = "This value should be greater than 0."
	TextInvalid    = fault.Invalid
	TextURL        = "This value is not a valid URL."
	TextDeprecated = "Parameter is deprecated."
	// TextPaid refuses an order number of S2S that has a payment.
	TextPaid = "Duplicate payment."
	TextJSON = "must be application/json"
	// TextBrand refuses a card of no network (testdata.md, the form error).
	TextBrand = "Bad Request. Brand of card does not support."
	// TextStatusSize refuses the size of a status request (errors.md).
	TextStatusSize = "size should be within 1..100"

	TextRepeated  = fault.Repeated
	TextObject    = fault.Object
	TextOneValue  = fault.OneValue
	TextCard      = fault.Card
	TextPrintable = fault.Control
	TextState     = "must be the code of a state of the country"
	TextChanged   = "has changed"
	TextAccepted  = "must be accepted"
	TextTrue      = "must be true"
	TextBool      = fault.Bool
	TextDate      = fault.Date
	TextPastDate  = "must be a date of the past, yyyy-mm-dd"
	TextStartDate = "must be a date from today on, within ten years, YYYY-MM-DD"
	TextDecimal   = "must be a decimal number of at most 15 digits and 18 decimals, like 12.34"
	TextToken     = "must have 64 characters"
	TextPhone     = "only digits and +()-"
	TextPhoneCode = "only digits, with a hyphen for composite codes"
	TextMany      = "at most 100"

	Many = 100 // what TextMany says

	TextStartOfSession = "needs schedule_id and a date from today on, within ten years, YYYY-MM-DD"
	TextScheduleAmount = "needs schedule_id and an amount greater than 0 in the format of the currency"

	TextNeedsDelay     = "needs delayed_first_payment"
	TextNeedsRecurring = "needs recurring_init"
	TextNeedsSchedule  = "needs schedule_id"
	TextNeedsMonths    = "needs interval_unit month"
)

// TextOfDelay refuses a part of a delay: there is none, or it is of the other kind that is named.
func TextOfDelay(there, kind string) string {
	if there == "" || there == "none" {
		return TextNeedsDelay
	}
	return TextNeedsDelay + " " + kind
}

// TextLong refuses a text of more than so many characters.
func TextLong(characters int) string { return fault.Long(characters) }

// TextShort refuses a text of fewer than so many characters.
func TextShort(characters int) string { return fault.Short(characters) }

// TextLatin names the letters of a name and how many it may have.
func TextLatin(shortest, longest int) string {
	return fmt.Sprintf("only Latin basic letters, %d..%d", shortest, longest)
}

// TextFixed refuses a field that an update of a session does not have.
func TextFixed(name string) string { return fmt.Sprintf(`Parameter "%s" can not be updated.`, name) }

// TextWithin names the bounds of a number.
func TextWithin(least, most int) string { return fmt.Sprintf("must be within %d..%d", least, most) }

// TextSize names the limit of an object, in bytes.
func TextSize(bytes int) string { return fault.Size(bytes) }
