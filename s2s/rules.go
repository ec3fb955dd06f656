package s2s

import (
	"github.com/tollgatepay/gateway/internal/fields"
)

// alone returns a rule that reads only the value.
func alone(of fields.ValueRule) rule { return fields.Plain[*reading](of) }

// The rules that read only the value, under the names that the tables use.
var (
	isName      = alone(fields.Name)
	isEmail     = alone(fields.Email)
	isIP        = alone(fields.IP)
	isCountry   = alone(fields.Country)
	isDate      = alone(fields.IsDate)
	isPAN       = alone(fields.CardNumber)
	isCode      = alone(fields.SecurityCode)
	isDecimal   = alone(fields.Decimal)
	isPositive  = alone(fields.Positive)
	isPhoneCode = alone(fields.PhoneCode)
	isHouse     = alone(fields.HouseNumber)
	isMOTO      = alone(fields.MOTOType)
	isYesNo     = oneOf("Y", "N")
	isMonth     = alone(fields.Like(`^(0[1-9]|1[0-2])$`, fields.TextInvalid))
	isYear      = alone(fields.Like(`^20[0-9]{2}$`, fields.TextInvalid))
	// isTarget accepts the four names that HTML reserves, and names of frames, which do not begin with an underscore.
	isTarget = alone(fields.Like(`^(_blank|_self|_parent|_top|[^_\s<>"'&][^\s<>"'&]{0,254})$`, fields.TextChoice))
)

func atMost(characters int) rule { return alone(fields.AtMost(characters)) }

func oneOf(values ...string) rule { return alone(fields.OneOf(values...)) }

func isNumber(least, most int) rule { return alone(fields.WholeNumber(least, most)) }

func isURL(longest int) rule { return alone(fields.URL(longest)) }

// isState checks the state when it is used; otherwise it is dropped (decision bj).
func isState(prefix string) rule {
	return fields.Asks("code of a state, where the country has states", func(r *reading, value string) string {
		country := r.text(prefix + "country")
		return fields.Sound(!fields.HasStates(country) || fields.IsState(country, value), fields.TextState)
	})
}
