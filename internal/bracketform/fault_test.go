package bracketform_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

func TestBadInputs(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, body, want string }{
		{"too many", string(many(10_001, func(i int) string { return fmt.Sprintf("a%d=", i) })), "body: too many parameters"},
		{"a million and one", string(many(1_000_001, func(int) string { return "a=b" })), "body: too many parameters"},
		{"too long", "a=" + strings.Repeat("x", 1<<20), "body: must be at most 1048576 bytes"},

		{"depth 7", "parameters[1][2][3][4][5][6][7]=x", "parameters: nested too deeply"},
		{"depth 1000", "parameters" + strings.Repeat("[a]", 1000) + "=x", "parameters: nested too deeply"},
		{"depth 1000, then broken", "p" + strings.Repeat("[a]", 1000) + "[=x", "p" + strings.Repeat("[a]", 21) + "…: malformed parameter name"},

		{"endless index", "parameters[cart][items][" + strings.Repeat("9", 999) + "]=x", "parameters[cart][items]: index must be a whole number, 0..999999999"},
		{"negative index", "parameters[cart][items][-1]=x", "parameters[cart][items]: index must be a whole number, 0..999999999"},
		{"leading zero", "parameters[cart][items][01]=x", "parameters[cart][items]: index must be a whole number, 0..999999999"},
		{"two zeros", "p[00]=x", "p: index must be a whole number, 0..999999999"},
		{"exponent", "parameters[cart][items][1e3]=x", "parameters[cart][items]: index must be a whole number, 0..999999999"},
		{"signed exponent", "p[0]=x&p[1E%2B0]=x", "p: index must be a whole number, 0..999999999"},
		{"index of ten digits", "p[1000000000]=x", "p: index must be a whole number, 0..999999999"},
		{"appended behind the last", "p[999999999]=x&p[]=y", "p: index must be a whole number, 0..999999999"},
		{"appended to an object", "p[a]=x&p[]=y", "p: must be a list or an object, not both"},
		{"appended to a value", "p=x&p[]=y", "p: must be one value or an object, not both"},
		{"appended, then the same", "p[]=x&p[0]=y", "p[0]: repeated field"},
		{"list in a list", "p[0][0]=x&p[0][02]=x", "p[0]: index must be a whole number, 0..999999999"},
		{"nothing before empty brackets", "[]=x", "[]: malformed parameter name"},
		{"fraction", "p[0.5]=x", "p: index must be a whole number, 0..999999999"},
		{"plus", "p[%2B1]=x", "p: index must be a whole number, 0..999999999"},
		{"same entry twice", "p[0]=x&p[00]=x", "p: index must be a whole number, 0..999999999"},
		{"list and object", "p[0]=x&p[a]=x", "p: must be a list or an object, not both"},
		{"bad list and object", "p[01]=x&p[a]=x", "p: must be a list or an object, not both"},

		{"scalar and object", "parameters[cart]=x&parameters[cart][items][0]=y", "parameters[cart]: must be one value or an object, not both"},
		{"empty scalar and object", "p=&p[a]=y", "p: must be one value or an object, not both"},
		{"entry and object", "p[0]=x&p[0][a]=y", "p[0]: must be one value or an object, not both"},
		{"repeated action", "action=SALE&action=VOID", "action: repeated field"},
		{"repeated equally", "a=1&a=1&a=1", "a: repeated field"},
		{"repeated empty", "a&a", "a: repeated field"},
		{"repeated in escapes", "p[a]=1&%70%5ba%5D=2", "p[a]: repeated field"},
		{"repeated deep", "p[a][0][b c]=1&p[a][0][b+c]=2", "p[a][0][b…]: repeated field"},

		{"open", "parameters[=x", "parameters[: malformed parameter name"},
		{"not closed", "parameters[a=x", "parameters[a: malformed parameter name"},
		{"swapped", "parameters]x[=x", "parameters]x[: malformed parameter name"},
		{"closed only", "p]=x", "p]: malformed parameter name"},
		{"text between", "parameters[a]b[c]=x", "parameters[a]b[c]: malformed parameter name"},
		{"text behind", "p[a]b=x", "p[a]b: malformed parameter name"},
		{"nested", "p[a[b]]=x", "p[a[b]]: malformed parameter name"},
		{"twice closed", "p[a]]=x", "p[a]]: malformed parameter name"},
		{"no name before", "[a]=x", "[a]: malformed parameter name"},
		{"no name", "=x", "body: malformed parameter name"},
		{"NUL in a key", "a%5B%00%5D=x", "a[…: malformed parameter name"},
		{"NUL in a name", "action%00=SALE", "action…: malformed parameter name"},
		{"raw NUL in a name", "a\x00b=SALE", "a…: malformed parameter name"},
		{"no Unicode in a name", "a%ff=x&b\xff=x", "a…: malformed parameter name; b…: malformed parameter name"},
		{"broken escape in a name", "p[%zz]=x", "p[: malformed parameter name"},

		{"broken escape", "a=100%", "a: must be valid percent-encoding"},
		{"half an escape", "p[a]=%4", "p[a]: must be valid percent-encoding"},
		{"no digits", "a=%zz&b=%4g&c=%G4&d=% 4", "a: must be valid percent-encoding; b: must be valid percent-encoding; " +
			"c: must be valid percent-encoding; d: must be valid percent-encoding"},
		{"NUL", "action=SALE%00", "action: must not contain NUL"},
		{"raw NUL", "a=\x00", "a: must not contain NUL"},
		{"no Unicode", "p[0]=%ff", "p[0]: must be valid Unicode text"},
		{"raw bytes", "a=\xff", "a: must be valid Unicode text"},
		{"surrogate", "a=%ed%a0%80", "a: must be valid Unicode text"},
		{"overlong", "a=%c0%af", "a: must be valid Unicode text"},

		{"all are named, sorted", "z=%&b=1&b=2&a[=x&m[01]=x", "a[: malformed parameter name; b: repeated field; " +
			"m: index must be a whole number, 0..999999999; z: must be valid percent-encoding"},
		{"several on one field", "p=1&p=%&p[02]=x", "p: index must be a whole number, 0..999999999; p: must be one value or an object, not both; " +
			"p: must be valid percent-encoding; p: repeated field"},

		{"JSON sent as a form", `{"card_number":"4111111111111111","items":[1]}`, "body: malformed parameter name"},
		{"number sent as a name", "4111111111111111[=x", "411111**********[: malformed parameter name"},
		{"number as a key", "p[a4111111111111111]=1&p[a4111111111111111]=2", "p[a411111**********]: repeated field"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, faults := bracketform.Parse([]byte(test.body), bracketform.Limits{})
			require.EqualError(t, faults.Err(), test.want)
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		limits     bracketform.Limits
		want       string // "" for none
	}{
		{"10,000 fields", string(many(10_000, func(i int) string { return fmt.Sprintf("a%d=", i) })), bracketform.Limits{}, ""},
		{"empty stretches do not count", "a&&&&&&b", bracketform.Limits{MaxPairs: 2}, ""},
		{"fewer fields", "a&b&c", bracketform.Limits{MaxPairs: 2}, "body: too many parameters"},
		{"follow-up", "a=" + strings.Repeat("x", 65534), bracketform.Limits{MaxBytes: bracketform.FollowUpBytes}, ""},
		{"long follow-up", "a=" + strings.Repeat("x", 65535), bracketform.Limits{MaxBytes: bracketform.FollowUpBytes}, "body: must be at most 65536 bytes"},
		{"1,000 entries", string(many(1000, func(i int) string { return fmt.Sprintf("p[%d]=", i) })), bracketform.Limits{}, ""},
		{"10,000 entries", string(many(10_000, func(i int) string { return fmt.Sprintf("p[%d]=", i) })), bracketform.Limits{}, ""},
		{"10,000 appended", string(many(10_000, func(int) string { return "p[]=" })), bracketform.Limits{}, ""},
		{"shallow", "p[a]=x", bracketform.Limits{MaxDepth: 1}, ""},
		{"too deep", "p[a][b]=x", bracketform.Limits{MaxDepth: 1}, "p: nested too deeply"},
		{"deepest", "p" + strings.Repeat("[a]", 16) + "=%", bracketform.Limits{MaxDepth: 16}, "p" + strings.Repeat("[a]", 16) + ": must be valid percent-encoding"},
		{"deeper", "p" + strings.Repeat("[a]", 17) + "=%", bracketform.Limits{MaxDepth: 16}, "p: nested too deeply"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, faults := bracketform.Parse([]byte(test.body), test.limits)
			if test.want == "" {
				require.NoError(t, faults.Err())
			} else {
				require.EqualError(t, faults.Err(), test.want)
			}
		})
	}
	require.Panics(t, func() { _, _ = bracketform.Parse(nil, bracketform.Limits{MaxDepth: 17}) })
	require.Panics(t, func() { _, _ = bracketform.Parse(nil, bracketform.Limits{MaxPairs: -1}) })
}

// A field with a fault counts as absent as a whole; the others can still be read.
func TestFaultyFieldsAreWithheld(t *testing.T) {
	t.Parallel()
	form, faults := bracketform.Parse([]byte("a=1&p[x]=1&p[y]=%&b=1&b=2&c=3&q[a][b][c][d][e][f][g]=x&r[0]=1"),
		bracketform.Limits{})
	require.Equal(t, object{"a": "1", "c": "3", "r": list{"1"}}, trees(form))
	_, given := form.Scalar("b")
	require.False(t, given)
	require.Nil(t, form.Tree("p"))
	require.Equal(t, "a=1&c=3&r%5B0%5D=1", string(bracketform.Encode(form)))
	for path, want := range map[string]bool{
		"p": true, "p[y]": true, "p[x]": false, "b": true, "q": true, "a": false, "r": false, "": false,
	} {
		require.Equal(t, want, faults.Has(path), path)
	}
}

func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	bodies := map[string][]byte{
		"up":   many(9_000, func(i int) string { return fmt.Sprintf("a%04d=%%", i) }),
		"down": many(9_000, func(i int) string { return fmt.Sprintf("a%04d=%%", 8_999-i) }),
	}
	for name, body := range bodies {
		_, faults := bracketform.Parse(body, bracketform.Limits{})
		require.Len(t, faults, 50, name)
		require.Equal(t, "a0000: must be valid percent-encoding", faults[0].String(), name)
		require.Equal(t, "a0049", faults[49].Path, name)
	}
	_, faults := bracketform.Parse([]byte(strings.Repeat("ä", 500)+"=%"), bracketform.Limits{})
	require.Len(t, faults[0].Path, 64+len("…"))
}
