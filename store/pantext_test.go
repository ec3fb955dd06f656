package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func TestHoldsPAN(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"alone":            {"4111111111111111", true},
		"in a text":        {"card 4111111111111111, thanks", true},
		"with spaces":      {"4111 1111 1111 1111", true},
		"with dashes":      {"no. 4111-1111-1111-1111.", true},
		"after a plus":     {"+4111 1111 1111 1111", true},
		"wrong digit":      {"4111 1111 1111 1112", false},
		"nobody's network": {"9999 9999 9999 9995", false},
		"a telephone":      {"+49 30 1234 5678", false},
		"too short":        {"41111111111", false},
		"two blanks":       {"4111  1111  1111  1111", false},
		"none":             {"Important gift", false},
		"empty":            {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, store.HoldsPAN(c.text))
		})
	}
}

func TestHideDigits(t *testing.T) {
	t.Parallel()
	require.Equal(t, "card ****** is stolen", store.HideDigits("card 4111 1111-11111112 is stolen"))
	require.Equal(t, "code 05, ref 12345678901", store.HideDigits("code 05, ref 12345678901"))
}
