package methods_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// ranges is the table of SPEC2, "Limits": for each country, how many operators have which range.
var ranges = []struct {
	country, currency, min, max string
	operators                   int
}{
	{"GH", "GHS", "1", "50000", 4},
	{"KE", "KES", "10", "150000", 2},
	{"KE", "KES", "10", "100000", 1},
	{"KE", "KES", "50", "200000", 2},
	{"CI", "XOF", "2", "2000000", 4},
	{"CM", "XAF", "2", "1000000", 1},
	{"CM", "XAF", "2", "500000", 1},
	{"TZ", "TZS", "1000", "30000", 4},
	{"EG", "EGP", "1", "30000", 4},
}

// numbers are valid numbers of each country, international and national, and invalid ones.
var numbers = map[string]struct{ yes, no []string }{
	"GH": {[]string{"+233241234567", "233501234567", "0241234567"}, []string{"241234567", "+234241234567", "02412345678", "0341234567"}},
	"KE": {[]string{"+254712345678", "254112345678", "0712345678"}, []string{"0812345678", "712345678", "+2547123456789"}},
	"CI": {[]string{"+2250701020304", "2250501020304", "0101020304"}, []string{"0201020304", "07010203", "+225701020304"}},
	"CM": {[]string{"+237650000000", "237699999999", "650000000"}, []string{"0650000000", "250000000", "65000000"}},
	"TZ": {[]string{"+255712345678", "255612345678", "0752345678"}, []string{"0812345678", "+2557123456789"}},
	"EG": {[]string{"+201012345678", "201512345678", "01112345678"}, []string{"01312345678", "+2010123456789", "1012345678"}},
}

func mobileMoney(o methods.Operator, number, amount string) (map[string]any, methods.Context) {
	return map[string]any{"mobile_money_operator": o.Slug, "mobile_number": number, "customer_email": "a@example.com"},
		methods.Context{Operation: store.OpCredit, Request: fields{
			"order_amount": amount, "order_currency": o.Currency,
			"payee_first_name": "a", "payee_last_name": "b", "payee_email": "b@example.com",
		}}
}

func TestOperatorRanges(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	set, _ := c.Set("mobile-money-payout")
	count := map[string]int{}
	for _, o := range set.Set().Operators {
		count[strings.Join([]string{o.Country, o.Currency, o.Min, o.Max}, " ")]++
		decimals, step := ".00", ".01"
		if o.Currency == "XOF" || o.Currency == "XAF" {
			decimals, step = "", ""
		}
		check := func(number, amount string) []methods.Fault {
			tree, ctx := mobileMoney(o, number, amount)
			return c.Check("mobile-money", tree, methods.Form, ctx)
		}
		number := numbers[o.Country].yes[0]
		out := []methods.Fault{{Path: "order_amount", Text: "must be within " + o.Min + ".." + o.Max + " " + o.Currency}}
		require.Empty(t, check(number, o.Min+decimals), "%s, least", o.Slug)
		require.Empty(t, check(number, o.Max+decimals), "%s, greatest", o.Slug)
		if step != "" {
			require.Equal(t, out, check(number, o.Max+step), o.Slug)
		}
		require.Equal(t, out, check(number, o.Max+"0"+decimals), o.Slug)
		require.Equal(t, out, check(number, "0"+decimals), o.Slug)
		for _, number := range numbers[o.Country].yes {
			require.Empty(t, check(number, o.Min+decimals), "%s %s", o.Slug, number)
		}
		for _, number := range numbers[o.Country].no {
			require.Equal(t, []methods.Fault{{Path: "parameters[mobile_number]",
				Text: "must be a mobile number of the operator's country, " + o.Country}},
				check(number, o.Min+decimals), "%s %s", o.Slug, number)
		}
	}
	for _, r := range ranges {
		key := strings.Join([]string{r.country, r.currency, r.min, r.max}, " ")
		require.Equal(t, r.operators, count[key], key)
		delete(count, key)
	}
	require.Empty(t, count, "ranges that the specification does not have")
}

// TestZeroExponent: XOF and XAF have no decimals, the others two.
func TestZeroExponent(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	for _, tc := range []struct{ slug, country, currency, amount, text string }{
		{"orange-ci", "CI", "XOF", "100.00", "XOF takes no decimals"},
		{"mtn-cm", "CM", "XAF", "100.0", "XAF takes no decimals"},
		{"mtn-gh", "GH", "GHS", "100", "must be a decimal number with 2 decimals, like 12.34"},
	} {
		tree, ctx := mobileMoney(methods.Operator{Slug: tc.slug, Currency: tc.currency}, numbers[tc.country].yes[0],
			tc.amount)
		require.Equal(t, []methods.Fault{{Path: "order_amount", Text: tc.text}},
			c.Check("mobile-money", tree, methods.Form, ctx), tc.slug)
	}
}

// TestOwnOperators: a host replaces the table by defining the set again.
func TestOwnOperators(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	checker, _ := c.Set("mobile-money-payout")
	set := checker.Set()
	set.Operators = []methods.Operator{{Slug: "one", Country: "GH", Currency: "GHS", Min: "5", Max: "6",
		Number: "0[0-9]{3}"}}
	set.Rows[0].Example = ""
	mobile, _ := c.Lookup("mobile-money")
	mobile.Defines = []methods.Set{set}
	own, err := methods.NewCatalogue(mobile)
	require.NoError(t, err)
	tree, ctx := mobileMoney(set.Operators[0], "0123", "5.00")
	require.Empty(t, own.Check("mobile-money", tree, methods.Form, ctx))
	require.NotEmpty(t, c.Check("mobile-money", tree, methods.Form, ctx))
}
