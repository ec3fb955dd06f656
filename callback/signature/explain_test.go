package signature

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The notation of every formula stands in its comment, and the last step of an explanation is the hash.
func TestExplain(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("formula.go")
	require.NoError(t, err)
	comments := strings.Join(strings.Fields(strings.ReplaceAll(string(source), "//", "")), " ")
	for f := Formula(1); int(f) < len(rows); f++ {
		if f != APMCallback { // of all values, however many
			require.Contains(t, comments, f.Notation(), f)
		}
	}
	for _, c := range golden {
		steps := Explain(c.formula, c.mode, c.in, c.password)
		require.Equal(t, Sign(c.formula, c.mode, c.in, c.password), steps[len(steps)-1].Value, c.name)
	}
	require.Empty(t, Formula(0).Notation())
	require.Nil(t, Explain(0, MD5, Inputs{}, "p"))
}
