package signature

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A hash with one digit changed verifies nothing, whichever of its digits it is.
func TestEveryDigitCounts(t *testing.T) {
	t.Parallel()
	for _, c := range golden {
		require.True(t, Verify(c.formula, c.mode, c.in, c.password, c.want), c.name)
		for i := range len(c.want) {
			for _, digit := range []byte("0f9") {
				changed := []byte(c.want)
				if changed[i] == digit {
					continue
				}
				changed[i] = digit
				require.False(t, Verify(c.formula, c.mode, c.in, c.password, string(changed)), "%s, character %d", c.name, i)
			}
		}
	}
}
