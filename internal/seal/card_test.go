package seal

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// A card is sealed in the form in which encoding/json writes it, whatever the name of its holder is.
func TestCardIsWrittenAsJSON(t *testing.T) {
	t.Parallel()
	for _, holder := range []string{"", "John Doe", `"J" \ Doe`, "<b>&", "Zoë", "a\u2028b", "tab\t", "\x7f", "\xff"} {
		for _, expiry := range []store.Expiry{{}, {Year: 2038, Month: 1}} {
			for _, payee := range []string{"", "4111111111111111"} {
				card := sealedCard{Number: "4000000000000002", Expiry: expiry, Holder: holder, Payee: payee}
				want, err := json.Marshal(card)
				require.NoError(t, err)
				got, err := card.encode()
				require.NoError(t, err)
				require.Equal(t, string(want), string(got))
			}
		}
	}
}
