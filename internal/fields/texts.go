package fields

// TextChanged refuses what was agreed to before it was changed.
const TextChanged = "has changed"

// TextBrand refuses a card of no network (testdata.md, the form error).
const TextBrand = "Bad Request. Brand of card does not support."

// TextNeedsDelay refuses a part of a delay where there is none.
const TextNeedsDelay = "needs delayed_first_payment"

// The texts of refused fields (errors.md, "Field-validation messages"). The two for lengths are ours,
// in the same manner.
const (
	TextBlank    = "This value should not be blank."
	TextChoice   = "The value you selected is not a valid choice."
	TextPositive = "This value should be greater than 0."
	TextInvalid  = "This value is not valid."
	TextCard     = "must not hold a card number"
	TextURL      = "This value is not a valid URL."
	TextLong     = "This value is too long. It should have %d characters or less."
	TextShort    = "This value is too short. It should have %d characters or more."
)
