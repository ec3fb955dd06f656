package fields_test

import (
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/fields"
)

var countries = []string{"AU", "CA", "IN", "JP", "US"}

// posts are the codes that only the posts know, or ISO 3166-2 no longer or not yet where the library stands.
var posts = map[string][]string{
	"IN": {"CG", "CT", "DD", "DN", "OD", "OR", "TG", "TS", "UK", "UL", "UT"},
	"US": {"AA", "AE", "AP", "FM", "MH", "PW"},
}

// Every code of ISO 3166-2 counts, and beyond those the ones in the list.
func TestStates(t *testing.T) {
	t.Parallel()
	check := validator.New()
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for _, country := range countries {
		require.True(t, fields.HasStates(country))
		code := func(text string) {
			iso := check.Var(country+"-"+text, "iso3166_2") == nil
			if iso != fields.IsState(country, text) {
				require.Contains(t, posts[country], text)
				require.True(t, fields.IsState(country, text), text)
			}
		}
		for _, a := range letters {
			code(string(a))
			for _, b := range letters {
				code(string(a) + string(b))
				for _, c := range letters {
					code(string(a) + string(b) + string(c))
				}
			}
		}
		for _, text := range posts[country] {
			require.True(t, fields.IsState(country, text), text)
		}
	}
}

func TestStateIsDropped(t *testing.T) {
	t.Parallel()
	for _, country := range []string{"", "DE", "GB", "us", "USA"} {
		require.False(t, fields.HasStates(country), country)
		require.Empty(t, fields.State(country, "CA"), country)
		require.False(t, fields.IsState(country, "CA"), country)
	}
	require.Equal(t, "XX", fields.State("US", "XX"))
	for _, state := range []string{"", "ca", "C", "CAL", " CA", "CA ", "California"} {
		require.False(t, fields.IsState("US", state), state)
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"plain": {"Important gift", true}, "empty": {"", true}, "of every script": {"čárka 日本 العربية", true},
		"mark of a direction": {"שלום\u200f!", true}, "joiner": {"👩\u200d🚀", true}, "line separator": {"a\u2028b", true},
		"line break": {"a\nb", false}, "carriage return": {"a\rb", false}, "tab": {"a\tb", false},
		"nought": {"a\x00b", false},
		"escape": {"\x1b[31m", false}, "delete": {"a\x7fb", false}, "C1": {"a\u0085b", false},
		"embedding": {"a\u202ab", false}, "pop": {"a\u202cb", false}, "override to the left": {"a\u202eb", false},
		"override to the right": {"a\u202db", false}, "isolate": {"a\u2067b", false}, "end of isolate": {"a\u2069b", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.ok, fields.IsPrintable(c.text))
			require.Equal(t, c.ok, fields.Printable(c.text) == "")
		})
	}
}
