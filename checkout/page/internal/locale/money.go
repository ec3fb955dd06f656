package locale

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/store"
)

// symbolFile has the symbol of each currency in each language, unless it is the code; one language per line. The
// symbols are those of the Unicode CLDR 48 (copyright Unicode, Inc., under the Unicode License V3): no two
// currencies share one in a language.
//
//go:embed symbols.txt
var symbolFile string

// symbols are the symbols of currencies, by language and code.
var symbols = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for line := range strings.Lines(symbolFile) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		own := map[string]string{}
		for _, cell := range cells[1:] {
			code, symbol, _ := strings.Cut(cell, "=")
			own[code] = symbol
		}
		all[cells[0]] = own
	}
	return all
})

// Money writes an amount of a currency in the format of the language. A text that is no plain amount stays
// unchanged, with the code after it; without a currency or without an amount the result is empty.
func (l Locale) Money(amount, currency string) string {
	if _, err := store.ParseAmount(amount); err != nil || currency == "" {
		return strings.TrimSpace(amount + " " + currency)
	}
	symbol, own := symbols()[l.lang][currency]
	if !own {
		symbol = currency
	}
	if l.dir == "rtl" && strings.ContainsFunc(symbol, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) {
		symbol += "\u200e" // otherwise the dollar of US$ would come before it
	}
	return placed(l.money, symbol, l.amount(amount))
}

// placed puts symbol and number into a pattern. Letters do not touch digits (CLDR, currencySpacing).
func placed(pattern, symbol, number string) string {
	last, _ := utf8.DecodeLastRuneInString(symbol)
	if strings.Contains(pattern, "¤#") && !unicode.IsSymbol(last) {
		symbol += "\u00a0"
	}
	return strings.NewReplacer("¤", symbol, "#", number).Replace(pattern)
}

// amount writes a plain amount with the marks of the language; any other text is unchanged. Digits are only
// separated, never computed with.
func (l Locale) amount(amount string) string {
	if _, err := store.ParseAmount(amount); err != nil {
		return amount
	}
	whole, fraction, point := strings.Cut(amount, ".")
	if len(whole) >= 3+l.grouped {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + l.group + whole[i:]
		}
	}
	if point {
		return whole + l.point + fraction
	}
	return whole
}
