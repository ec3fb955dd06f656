package methods_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

// keeps reports whether a value satisfies a rule.
func keeps(t *testing.T, rule methods.Rule, value any) bool {
	checker, err := methods.Compile(methods.Set{Name: "one",
		Rows: []methods.Row{{Path: "a", Requirement: methods.Optional, Rule: rule}}})
	require.NoError(t, err)
	return checker.Check(map[string]any{"a": value}, methods.JSON, methods.Context{}) == nil
}

func TestRules(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		rule    methods.Rule
		yes, no []any
	}{
		{"string", methods.Rule{Kind: methods.RuleString, Min: 3, Max: 5},
			[]any{"abc", "äöüßé", "\u200fשלום", json.Number("12345"), true},
			[]any{"ab", "abcdef", "ab\xff", "      ", "a\nb", "a\x00b", "a\u202eb", "a\u2067b"}},
		{"base64", methods.Rule{Kind: methods.RuleBase64, Max: 8}, []any{"YQ==", "_-+/", "YWJj\r\n"}, []any{"Y Q=", "ä", "a\u202eb", "a.b", "123456789"}},
		{"text", methods.Rule{Kind: methods.RuleText, Max: 5},
			[]any{"a", "Zürich"[:6], "東京都", "a b", "a\u00a0b", "می\u200cخ", json.Number("1.50")},
			[]any{"123456", "a\tb", "a\x00", "a\u202eb", "\xff", "a\u2028b"}},
		{"word", methods.Rule{Kind: methods.RuleWord, Min: 3, Max: 25},
			[]any{"abc", "blå-bær", strings.Repeat("x", 25)},
			[]any{"ab", "a b c", "a\u00a0bc", strings.Repeat("x", 26), "ab\tc"}},
		{"digits", methods.Rule{Kind: methods.RuleDigits, Max: 3},
			[]any{"1", "000", json.Number("999")}, []any{"1000", "-1", "+1", "1.0", "١٢", "1 ", json.Number("1e2"), true}},
		{"letters", methods.Rule{Kind: methods.RuleLetters, Max: 3}, []any{"USD", "a"}, []any{"USDT", "U1", "É", "a b"}},
		{"decimal", methods.Rule{Kind: methods.RuleDecimal, Max: 10, Decimals: 2},
			[]any{"0", "1234567890.12", "1.5", json.Number("12.50")},
			[]any{"12345678901", "1.234", "-1", "1.", ".5", "1,5", "1e1", " 1"}},
		{"number", methods.Rule{Kind: methods.RuleNumber},
			[]any{"0", "12.345678", json.Number("7")},
			[]any{"-1", "+1", "1e3", json.Number("1E3"), "Inf", "0x1", true, strings.Repeat("1", 65)}},
		{"boolean", methods.Rule{Kind: methods.RuleBoolean}, []any{true, false, "true", "false", "1", "0", json.Number("1")}, []any{"T", "TRUE", "yes", "Y", json.Number("2")}},
		{"enum", methods.Rule{Kind: methods.RuleEnum, Values: []string{"M", "CM", "1"}}, []any{"M", "CM", json.Number("1")}, []any{"m", "C", "M,CM", " M"}},
		{"pattern", methods.Rule{Kind: methods.RulePattern, Pattern: "a|b+"}, []any{"a", "bbb"}, []any{"ab", "xa", "a\n"}},
		{"email", methods.Rule{Kind: methods.RuleEmail, Max: 60},
			[]any{"a@b.co", "a.b+c@example.com", strings.Repeat("a", 48) + "@example.com"},
			[]any{"a@b", "a", `"a b"@example.com`, "ä@example.com", strings.Repeat("a", 49) + "@example.com", "a@b.co\n"}},
		{"email without a length", methods.Rule{Kind: methods.RuleEmail},
			[]any{strings.Repeat("a", 244) + "@example.com"},
			[]any{strings.Repeat("a", 245) + "@example.com", strings.Repeat("a", 300) + "@example.com"}},
		{"url", methods.Rule{Kind: methods.RuleURL}, []any{"https://example.com", "http://example.com/a?b=c#d", "https://example.com:8443/ä"},
			[]any{"javascript:alert(1)", "ftp://example.com/", "//example.com", "https://user@example.com/",
				"https://u:p@example.com", "https://", "https://example.com/a b", "https://example.com/\n"}},
		{"country", methods.Rule{Kind: methods.RuleCountry}, []any{"US", "DE"}, []any{"us", "UK", "EU", "USA", "840"}},
		{"country3", methods.Rule{Kind: methods.RuleCountry3}, []any{"840", "004", "158"}, []any{"84", "4", "1840", "999", "+84", "USA", "8４0"}},
		{"country23", methods.Rule{Kind: methods.RuleCountries}, []any{"US", "us", "840"}, []any{"USA", "84", "8400", "U1"}},
		{"currency", methods.Rule{Kind: methods.RuleCurrency}, []any{"USD", "XOF", "BTC", "USDT"}, []any{"usd", "XXX", "XAU", "LTC", "US"}},
		{"date", methods.Rule{Kind: methods.RuleDate}, []any{"2026-01-31", "2024-02-29"}, []any{"2026-02-29", "2026-1-3", "31.01.2026", "2026-01-31T00:00:00Z"}},
		{"datetime", methods.Rule{Kind: methods.RuleDateTime},
			[]any{"2026-01-31T12:00:00Z", "2026-01-31T12:00:00.123Z", "2026-01-31T12:00:00+00:00"},
			[]any{"2026-01-31T12:00:00", "2026-01-31T12:00:00+02:00", "2026-01-31", "2026-01-31 12:00:00Z",
				"2026-01-31T1:00:00Z", "2026-01-31T12:00:00,5Z", "2026-02-30T12:00:00Z", "2026-01-31t12:00:00z"}},
		{"month", methods.Rule{Kind: methods.RuleMonth}, []any{"01", "12"}, []any{"00", "13", "1", "001", "1a"}},
		{"year", methods.Rule{Kind: methods.RuleYear}, []any{"2030", json.Number("2030")}, []any{"30", "20300", "203x"}},
		{"month_year", methods.Rule{Kind: methods.RuleMonthYear}, []any{"01/2030"}, []any{"1/2030", "13/2030", "01/30", "01-2030", "01/2030/"}},
		{"bic", methods.Rule{Kind: methods.RuleBIC}, []any{"DEUTDEFF", "DEUTDEFF500"}, []any{"deutdeff", "DEUTDEFF5", "DEUT", "DEUTDEFF5000"}},
		{"json", methods.Rule{Kind: methods.RuleJSON}, []any{`{"a":[1]}`, "1"}, []any{"{", "a", `{"a":1}}`}},
		{"pan", methods.Rule{Kind: methods.RulePAN, Values: []string{"#NA"}}, []any{"4111111111111111", "#NA"}, []any{"4111 1111 1111 1111", "4111111111111112", "#na", "000000000000", "NA"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, value := range tc.yes {
				require.True(t, keeps(t, tc.rule, value), "%q", value)
			}
			for _, value := range tc.no {
				require.False(t, keeps(t, tc.rule, value), "%q", value)
			}
			if sample := tc.rule.Sample(); sample != "" {
				require.True(t, keeps(t, tc.rule, sample), "its sample %q", sample)
			}
		})
	}
}

// TestEveryKind: each kind is used in some set or in the table above.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	var used []methods.RuleKind
	for _, set := range methods.DefaultSets() {
		for _, row := range set.Rows {
			used = append(used, row.Rule.Kind)
		}
	}
	used = append(used, methods.RulePattern, methods.RuleDate)
	for _, kind := range methods.RuleKinds() {
		require.Contains(t, used, kind)
		require.NotEmpty(t, methods.Rule{Kind: kind, Values: []string{"a"}}.Words())
	}
	kinds := methods.RuleKinds()
	slices.Sort(kinds)
	require.Len(t, slices.Compact(kinds), len(methods.RuleKinds()), "a kind occurs twice")
}

func rows(row methods.Row) methods.Set {
	return methods.Set{Name: "one", Rows: []methods.Row{row}}
}

func TestRefusedSets(t *testing.T) {
	t.Parallel()
	text := methods.Rule{Kind: methods.RuleString}
	row := func(path string, rule methods.Rule) methods.Row {
		return methods.Row{Path: path, Requirement: methods.Optional, Rule: rule}
	}
	operator := methods.Operator{Slug: "a", Country: "GH", Currency: "GHS", Min: "1", Max: "2", Number: "0[0-9]+"}
	wrong := func(change func(*methods.Operator)) methods.Set {
		o := operator
		change(&o)
		set := rows(row("a", methods.Rule{Kind: methods.RuleOperator}))
		set.Operators = []methods.Operator{o}
		return set
	}
	for _, tc := range []struct {
		name string
		set  methods.Set
		text string
	}{
		{"no name", methods.Set{Rows: []methods.Row{row("a", text)}}, "lower-case letters"},
		{"name", methods.Set{Name: "A", Rows: []methods.Row{row("a", text)}}, "lower-case letters"},
		{"no rows", methods.Set{Name: "one"}, "no rows"},
		{"path", rows(row("a b", text)), `"a b" is not a key`},
		{"one element", rows(row("a[0]", text)), "names one element"},
		{"twice", methods.Set{Name: "one", Rows: []methods.Row{row("a", text), row("a", text)}}, "occurs twice"},
		{"list and object", methods.Set{Name: "one", Rows: []methods.Row{row("a[]", text), row("a.b", text)}}, "both an object and a list"},
		{"object and list", methods.Set{Name: "one", Rows: []methods.Row{row("a.b", text), row("a[]", text)}}, "both an object and a list"},
		{"value and object", methods.Set{Name: "one", Rows: []methods.Row{row("a", text), row("a.b", text)}}, "a value has neither"},
		{"list of nothing", rows(row("a", methods.Rule{Kind: methods.RuleList})), "a list has rule list"},
		{"kind", rows(row("a", methods.Rule{Kind: "texts"})), `kind "texts"`},
		{"unread field", rows(row("a", methods.Rule{Kind: methods.RuleEnum, Values: []string{"a"}, Max: 3})), "max is not used by kind enum"},
		{"bounds", rows(row("a", methods.Rule{Kind: methods.RuleString, Min: 3, Max: 2})), "min not above max"},
		{"no values", rows(row("a", methods.Rule{Kind: methods.RuleEnum})), "needs values"},
		{"value twice", rows(row("a", methods.Rule{Kind: methods.RuleEnum, Values: []string{"a", "a"}})), "occurs twice"},
		{"no digits", rows(row("a", methods.Rule{Kind: methods.RuleDecimal, Decimals: 2})), "needs max"},
		{"pattern", rows(row("a", methods.Rule{Kind: methods.RulePattern, Pattern: "("})), "does not compile"},
		{"with", rows(row("a", methods.Rule{Kind: methods.RuleOperatorNumber, With: "b"})), `with "b" names no row`},
		{"requirement", rows(methods.Row{Path: "a", Requirement: "must", Rule: text}), `requirement "must"`},
		{"no condition", rows(methods.Row{Path: "a", Requirement: methods.Conditional, Rule: text}), `condition ""`},
		{"condition", rows(methods.Row{Path: "a", Requirement: methods.Conditional, When: "moon", Rule: text}), `condition "moon"`},
		{"condition of optional", rows(methods.Row{Path: "a", Requirement: methods.Optional, When: methods.WhenListed, Rule: text}), "does not fit"},
		{"option", rows(methods.Row{Path: "a", Requirement: methods.Required, Rule: text, Option: "colour"}), `option "colour"`},
		{"alias", rows(methods.Row{Path: "a", Requirement: methods.Required, Rule: text, Alias: "b.c"}), `alias "b.c"`},
		{"request field", rows(methods.Row{Path: "payer_shoe", Requirement: methods.Required, Rule: text, Request: true}), "no such field"},
		{"request default", rows(methods.Row{Path: "order_id", Requirement: methods.Required, Rule: text, Request: true, Default: "1"}), "cannot have a default"},
		{"default", rows(methods.Row{Path: "a", Requirement: methods.Required, Rule: methods.Rule{Kind: methods.RuleMonth}, Default: "13"}), `"13" breaks`},
		{"example", rows(methods.Row{Path: "a", Requirement: methods.Required, Rule: methods.Rule{Kind: methods.RuleMonth}, Example: "13"}), `"13" breaks`},
		{"operator amounts", wrong(func(o *methods.Operator) { o.Min = "3" }), "min is above max"},
		{"operator amount", wrong(func(o *methods.Operator) { o.Max = "-1" }), "max is not an amount"},
		{"operator number", wrong(func(o *methods.Operator) { o.Number = "(" }), "not a pattern"},
		{"operator currency", wrong(func(o *methods.Operator) { o.Currency = "CED" }), `currency "CED"`},
		{"operator slug", wrong(func(o *methods.Operator) { o.Slug = "" }), "slug or country"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := methods.Compile(tc.set)
			require.ErrorContains(t, err, tc.text)
		})
	}
	_, err := methods.Compile(methods.Set{Rows: []methods.Row{row("a b", text), row("c", methods.Rule{Kind: "x"})}})
	for _, part := range []string{"the name", `row "a b"`, `row "c"`} {
		require.ErrorContains(t, err, part, "every fault is named")
	}
}
