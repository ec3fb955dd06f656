package form

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// What is shown again never has a card number, in any notation.
func TestShownAgainHoldsNoCard(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"4111111111111111", "4111 1111 1111 1111", "+4111 1111 1111 1111",
		"my card is 4111-1111-1111-1111",
		"٤١١١١١١١١١١١١١١١", "4111\u200b1111\u200b1111\u200b1111", "4111–1111–1111–1111"} {
		require.True(t, store.HoldsPAN(text), text)
		require.Empty(t, Keep(text), text)
		require.Empty(t, Question{}.Keep(text), text)
	}
	for _, text := range []string{"", "12 Main Street", "+1 (234) 567-8901", "4111 1111 1111 1112"} {
		require.False(t, store.HoldsPAN(text), text)
		require.Equal(t, text, Keep(text))
	}
}
