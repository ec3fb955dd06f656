package page

import (
	"strings"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// readAmount takes what a payer typed for an amount: digits, and one point or comma before the decimals.
// Nothing is guessed: what may be a mark of thousands in the payer's language ("1,000" in English, "1.000"
// in German) is refused. Decimals that are missing are filled up, since protocols want all of them.
func (t *Texts) readAmount(text, currency string) (string, error) {
	text = strings.TrimSpace(visible(text))
	plain := store.FoldDigits(strings.ReplaceAll(text, "٫", "."))
	if utf8.RuneCountInString(plain) != utf8.RuneCountInString(text) || len(plain) > 40 {
		return "", errField // with spaces or dashes, which FoldDigits drops
	}
	text = plain
	at := strings.IndexAny(text, ".,")
	if at >= 0 && (strings.ContainsAny(text[at+1:], ".,") || text[at:at+1] == t.locale().group && len(text)-at == len(",000")) {
		return "", errField
	}
	text = strings.Replace(text, ",", ".", 1)
	amount, err := store.ParseAmount(text)
	if err != nil || amount.IsZero() {
		return "", errField
	}
	return completed(text, currency, amount), nil
}

// completed fills up the decimals of a currency of ISO 4217; what is finer stays for the kernel to refuse.
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

// sampleAmount shows how an amount is written.
func (t *Texts) sampleAmount(currency string) string {
	const plain = "25"
	known, err := methods.NewCurrencies()
	if err != nil {
		return plain
	}
	if c, ok := known.Lookup(currency); ok && c.Exponent > 0 {
		return plain + t.locale().point + strings.Repeat("0", c.Exponent)
	}
	return plain
}
