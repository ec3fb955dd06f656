package methods_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

// example is a valid request for a set, made of the samples of its rows.
type example struct {
	tree    map[string]any
	request fields
	ctx     methods.Context
}

// fields are those of a request, by their S2S names.
type fields map[string]string

func (f fields) Field(name string) string { return f[name] }

func exampleOf(set methods.Set) example {
	e := example{tree: map[string]any{}, request: fields{}}
	e.ctx = methods.Context{Code: "code", Stage: methods.Collected, Request: e.request}
	for _, row := range set.Rows {
		e.put(row, row.Sample())
	}
	return e
}

// put sets the value of a row; an empty value removes it.
func (e example) put(row methods.Row, value string) {
	switch {
	case row.Request:
		e.request[row.Path] = value
	case row.Rule.Kind == methods.RuleList:
	default:
		putAt(e.tree, pathOf(row), value)
	}
}

// pathOf returns the place of a row in an example: the first element of every list.
func pathOf(row methods.Row) methods.Path {
	path, err := methods.ParsePath(strings.ReplaceAll(row.Path, "[]", "[0]"))
	if err != nil {
		panic(err)
	}
	return path
}

// putAt sets a value in a tree, and makes the containers on the way. Lists have one element here.
func putAt(tree map[string]any, path methods.Path, value any) {
	at := any(tree)
	for i, step := range path {
		last := i == len(path)-1
		switch at := at.(type) {
		case map[string]any:
			if last {
				at[step.Key] = value
			} else if at[step.Key] == nil && path[i+1].Key == "" {
				at[step.Key] = []any{map[string]any{}}
			} else if at[step.Key] == nil {
				at[step.Key] = map[string]any{}
			}
		case []any:
			if last {
				at[0] = value
			}
		}
		at = stepInto(at, step)
	}
}

func stepInto(at any, step methods.Step) any {
	switch at := at.(type) {
	case map[string]any:
		return at[step.Key]
	case []any:
		return at[0]
	}
	return nil
}

func (e example) clone() example {
	e.tree = cloneTree(e.tree).(map[string]any)
	e.request = maps.Clone(e.request)
	e.ctx.Request = e.request
	return e
}

func cloneTree(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		whole := map[string]any{}
		for key, value := range tree {
			whole[key] = cloneTree(value)
		}
		return whole
	case []any:
		whole := make([]any, len(tree))
		for i, value := range tree {
			whole[i] = cloneTree(value)
		}
		return whole
	}
	return tree
}

// catalogue returns the default catalogue.
func catalogue(t testing.TB) *methods.Catalogue {
	c, err := methods.NewCatalogue()
	require.NoError(t, err)
	return c
}

func TestSetsAreWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, set := range methods.DefaultSets() {
		require.False(t, seen[set.Name], "set %s occurs twice", set.Name)
		seen[set.Name] = true
		require.NotEmpty(t, set.Title, set.Name)
		require.NotEmpty(t, set.Doc, set.Name)
		_, err := methods.Compile(set)
		require.NoError(t, err)
		for _, row := range set.Rows {
			require.NotEmpty(t, row.Doc, "%s %s", set.Name, row.Path)
			require.NotEmpty(t, row.Words(), "%s %s", set.Name, row.Path)
			require.NotEmpty(t, row.Rule.Words(), "%s %s", set.Name, row.Path)
		}
	}
}

// TestExamples: a valid request is valid in both spellings, encoded and decoded as each protocol does.
func TestExamples(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	for _, set := range methods.DefaultSets() {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			e := exampleOf(set)
			checker, _ := c.Set(set.Name)
			wire, err := json.Marshal(e.tree)
			require.NoError(t, err)
			require.Empty(t, checker.Check(decodeJSON(t, string(wire)), methods.JSON, e.ctx), "%s", wire)
			form := encodeForm(e.tree)
			require.Empty(t, checker.Check(decodeForm(t, form), methods.Form, e.ctx), form)
		})
	}
}

// breaking returns, for each condition of a rule, a value that breaks only this one, and the text of its fault.
var breaking = map[string]func(methods.Rule) (value, text string){
	"string/characters": func(r methods.Rule) (string, string) {
		return strings.Repeat("a", max(r.Min, 1)-1) + "\n", "must not hold control characters"
	},
	"base64/base64":     says("Y Q", "must be base64"),
	"text/characters":   says("\n", "must be printable text"),
	"word/characters":   says("ab cd", "must be printable text without spaces"),
	"digits/characters": func(r methods.Rule) (string, string) { return padded("1x", r), "must have only digits" },
	"letters/characters": func(r methods.Rule) (string, string) {
		return padded("A1", r), "must have only letters"
	},
	"string/long": tooLong("a"), "text/long": tooLong("é"), "word/long": tooLong("a"), "digits/long": tooLong("1"),
	"letters/long": tooLong("A"), "string/short": tooShort, "text/short": tooShort, "word/short": tooShort,
	"string/exact": wrongLength("a"), "digits/exact": wrongLength("1"),
	"email/long": func(r methods.Rule) (string, string) {
		limit := cmp.Or(r.Max, 256)
		return strings.Repeat("a", limit-len("@example.com")+1) + "@example.com", long(limit)
	},
	"email/email":     says("payer.example.com", "must be an e-mail address"),
	"url/url":         says("javascript:alert(1)", "must be an http or https URL without user information"),
	"decimal/decimal": says("12345678901.00", "must be a number with at most 10 digits and at most 2 decimals"),
	"number/number":   says("-1", "must be a number, like 12 or 12.50"),
	"boolean/boolean": says("yes", "must be true or false"),
	"enum/choice": func(r methods.Rule) (string, string) {
		text := "must be one of " + strings.Join(r.Values, ", ")
		if len(r.Values) == 1 {
			text = "must be " + r.Values[0]
		}
		return "Other", text
	},
	"country/country":   says("us", "must be an alpha-2 country code, like US"),
	"country3/country":  says("1840", "must be a country code of 3 digits, like 840"),
	"country23/country": says("U1", "must have 2 letters or 3 digits"),
	"currency/currency": says("XXX", "must be a currency code, like USD"),
	"datetime/datetime": says("2026-01-31T12:00:00+01:00",
		"must be an ISO 8601 date and time in UTC, like 2026-01-31T12:00:00Z"),
	"month/month":           says("13", "must be a month of 2 digits, 01..12"),
	"year/year":             says("30", "must be a year of 4 digits"),
	"month_year/month_year": says("12/30", "must be a month and a year, MM/YYYY"),
	"bic/bic":               says("DEUTDEF", "must be a SWIFT code of 8 or 11 characters"),
	"json/json":             says("{", "must be a JSON document"),
	"pan/pan":               says("4111111111111112", "must be a card number or #NA"),
	"joined/joined": says(strings.Repeat("a", 58),
		"This value is too long. Together with payer_last_name it should have 60 characters or less."),
	"operator/currency":          says("mtn-cm", "must be an operator for XOF"),
	"operator_number/number":     says("+22107010203", "must be a mobile number of the operator's country, CI"),
	"operator_currency/currency": says("USD", "must be one of GHS, KES, XOF, XAF, TZS, EGP"),
	"operator_amount/format":     says("2.00", "XOF takes no decimals"),
	"operator_amount/range":      says("2000001", "must be within 2..2000000 XOF"),
	"operator/known": says("mtn", "must be an operator: mtn-gh, telecel-gh, airteltigo-gh, gmoney-gh, mpesa-ke, airtel-ke, "+
		"tkash-ke, equitel-ke, coopcash-ke, orange-ci, mtn-ci, moov-ci, wave-ci, mtn-cm, orange-cm, mpesa-tz, tigo-tz, "+
		"airtel-tz, halopesa-tz, vodafone-eg, orange-eg, etisalat-eg, we-eg"),
}

// along are other values that a case needs, so that only one rule is broken.
var along = map[string]map[string]string{
	"operator/currency":          {"mobile_number": "237650000000"},
	"operator_currency/currency": {"order_amount": "2.00"},
}

func says(value, text string) func(methods.Rule) (string, string) {
	return func(methods.Rule) (string, string) { return value, text }
}

func long(n int) string {
	return fmt.Sprintf("This value is too long. It should have %d characters or less.", n)
}

func tooLong(c string) func(methods.Rule) (string, string) {
	return func(r methods.Rule) (string, string) { return strings.Repeat(c, r.Max+1), long(r.Max) }
}

func tooShort(r methods.Rule) (string, string) {
	return strings.Repeat("a", r.Min-1),
		fmt.Sprintf("This value is too short. It should have %d characters or more.", r.Min)
}

func wrongLength(c string) func(methods.Rule) (string, string) {
	return func(r methods.Rule) (string, string) {
		return strings.Repeat(c, r.Max+1), fmt.Sprintf("This value should have exactly %d characters.", r.Max)
	}
}

// padded extends a value to the exact length that a rule may require.
func padded(value string, r methods.Rule) string {
	if r.Min > 0 && r.Min == r.Max {
		return value[len(value)-1:] + strings.Repeat(value[:1], r.Max-1)
	}
	return value
}

// ruleCase breaks one rule: the set, the input, and the one fault.
type ruleCase struct {
	name string
	example
	json, form string
	text       string
}

// casesOf returns the cases of a row: absent, each condition of its rule, beside a value that excludes it.
func casesOf(t testing.TB, set methods.Set, row methods.Row) (cases []ruleCase) {
	whole := exampleOf(set)
	whole.ctx.MID.Needed = []string{row.Path}
	for _, other := range set.Rows {
		if other.Where.Path == row.Path { // otherwise the sample of the other row would be the broken one
			whole.put(other, "")
		}
	}
	one := func(name string, text string) ruleCase {
		c := ruleCase{name: set.Name + " " + row.Path + " " + name, example: whole.clone(), text: text}
		c.json, c.form = pathOf(row).Spell(methods.JSON, "code"), pathOf(row).Spell(methods.Form, "code")
		if row.Request {
			c.json, c.form = checkoutName[row.Path], row.Path
		}
		return c
	}
	if enforced(row) {
		c := one("presence", "This value should not be blank.")
		c.put(row, "")
		if row.Rule.Kind == methods.RuleList {
			delete(c.tree, row.Path)
		}
		cases = append(cases, c)
	}
	for _, name := range row.Rule.Checks() {
		key := string(row.Rule.Kind) + "/" + name
		broken := breaking[key]
		require.NotNil(t, broken, "no case breaks %s (%s %s)", key, set.Name, row.Path)
		value, text := broken(row.Rule)
		c := one(name, text)
		for _, other := range set.Rows {
			if with := along[key][other.Path]; with != "" {
				c.put(other, with)
			}
		}
		c.put(row, value)
		cases = append(cases, c)
	}
	if row.Where.Path != "" {
		c := one("where", "may be sent only where "+row.Where.Path+" is "+strings.Join(row.Where.Values, " or "))
		c.tree[row.Where.Path] = "Other"
		cases = append(cases, c)
	}
	return cases
}

// enforced reports whether the absence of a row can be a fault.
func enforced(row methods.Row) bool {
	return row.Requirement != methods.Optional && row.Default == ""
}

var checkoutName = map[string]string{
	"order_id": "order.number", "order_amount": "order.amount", "order_currency": "order.currency",
	"order_description": "order.description", "payer_first_name": "customer.name", "payer_last_name": "customer.name",
	"payer_email": "customer.email", "payer_phone": "billing_address.phone", "payee_first_name": "payee.name",
	"payee_last_name": "payee.name", "payee_email": "payee.email",
}

// TestEveryRule breaks each rule of each set alone, in both spellings, and requires exactly its fault.
func TestEveryRule(t *testing.T) {
	t.Parallel()
	catalogue, rows, rules, ran := catalogue(t), 0, 0, 0
	for _, set := range methods.DefaultSets() {
		checker, _ := catalogue.Set(set.Name)
		for _, row := range set.Rows {
			rows++
			rules += rulesOf(row)
			for _, c := range casesOf(t, set, row) {
				ran++
				require.Equal(t, []methods.Fault{{Path: c.json, Text: c.text}}, checker.Check(c.tree, methods.JSON, c.ctx), c.name)
				require.Equal(t, []methods.Fault{{Path: c.form, Text: c.text}}, checker.Check(c.tree, methods.Form, c.ctx), c.name)
			}
		}
	}
	require.Equal(t, rules, ran, "rules without a case")
	t.Logf("%d sets, %d rows, %d rules, a case for each", len(methods.DefaultSets()), rows, rules)
}

// rulesOf counts the conditions of a row: to be present, to go with another parameter, and those of its rule.
func rulesOf(row methods.Row) int {
	n := len(row.Rule.Checks())
	if enforced(row) {
		n++
	}
	if row.Where.Path != "" {
		n++
	}
	return n
}

// TestStructure: an object or a list in the place of a single value, and the reverse, at every place of every set.
func TestStructure(t *testing.T) {
	t.Parallel()
	catalogue, ran := catalogue(t), 0
	for _, set := range methods.DefaultSets() {
		checker, _ := catalogue.Set(set.Name)
		done := map[string]bool{}
		for _, row := range set.Rows {
			if row.Request {
				continue
			}
			path := pathOf(row)
			for n := 1; n <= len(path); n++ {
				place := path[:n].Spell(methods.JSON, "code")
				if done[place] {
					continue
				}
				done[place] = true
				ran++
				e := exampleOf(set)
				value, text := misfit(set, path[:n])
				putAt(e.tree, path[:n], value)
				require.Equal(t, []methods.Fault{{Path: place, Text: text}}, checker.Check(e.tree, methods.JSON, e.ctx), set.Name)
			}
		}
	}
	t.Logf("%d places", ran)
}

// misfit returns a value of the wrong structure for a place, and the text of its fault.
func misfit(set methods.Set, path methods.Path) (value any, text string) {
	pattern := strings.ReplaceAll(path.String(), "[0]", "[]")
	for _, row := range set.Rows {
		switch {
		case strings.HasPrefix(row.Path, pattern+"[]"):
			return "text", "must be a list"
		case strings.HasPrefix(row.Path, pattern+"."):
			return []any{"text"}, "must be an object"
		}
	}
	return map[string]any{"a": "b"}, "must be a single value"
}
