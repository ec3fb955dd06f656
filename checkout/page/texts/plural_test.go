package texts

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/feature/plural"
)

// plurals finds every text of a language with a number in it, by its path, with the least number for which it is
// used.
func plurals(v reflect.Value, path string, least int, found map[string]Plural, from map[string]int) {
	switch {
	case v.Type() == reflect.TypeFor[Plural]():
		found[path], from[path] = v.Interface().(Plural), least
	case v.Kind() == reflect.Struct:
		if v.Type() == reflect.TypeFor[Interval]() {
			least = 2 // each interval has a text without a number for one
		}
		for i := range v.NumField() {
			plurals(v.Field(i), path+"."+v.Type().Field(i).Name, least, found, from)
		}
	}
}

var forms = []plural.Form{plural.Zero, plural.One, plural.Two, plural.Few, plural.Many, plural.Other}

// A language has the forms that its numbers need, and no others; a form for one or two only may have no number.
func TestPluralForms(t *testing.T) {
	t.Parallel()
	for _, texts := range offered {
		t.Run(texts.Lang, func(t *testing.T) {
			t.Parallel()
			found, from := map[string]Plural{}, map[string]int{}
			plurals(reflect.ValueOf(*texts), "", 1, found, from)
			require.Len(t, found, 5)
			for path, p := range found {
				numbers := map[plural.Form]int{}
				for n := from[path]; n <= 10_000; n++ {
					numbers[formOf(texts, n)]++
				}
				for _, form := range forms {
					text := p.form(form)
					require.Equal(t, numbers[form] > 0, text != "", "%s: form %d", path, form)
					require.True(t, text == "" || strings.Count(text, "%d") == 1 || numbers[form] == 1 && !strings.Contains(text,
						"%"), "%s: %s", path, text)
				}
			}
		})
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	numbers := []int{1, 2, 3, 5, 11, 12, 21, 22, 25, 100, 101, 111}
	for _, c := range []struct {
		texts *Texts
		want  string
	}{
		{&english, "1 payment, 2 payments, 3 payments, 5 payments, 11 payments, 12 payments, 21 payments, 22 payments, 25 payments, 100 payments, 101 payments, 111 payments"},
		{&russian, "1 платёж, 2 платежа, 3 платежа, 5 платежей, 11 платежей, 12 платежей, 21 платёж, 22 платежа, 25 платежей, 100 платежей, 101 платёж, 111 платежей"},
		{&polish, "1 płatność, 2 płatności, 3 płatności, 5 płatności, 11 płatności, 12 płatności, 21 płatności, 22 płatności, 25 płatności, 100 płatności, 101 płatności, 111 płatności"},
		{&czech, "1 platba, 2 platby, 3 platby, 5 plateb, 11 plateb, 12 plateb, 21 plateb, 22 plateb, 25 plateb, 100 plateb, 101 plateb, 111 plateb"},
		{&croatian, "1 plaćanje, 2 plaćanja, 3 plaćanja, 5 plaćanja, 11 plaćanja, 12 plaćanja, 21 plaćanje, 22 plaćanja, 25 plaćanja, 100 plaćanja, 101 plaćanje, 111 plaćanja"},
		{&romanian, "1 plată, 2 plăți, 3 plăți, 5 plăți, 11 plăți, 12 plăți, 21 de plăți, 22 de plăți, 25 de plăți, 100 de plăți, 101 plăți, 111 plăți"},
		{&arabic, "دفعة واحدة, دفعتان, 3 دفعات, 5 دفعات, 11 دفعة, 12 دفعة, 21 دفعة, 22 دفعة, 25 دفعة, 100 دفعة, 101 دفعة, 111 دفعة"},
		{&japanese, "1回のお支払い, 2回のお支払い, 3回のお支払い, 5回のお支払い, 11回のお支払い, 12回のお支払い, 21回のお支払い, 22回のお支払い, 25回のお支払い, 100回のお支払い, 101回のお支払い, 111回のお支払い"},
	} {
		var got []string
		for _, n := range numbers {
			got = append(got, Count(c.texts, c.texts.Subscription.Payments, n))
		}
		require.Equal(t, c.want, strings.Join(got, ", "))
	}
}

// No two numbers have the same text, and no text lacks its number.
func TestCountsAreClear(t *testing.T) {
	t.Parallel()
	for _, texts := range offered {
		seen := map[string]int{}
		for n := 1; n <= 1000; n++ {
			text := Count(texts, texts.Subscription.Payments, n)
			require.NotContains(t, text, "%", texts.Lang)
			require.Zero(t, seen[text], "%s: %s", texts.Lang, text)
			require.True(t, n < 3 || strings.Contains(text, fmt.Sprint(n)), text)
			seen[text] = n
		}
	}
}
