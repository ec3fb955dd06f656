package fields_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/go-playground/validator/v10"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/fields"
)

// TestEmailAsTheLibrary: the rule for addresses takes what the library takes, among all texts without a quote and of
// ASCII alone.
func TestEmailAsTheLibrary(t *testing.T) {
	t.Parallel()
	library := validator.New(validator.WithRequiredStructEnabled())
	r := rand.New(rand.NewPCG(1, 2))
	taken, refused := 0, 0
	for range 60_000 {
		address := address(r)
		plain := !strings.ContainsFunc(address, func(c rune) bool { return c > unicode.MaxASCII || c == '"' })
		want := plain && library.Var(address, "email") == nil
		require.Equal(t, want, fields.Email.Check(address) == "", "%q", address)
		if want {
			taken++
		} else {
			refused++
		}
	}
	require.Greater(t, taken, 1000)
	require.Greater(t, refused, 1000)
}

// address returns a text that is nearly an address: pieces of which each may be wrong at its place.
func address(r *rand.Rand) string {
	pieces := []string{"a", "Z", "7", "a7", "b-c", ".", "..", ".", "com", "a.b", "-", "~", "_", "+", "@", " ", "\"", "(x)",
		"[1.1.1.1]", "<", ">", ",", ";", ":", "\\", "\t", "\n", "\x7f", "é", "ü.de", "xn--a", "!#$%&'*/=?^`{|}", "\xff"}
	text := func(most int) string {
		var b strings.Builder
		for range r.IntN(most) {
			last := 12
			if r.IntN(10) == 0 {
				last = len(pieces)
			}
			b.WriteString(pieces[r.IntN(last)])
		}
		return b.String()
	}
	if r.IntN(20) == 0 {
		return text(8)
	}
	return text(5) + "@" + text(6)
}
