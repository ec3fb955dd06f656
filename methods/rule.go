package methods

// RuleKind names the kind of a rule. Rules check the text of a value: the string itself, the digits of a JSON
// number as they were sent, or "true" and "false". So a tree has the same faults whether it was sent as JSON or as
// a form.
type RuleKind string

// The kinds. Length codes are read by decision x: AN is printable text up to that length, N ASCII
// digits, A letters. Characters are counted, not bytes.
const (
	RuleString    RuleKind = "string"     // a line of any text; Min, Max characters
	RuleText      RuleKind = "text"       // AN: printable text; Min, Max
	RuleWord      RuleKind = "word"       // printable text without spaces; Min, Max
	RuleDigits    RuleKind = "digits"     // N: ASCII digits; Min, Max
	RuleLetters   RuleKind = "letters"    // A: A-Z and a-z; Min, Max
	RuleDecimal   RuleKind = "decimal"    // N10.N2: unsigned; up to Max digits before the point, Decimals after it
	RuleNumber    RuleKind = "number"     // unsigned, whole or with decimals
	RuleBoolean   RuleKind = "boolean"    // true, false, 1 or 0
	RuleEnum      RuleKind = "enum"       // one of Values, in that letter case
	RulePattern   RuleKind = "pattern"    // the whole value matches Pattern (RE2)
	RuleEmail     RuleKind = "email"      // an e-mail address, of at least 3 characters; Max, 256 without it
	RuleURL       RuleKind = "url"        // http or https, without user information; Max
	RuleCountry   RuleKind = "country"    // ISO 3166-1 alpha-2, upper case
	RuleCountry3  RuleKind = "country3"   // ISO 3166-1 numeric, three digits
	RuleCountries RuleKind = "country23"  // two letters or three digits, not looked up
	RuleCurrency  RuleKind = "currency"   // a code of Context.Currencies, or a crypto asset that SPEC2 names
	RuleDate      RuleKind = "date"       // yyyy-mm-dd
	RuleDateTime  RuleKind = "datetime"   // ISO 8601 in UTC, like 2026-01-31T12:00:00Z
	RuleMonth     RuleKind = "month"      // 01..12
	RuleYear      RuleKind = "year"       // four digits
	RuleMonthYear RuleKind = "month_year" // MM/YYYY
	RuleBIC       RuleKind = "bic"        // SWIFT code, 8 or 11 characters, upper case
	RuleJSON      RuleKind = "json"       // a JSON document in a string
	RuleBase64    RuleKind = "base64"     // base64, on one line or several; Max
	RulePAN       RuleKind = "pan"        // a card number, or one of Values
	RuleList      RuleKind = "list"       // the parameter is a list; its elements have rows of their own
	RuleJoined    RuleKind = "joined"     // with the parameter With together at most Max characters

	RuleOperator         RuleKind = "operator"          // a slug of the set's operators with the order's currency
	RuleOperatorNumber   RuleKind = "operator_number"   // a phone number in the country of the operator in With
	RuleOperatorCurrency RuleKind = "operator_currency" // a currency of one of the set's operators
	RuleOperatorAmount   RuleKind = "operator_amount"   // within the range of the operator in With
)

// Rule is a condition on a value, as data. Only the fields that its kind reads may be set; zero Min and Max mean
// no bound.
type Rule struct {
	Kind     RuleKind `json:"kind"`
	Min      int      `json:"min,omitempty"`
	Max      int      `json:"max,omitempty"`
	Decimals int      `json:"decimals,omitempty"`
	Values   []string `json:"values,omitempty"`
	Pattern  string   `json:"pattern,omitempty"`
	With     string   `json:"with,omitempty"` // path of another parameter of the set
}
