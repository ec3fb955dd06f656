package methods

import (
	"fmt"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// Format is how a protocol writes amounts (decision h). It belongs to the protocol and never follows
// from the currency alone: 100 yen are "100.00" to one and "100" to another.
type Format int

// The formats. They differ for exponent 0 only; every other currency takes exactly as many decimals as
// its exponent says.
const (
	// Checkout writes ISO currencies of exponent 0 with two zero decimals, and takes integers as well.
	Checkout Format = iota
	// S2S writes exponent 0 as an integer, and takes ".00" as well.
	S2S
	// Payout is CREDIT2VIRTUAL: exponent 0 is an integer and nothing else.
	Payout

	short Format = 1 << 8
)

// FormatOf is how the protocol of a payment writes its amounts (decision h).
func FormatOf(p *store.Payment) Format {
	switch {
	case p.Protocol == store.S2SAPM && p.Kind == store.Credit:
		return Payout
	case p.Protocol.S2S():
		return S2S
	}
	return Checkout
}

// Short is the format that takes fewer decimals as well where the merchant's mapping says so (decision am). It
// writes amounts as before.
func (f Format) Short(on bool) Format {
	if on {
		return f | short
	}
	return f
}

// AmountError is a rule that the text of an amount breaks, in words for the merchant, without the text
// and without the path of its field.
type AmountError string

// Error is the rule, like "KWD needs 3 decimals, like 12.345".
func (e AmountError) Error() string { return string(e) }

// ErrTooLarge says that an amount has more than store.MaxIntegerDigits digits before the point.
const ErrTooLarge AmountError = "too large"

// ParseAmount reads an amount as a protocol writes it, by the grammar of store.ParseAmount and with
// exactly the decimals of the currency. Nothing is rounded, and the amount keeps the text it was read
// from. Zero passes: whether it may be is for the caller to say. Errors are AmountErrors.
func ParseAmount(format Format, c Currency, text string) (store.Amount, error) {
	whole, fraction, ok := split(text)
	switch {
	case !ok:
		return store.Amount{}, malformed(format, c)
	case !format.takes(c, len(fraction)):
		return store.Amount{}, wrongDecimals(format, c)
	case c.Exponent == 0 && strings.Trim(fraction, "0") != "":
		return store.Amount{}, AmountError(c.Code + " has no fractions")
	case len(whole) > store.MaxIntegerDigits:
		return store.Amount{}, ErrTooLarge
	}
	amount, err := store.ParseAmount(text)
	if err != nil {
		return store.Amount{}, malformed(format, c)
	}
	return amount, nil
}

// FormatAmount writes an amount as a protocol does. Nothing is rounded: an amount finer than the
// currency, which ParseAmount never makes, is written as it is.
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

// maxText is about twice the longest amount: what is longer is not even called too large.
const maxText = 64

// split takes digits with an optional point apart, by the same grammar but with longer numbers, to tell
// what is too large from what is no amount.
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

// takes reports whether so many decimals may stand in an amount.
func (f Format) takes(c Currency, decimals int) bool {
	if f&short != 0 && decimals < c.Exponent {
		return true
	}
	f &^= short
	loose := c.Exponent == 0 && !c.Crypto && f != Payout
	return decimals == c.Exponent || loose && decimals == 2
}

// decimals is how many decimals the format writes.
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

// wrongDecimals does not name a currency of two decimals: the general rule says it all.
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

// example is 12.34 with as many decimals as there are to be, or 100 where they must be zero.
func example(c Currency, decimals int) string {
	switch {
	case decimals <= 0:
		return "100"
	case c.Exponent == 0:
		return "100.00"
	}
	return "12." + "345678901234567890"[:min(decimals, store.MaxDecimals)]
}
