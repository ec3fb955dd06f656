package fault

import (
	"fmt"
	"strconv"
)

// The texts that the readers of bodies, the parameter sets of methods and the rule book of fields (internal/fields)
// share.
const (
	Blank    = "This value should not be blank."
	Invalid  = "This value is not valid."
	OneValue = "must be one value"
	Repeated = "repeated field"
	Object   = "must be an object"
	List     = "must be a list"
	Unicode  = "must be valid Unicode text"
	NUL      = "must not contain NUL"
	Bool     = "must be true or false"
	Card     = "must not hold a card number"
	Control  = "must not hold control characters"
	Date     = "must be a date, yyyy-mm-dd"
)

// Size says that a body or an object is over its limit.
func Size(bytes int) string { return "must be at most " + strconv.Itoa(bytes) + " bytes" }

// Long says that a text has more than so many characters.
func Long(characters int) string {
	return fmt.Sprintf("This value is too long. It should have %d characters or less.", characters)
}

// Short says that a text has fewer than so many characters.
func Short(characters int) string {
	return fmt.Sprintf("This value is too short. It should have %d characters or more.", characters)
}
