package methods

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every currency with an exponent has a numeric code, and no two have the same.
func TestNumericCodes(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, word := range strings.Fields(numericCodes) {
		require.Regexp(t, regexp.MustCompile(`^[A-Z]{3}[0-9]{3}$`), word)
		code, number := word[:3], word[3:]
		_, ok := isoExponent(code)
		require.True(t, ok, code)
		require.Empty(t, seen[number], word)
		seen[number] = code
		require.Equal(t, number, NumericCode(code))
	}
	known := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			for c := 'A'; c <= 'Z'; c++ {
				code := string([]rune{a, b, c})
				if _, ok := isoExponent(code); ok {
					known++
					require.Len(t, NumericCode(code), 3, code)
				} else {
					require.Empty(t, NumericCode(code), code)
				}
			}
		}
	}
	require.Len(t, seen, known)
	require.Equal(t, "840", NumericCode("USD"))
	require.Empty(t, NumericCode("usd"))
	require.Empty(t, NumericCode(""))
}
