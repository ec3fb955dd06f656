package texts

import (
	"fmt"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// Plural is a text with a number, %d, in the forms that its language has for whole numbers. An empty form means
// Other.
type Plural struct{ Zero, One, Two, Few, Many, Other string }

// form returns the text of a form.
func (p Plural) form(f plural.Form) string {
	return map[plural.Form]string{
		plural.Zero: p.Zero, plural.One: p.One, plural.Two: p.Two,
		plural.Few: p.Few, plural.Many: p.Many, plural.Other: p.Other,
	}[f]
}

// formOf returns the form that a language has for a whole number (CLDR plural rules).
func formOf(t *Texts, n int) plural.Form {
	return plural.Cardinal.MatchPlural(language.Make(t.Lang), n, 0, 0, 0, 0)
}

// Count writes a text for a number. A form for one or two may have no digits.
func Count(t *Texts, p Plural, n int) string {
	text := p.form(formOf(t, n))
	if text == "" {
		text = p.Other
	}
	if !strings.Contains(text, "%d") {
		return text
	}
	return fmt.Sprintf(text, n)
}
