package methods

import (
	"fmt"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// Format is how a protocol writes amounts (decision h). It belongs to the protocol and not to the currency: 100
// yen are "100.00" in one protocol and "100" in another.
type Format int

// The formats. They differ for exponent 0 only; every other currency has exactly as many decimals as its exponent
// says.
const (
	// Checkout writes ISO currencies of exponent 0 with two zero decimals, and accepts integers too.
	Checkout Format = iota
	// S2S writes exponent 0 as an integer, and accepts ".00" too.
	S2S
	// Payout is the format of CREDIT2VIRTUAL: exponent 0 is an integer and nothing else.
	Payout

	short Format = 1 << 8
)

// FormatOf returns how the protocol of a payment writes its amounts (decision h).
func FormatOf(p *store.Payment) Format {
	switch {
	case p.Protocol == store.S2SAPM && p.Kind == store.Credit:
		return Payout
	case p.Protocol.S2S():
		return S2S
	}
	return Checkout
}

// Short returns the format that also accepts fewer decimals, if on: the merchant's mapping says so (decision am).
// It writes amounts as before.
func (f Format) Short(on bool) Format {
	if on {
		return f | short
	}
	return f
}

// AmountError is the rule that the text of an amount breaks, in words for the merchant. It has neither the text
// nor the path of the field.
type AmountError string

// Error returns the rule, like "KWD needs 3 decimals, like 12.345".
func (e AmountError) Error() string { return string(e) }

// ErrTooLarge: an amount has more than store.MaxIntegerDigits digits before the point.
const ErrTooLarge AmountError = "too large"

// CheckAmount holds the text of an amount against the format of a protocol: the grammar of store.ParseAmount, and
// exactly the decimals of the currency. Zero is accepted: the caller decides whether it is allowed. Errors are
// AmountErrors.
func CheckAmount(format Format, c Currency, text string) error {
	whole, fraction, ok := split(text)
	switch {
	case !ok:
		return malformed(format, c)
	case !format.takes(c, len(fraction)):
		return wrongDecimals(format, c)
	case c.Exponent == 0 && strings.Trim(fraction, "0") != "":
		return AmountError(c.Code + " has no fractions")
	case len(whole) > store.MaxIntegerDigits:
		return ErrTooLarge
	}
	return nil
}

// ParseAmount reads an amount that CheckAmount accepts. Nothing is rounded, and the amount keeps the text it was read
// from. Errors are AmountErrors.
func ParseAmount(format Format, c Currency, text string) (store.Amount, error) {
	if err := CheckAmount(format, c, text); err != nil {
		return store.Amount{}, err
	}
	amount, err := store.ParseAmount(text)
	if err != nil {
		return store.Amount{}, malformed(format, c)
	}
	return amount, nil
}

// FormatAmount writes an amount in the format of a protocol. Nothing is rounded: an amount with more decimals than
// the currency, which ParseAmount never returns, keeps them.
func FormatAmount(format Format, c Currency, a store.Amount) string {
	whole, fraction, _ := strings.Cut(a.String(), ".")
	decimals := format.decimals(c)
	fraction = strings.TrimRight(fraction, "0")
	if missing := decimals - len(fraction); missing > 0 {
		fraction += strings.Repeat("0", missing)
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// maxText is about twice the longest amount. A longer text is refused without a look at its digits.
const maxText = 64

// split separates the digits before and after the point, by the same grammar but for longer numbers too. So an
// amount that is too large is told from a text that is no amount.
func split(text string) (whole, fraction string, ok bool) {
	if len(text) > maxText {
		return "", "", false
	}
	whole, fraction, point := strings.Cut(text, ".")
	ok = digits(whole) && (whole == "0" || whole[0] != '0') && (!point || digits(fraction))
	return whole, fraction, ok
}

func digits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// takes reports whether an amount may have that many decimals.
func (f Format) takes(c Currency, decimals int) bool {
	if f&short != 0 && decimals < c.Exponent {
		return true
	}
	f &^= short
	loose := c.Exponent == 0 && !c.Crypto && f != Payout
	return decimals == c.Exponent || loose && decimals == 2
}

// decimals returns how many decimals the format writes.
func (f Format) decimals(c Currency) int {
	f &^= short
	if c.Exponent == 0 && !c.Crypto && f == Checkout {
		return 2
	}
	return c.Exponent
}

func malformed(format Format, c Currency) error {
	n := format.decimals(c)
	if n <= 0 {
		return AmountError("must be a whole number, like " + example(c, n))
	}
	return AmountError(fmt.Sprintf("must be a decimal number with %d decimals, like %s", n, example(c, n)))
}

// wrongDecimals does not name a currency of two decimals: the general rule is enough.
func wrongDecimals(format Format, c Currency) error {
	switch n := format.decimals(c); {
	case c.Exponent == 2:
		return malformed(format, c)
	case n <= 0:
		return AmountError(c.Code + " takes no decimals")
	default:
		return AmountError(fmt.Sprintf("%s needs %d decimals, like %s", c.Code, n, example(c, n)))
	}
}

// example is 12.34 with the right number of decimals, or 100 where they must be zero.
func example(c Currency, decimals int) string {
	switch {
	case decimals <= 0:
		return "100"
	case c.Exponent == 0:
		return "100.00"
	}
	return "12." + "345678901234567890"[:min(decimals, store.MaxDecimals)]
}
