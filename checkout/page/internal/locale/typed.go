package locale

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/checkout/page/internal/clean"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// errAmount: a field holds no amount. The error never has the value.
var errAmount = errors.New("field is not valid")

// Read reads the amount that a payer typed: digits, and one point or comma before the decimals. Nothing is
// guessed: a text that may have a separator of thousands in the payer's language ("1,000" in English, "1.000" in
// German) is refused. Missing decimals are added, because protocols require all of them.
func (l Locale) Read(text, currency string) (string, error) {
	text = strings.TrimSpace(clean.Visible(text))
	plain := store.FoldDigits(strings.ReplaceAll(text, "٫", "."))
	if utf8.RuneCountInString(plain) != utf8.RuneCountInString(text) || len(plain) > 40 {
		return "", errAmount // with spaces or dashes, which FoldDigits drops
	}
	text = plain
	at := strings.IndexAny(text, ".,")
	if at >= 0 && (strings.ContainsAny(text[at+1:], ".,") || text[at:at+1] == l.group && len(text)-at == len(",000")) {
		return "", errAmount
	}
	text = strings.Replace(text, ",", ".", 1)
	amount, err := store.ParseAmount(text)
	if err != nil || amount.IsZero() {
		return "", errAmount
	}
	return completed(text, currency, amount), nil
}

// completed adds the decimals of a currency of ISO 4217; the kernel refuses an amount with more.
func completed(text, currency string, amount store.Amount) string {
	known, err := methods.NewCurrencies()
	if err != nil {
		return text
	}
	if c, ok := known.Lookup(currency); ok {
		return methods.FormatAmount(methods.Checkout, c, amount)
	}
	return text
}

// Sample returns an example of an amount.
func (l Locale) Sample(currency string) string {
	const plain = "25"
	known, err := methods.NewCurrencies()
	if err != nil {
		return plain
	}
	if c, ok := known.Lookup(currency); ok && c.Exponent > 0 {
		return plain + l.point + strings.Repeat("0", c.Exponent)
	}
	return plain
}
