package methods

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/tollgatepay/gateway/internal/fault"
)

// ruleKind is a row of the table of kinds: the fields of a Rule that it reads and requires, its text for people,
// its checks, and a sample.
type ruleKind struct {
	kind   RuleKind
	reads  string
	needs  string
	words  func(Rule) string
	checks func(Rule, *tags) ([]check, error)
	sample func(Rule) string
}

func kindOf(kind RuleKind) *ruleKind {
	for i := range ruleKinds {
		if ruleKinds[i].kind == kind {
			return &ruleKinds[i]
		}
	}
	return nil
}

// RuleKinds returns every kind of rule.
func RuleKinds() []RuleKind {
	kinds := make([]RuleKind, len(ruleKinds))
	for i, k := range ruleKinds {
		kinds[i] = k.kind
	}
	return kinds
}

var ruleKinds = []ruleKind{
	{RuleString, "min max", "", withLength("text"), lengthAnd("characters", fault.Control, isLine), repeated("Example")},
	{RuleText, "min max", "", withLength("printable text"), lengthAnd("characters", "must be printable text", isPrintable), repeated("Example")},
	{RuleWord, "min max", "", withLength("printable text without spaces"), lengthAnd("characters", "must be printable text without spaces", isWord), repeated("Example")},
	{RuleDigits, "min max", "", withLength("digits"), lengthAnd("characters", "must have only digits", isDigits), repeated("1234")},
	{RuleLetters, "min max", "", withLength("letters A-Z, a-z"), lengthAnd("characters", "must have only letters", isLetters), repeated("EUR")},
	{RuleDecimal, "max decimals", "max", decimalWords, decimalChecks, fixed("1.5")},
	{RuleNumber, "", "", fixed("number, not negative"), just("number", "must be a number, like 12 or 12.50", isNumber), fixed("1")},
	{RuleBoolean, "", "", fixed("`true` or `false`, also `1` or `0`"), just("boolean", fault.Bool, isBoolean), fixed("true")},
	{RuleEnum, "values", "values", enumWords, enumChecks, firstValue},
	{RulePattern, "pattern", "pattern", func(r Rule) string { return "matches `" + r.Pattern + "`" }, patternChecks, nil},
	{RuleEmail, "max", "", emailWords, emailChecks, fixed("payer@example.com")},
	{RuleURL, "max", "", withLength("http or https URL"), urlChecks, fixed("https://example.com/a")},
	{RuleCountry, "", "", fixed("ISO 3166-1 alpha-2 country code"), tagged("country", "must be an alpha-2 country code, like US", "iso3166_1_alpha2"), fixed("US")},
	{RuleCountry3, "", "", fixed("ISO 3166-1 numeric country code, 3 digits"), country3Checks, fixed("840")},
	{RuleCountries, "", "", fixed("country: 2 letters or 3 digits"), just("country", "must have 2 letters or 3 digits", isCountry23), fixed("US")},
	{RuleCurrency, "", "", fixed("currency code"), currencyChecks, fixed("USD")},
	{RuleDate, "", "", fixed("date, yyyy-mm-dd"), tagged("date", fault.Date, "datetime=2006-01-02"), fixed("2026-01-31")},
	{RuleDateTime, "", "", fixed("ISO 8601 date and time in UTC"), just("datetime", "must be an ISO 8601 date and time in UTC, like 2026-01-31T12:00:00Z", isUTC), fixed("2026-01-31T12:00:00Z")},
	{RuleMonth, "", "", fixed("month, 2 digits 01..12"), just("month", "must be a month of 2 digits, 01..12", isMonth), fixed("12")},
	{RuleYear, "", "", fixed("year, 4 digits"), just("year", "must be a year of 4 digits", isYear), fixed("2030")},
	{RuleMonthYear, "", "", fixed("month and year, `MM/YYYY`"), just("month_year", "must be a month and a year, MM/YYYY", isMonthYear), fixed("12/2030")},
	{RuleBIC, "", "", fixed("SWIFT code (BIC)"), tagged("bic", "must be a SWIFT code of 8 or 11 characters", "bic"), fixed("DEUTDEFF")},
	{RuleJSON, "", "", fixed("JSON document in a string"), tagged("json", "must be a JSON document", "json"), fixed(`{"a":1}`)},
	{RuleBase64, "max", "", withLength("base64"), lengthAnd("base64", "must be base64", isBase64), fixed("YQ==")},
	{RulePAN, "values", "", panWords, panChecks, fixed("4111111111111111")},
	{RuleList, "", "", fixed("list"), noChecks, nil},
	{RuleJoined, "max with", "max with", joinedWords, joinedChecks, fixed("Jane")},
	{RuleOperator, "", "", fixed("slug of an operator of the order's currency"), operatorChecks, nil},
	{RuleOperatorNumber, "with", "with", fixed("mobile number of the operator's country"), operatorNumberChecks, nil},
	{RuleOperatorCurrency, "", "", fixed("currency of the operators"), operatorCurrencyChecks, nil},
	{RuleOperatorAmount, "with", "with", fixed("amount within the operator's range, with the decimals of its currency"), operatorAmountChecks, nil},
}

func fixed(text string) func(Rule) string { return func(Rule) string { return text } }

func firstValue(r Rule) string { return r.Values[0] }

// repeated returns a sample: the text repeated to the least length, or the text once, cut to the greatest.
func repeated(text string) func(Rule) string {
	return func(r Rule) string {
		n := max(r.Min, len(text))
		if r.Max > 0 {
			n = min(n, r.Max)
		}
		return strings.Repeat(text, n/len(text)+1)[:n]
	}
}

func withLength(what string) func(Rule) string {
	return func(r Rule) string {
		switch {
		case r.Min > 0 && r.Min == r.Max:
			return fmt.Sprintf("%s, exactly %d", what, r.Max)
		case r.Min > 0 && r.Max > 0:
			return fmt.Sprintf("%s, %d..%d", what, r.Min, r.Max)
		case r.Max > 0:
			return fmt.Sprintf("%s, up to %d", what, r.Max)
		case r.Min > 0:
			return fmt.Sprintf("%s, at least %d", what, r.Min)
		}
		return what
	}
}

// lengths returns the checks of Min and Max: one for both when they are equal. A Min of 1 needs none, because an
// empty value counts as absent.
func lengths(r Rule) (checks []check) {
	if r.Min > 0 && r.Min == r.Max {
		text := fmt.Sprintf("This value should have exactly %d characters.", r.Max)
		return []check{unless("exact", text, func(s string) bool { return count(s) == r.Max })}
	}
	if r.Min > 1 {
		text := fault.Short(r.Min)
		checks = append(checks, unless("short", text, func(s string) bool { return count(s) >= r.Min }))
	}
	if r.Max > 0 {
		text := fault.Long(r.Max)
		checks = append(checks, unless("long", text, func(s string) bool { return count(s) <= r.Max }))
	}
	return checks
}

func lengthAnd(name, text string, ok func(string) bool) func(Rule, *tags) ([]check, error) {
	return func(r Rule, _ *tags) ([]check, error) { return append(lengths(r), unless(name, text, ok)), nil }
}

func just(name, text string, ok func(string) bool) func(Rule, *tags) ([]check, error) {
	return func(Rule, *tags) ([]check, error) { return []check{unless(name, text, ok)}, nil }
}

// tagged returns a rule of the validator library, for the kinds where we follow its reading.
func tagged(name, text, tag string) func(Rule, *tags) ([]check, error) {
	return func(_ Rule, t *tags) ([]check, error) { return []check{unless(name, text, t.is(tag))}, nil }
}

func noChecks(Rule, *tags) ([]check, error) { return nil, nil }

func decimalWords(r Rule) string {
	return fmt.Sprintf("decimal, up to %d digits and %d decimals", r.Max, r.Decimals)
}

func decimalChecks(r Rule, _ *tags) ([]check, error) {
	text := fmt.Sprintf("must be a number with at most %d digits and at most %d decimals", r.Max, r.Decimals)
	return []check{unless("decimal", text, func(s string) bool {
		whole, fraction, _ := strings.Cut(s, ".")
		return isNumber(s) && len(whole) <= r.Max && len(fraction) <= r.Decimals
	})}, nil
}

func enumWords(r Rule) string {
	if len(r.Values) == 1 {
		return "`" + r.Values[0] + "`"
	}
	return "one of `" + strings.Join(r.Values, "`, `") + "`"
}

func enumChecks(r Rule, _ *tags) ([]check, error) {
	text := "must be one of " + strings.Join(r.Values, ", ")
	if len(r.Values) == 1 {
		text = "must be " + r.Values[0]
	}
	return []check{unless("choice", text, among(r.Values))}, nil
}

// patternChecks anchors the expression, so that the whole value has to match.
func patternChecks(r Rule, _ *tags) ([]check, error) {
	re, err := regexp.Compile(`\A(?:` + r.Pattern + `)\z`)
	if err != nil {
		return nil, fmt.Errorf("pattern %q does not compile", r.Pattern)
	}
	return []check{unless("pattern", "must match "+r.Pattern, re.MatchString)}, nil
}

// maxEmail is the greatest length of an e-mail address in all protocols. The library bounds no part of one.
const maxEmail = 256

func (r Rule) email() Rule { r.Max = cmp.Or(r.Max, maxEmail); return r }

func emailWords(r Rule) string { return withLength("e-mail address")(r.email()) }

func emailChecks(r Rule, t *tags) ([]check, error) {
	email := t.is("email")
	ok := func(s string) bool { return isPlainASCII(s) && !strings.Contains(s, `"`) && email(s) }
	return append(lengths(r.email()), unless("email", "must be an e-mail address", ok)), nil
}

func urlChecks(r Rule, t *tags) ([]check, error) {
	web := t.is("http_url")
	ok := func(s string) bool { return isWord(s) && web(s) && !hasUser(s) }
	return append(lengths(r), unless("url", "must be an http or https URL without user information", ok)), nil
}

// country3Checks counts the digits itself, because the library reads any number modulo 1000.
func country3Checks(_ Rule, t *tags) ([]check, error) {
	known := t.is("iso3166_1_alpha_numeric")
	ok := func(s string) bool { return len(s) == 3 && digits(s) && known(s) }
	return []check{unless("country", "must be a country code of 3 digits, like 840", ok)}, nil
}

func currencyChecks(Rule, *tags) ([]check, error) {
	return []check{{"currency", func(value string, b *beside) string {
		if _, known := b.ctx.Currencies.Lookup(value); known || isNamedAsset(value) {
			return ""
		}
		return "must be a currency code, like USD"
	}}}, nil
}

func panWords(r Rule) string {
	if len(r.Values) == 0 {
		return "card number"
	}
	return "card number, or `" + strings.Join(r.Values, "`, `") + "`"
}

func panChecks(r Rule, _ *tags) ([]check, error) {
	text := "must be a card number"
	for _, value := range r.Values {
		text += " or " + value
	}
	other := among(r.Values)
	return []check{unless("pan", text, func(s string) bool { return isPAN(s) || other(s) })}, nil
}

func joinedWords(r Rule) string {
	return fmt.Sprintf("text, up to %d together with `%s`", r.Max, r.With)
}

func joinedChecks(r Rule, _ *tags) ([]check, error) {
	text := fmt.Sprintf("This value is too long. Together with %s it should have %d characters or less.", r.With, r.Max)
	return []check{{"joined", func(value string, b *beside) string {
		if count(value)+count(b.other(r.With)) <= r.Max {
			return ""
		}
		return text
	}}}, nil
}
