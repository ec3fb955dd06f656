package methods

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// RuleKind names what a rule demands. Rules look at the text of a value: the string itself, the digits
// of a JSON number as they were sent, or "true" and "false". So a tree gets the same verdict whether
// it came as JSON or as a form.
type RuleKind string

// The kinds. Length codes are read by decision x: AN is printable text up to that length, N ASCII
// digits, A letters. Characters are counted, not bytes.
const (
	RuleString    RuleKind = "string"     // a line of any text; Min, Max characters
	RuleText      RuleKind = "text"       // AN: printable text; Min, Max
	RuleWord      RuleKind = "word"       // printable text without spaces; Min, Max
	RuleDigits    RuleKind = "digits"     // N: ASCII digits; Min, Max
	RuleLetters   RuleKind = "letters"    // A: A-Z and a-z; Min, Max
	RuleDecimal   RuleKind = "decimal"    // N10.N2: unsigned; up to Max digits before the point, Decimals behind
	RuleNumber    RuleKind = "number"     // unsigned, whole or with decimals
	RuleBoolean   RuleKind = "boolean"    // true, false, 1 or 0
	RuleEnum      RuleKind = "enum"       // one of Values, in that letter case
	RulePattern   RuleKind = "pattern"    // the whole value matches Pattern (RE2)
	RuleEmail     RuleKind = "email"      // an e-mail address, which has 3 characters at least; Max, 256 without it
	RuleURL       RuleKind = "url"        // http or https, without user information; Max
	RuleCountry   RuleKind = "country"    // ISO 3166-1 alpha-2, upper case
	RuleCountry3  RuleKind = "country3"   // ISO 3166-1 numeric, three digits
	RuleCountries RuleKind = "country23"  // two letters or three digits, whatever they name
	RuleCurrency  RuleKind = "currency"   // a code of Context.Currencies, or a crypto asset SPEC2 names
	RuleDate      RuleKind = "date"       // yyyy-mm-dd
	RuleDateTime  RuleKind = "datetime"   // ISO 8601 in UTC, like 2026-01-31T12:00:00Z
	RuleMonth     RuleKind = "month"      // 01..12
	RuleYear      RuleKind = "year"       // four digits
	RuleMonthYear RuleKind = "month_year" // MM/YYYY
	RuleBIC       RuleKind = "bic"        // SWIFT code, 8 or 11 characters, upper case
	RuleJSON      RuleKind = "json"       // a JSON document in a string
	RuleBase64    RuleKind = "base64"     // base64, in lines or not; Max
	RulePAN       RuleKind = "pan"        // a card number, or one of Values
	RuleList      RuleKind = "list"       // the parameter is a list; its elements have rows of their own
	RuleJoined    RuleKind = "joined"     // together with the parameter With at most Max characters

	RuleOperator         RuleKind = "operator"          // a slug of the set's operators, of the order's currency
	RuleOperatorNumber   RuleKind = "operator_number"   // a number of the country of the operator in With
	RuleOperatorCurrency RuleKind = "operator_currency" // a currency of the set's operators
	RuleOperatorAmount   RuleKind = "operator_amount"   // within the range of the operator in With
)

// Rule is what a value has to be, as data. Only the fields its kind reads may be set; zero Min and Max
// are no bounds.
type Rule struct {
	Kind     RuleKind `json:"kind"`
	Min      int      `json:"min,omitempty"`
	Max      int      `json:"max,omitempty"`
	Decimals int      `json:"decimals,omitempty"`
	Values   []string `json:"values,omitempty"`
	Pattern  string   `json:"pattern,omitempty"`
	With     string   `json:"with,omitempty"` // path of another parameter of the set
}

// Words is the rule in words, for people.
func (r Rule) Words() string {
	if k := kindOf(r.Kind); k != nil {
		return k.words(r)
	}
	return string(r.Kind)
}

// Sample is a value that keeps the rule. It is empty where none can be told without the set: patterns
// and what depends on other parameters.
func (r Rule) Sample() string {
	if k := kindOf(r.Kind); k != nil && k.sample != nil {
		return k.sample(r)
	}
	return ""
}

// Checks names the single demands of the rule, such as "characters" and "long", each of which can fail
// alone. It is empty when the rule does not compile.
func (r Rule) Checks() []string {
	checks, err := r.compile(newTags())
	if err != nil {
		return nil
	}
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = c.name
	}
	return names
}

// check is one demand of a rule: it answers what to say of a value that fails it, and nothing else.
type check struct {
	name string
	fail func(value string, v *visit) string
}

// unless makes a check of a predicate on the text alone.
func unless(name, text string, ok func(string) bool) check {
	return check{name, func(value string, _ *visit) string {
		if ok(value) {
			return ""
		}
		return text
	}}
}

// compile makes the checks of a rule, or says everything that is wrong with it.
func (r Rule) compile(t *tags) ([]check, error) {
	k := kindOf(r.Kind)
	if k == nil {
		return nil, fmt.Errorf("kind %q is not known", r.Kind)
	}
	if err := errors.Join(r.unread(k.reads), r.bounds(), r.values(k)); err != nil {
		return nil, err
	}
	return k.checks(r, t)
}

// unread names fields that are set and that the kind does not read: most likely a slip.
func (r Rule) unread(reads string) error {
	var errs []error
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"min", r.Min != 0}, {"max", r.Max != 0}, {"decimals", r.Decimals != 0},
		{"values", r.Values != nil}, {"pattern", r.Pattern != ""}, {"with", r.With != ""},
	} {
		if f.set && !slices.Contains(strings.Fields(reads), f.name) {
			errs = append(errs, fmt.Errorf("%s means nothing to kind %s", f.name, r.Kind))
		}
	}
	return errors.Join(errs...)
}

func (r Rule) bounds() error {
	if r.Min < 0 || r.Max < 0 || r.Decimals < 0 || r.Max > 0 && r.Min > r.Max {
		return errors.New("min, max and decimals must be 0 or more, and min not above max")
	}
	return nil
}

// values asks for what the kind cannot do without, and for values that can be told apart.
func (r Rule) values(k *ruleKind) error {
	var errs []error
	for _, need := range strings.Fields(k.needs) {
		if need == "values" && len(r.Values) == 0 || need == "max" && r.Max == 0 ||
			need == "pattern" && r.Pattern == "" || need == "with" && r.With == "" {
			errs = append(errs, fmt.Errorf("kind %s needs %s", r.Kind, need))
		}
	}
	for i, value := range r.Values {
		if value == "" || slices.Contains(r.Values[:i], value) {
			errs = append(errs, fmt.Errorf("value %q is empty or stands twice", value))
		}
	}
	return errors.Join(errs...)
}
