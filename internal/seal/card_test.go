package seal_test

import (
	"crypto/rand"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// written is a sealed card, as encoding/json writes it.
type written struct {
	Number string       `json:"n"`
	Expiry store.Expiry `json:"e"`
	Holder string       `json:"h,omitempty"`
	Payee  string       `json:"p,omitempty"`
}

// A card is sealed in the form in which encoding/json writes it, whatever the name of its holder is.
func TestCardIsWrittenAsJSON(t *testing.T) {
	t.Parallel()
	sealer := &seal.Sealer{Keys: gatewaytest.NewKeys(), Random: rand.Reader, Now: time.Now}
	for _, holder := range []string{"", "John Doe", `"J" \ Doe`, "<b>&", "Zoë", "a\u2028b", "tab\t", "\x7f", "\xff"} {
		for _, expiry := range []store.Expiry{{}, {Year: 2038, Month: 1}} {
			for _, payee := range []string{"", "4111111111111111"} {
				card := written{Number: "4000000000000002", Expiry: expiry, Holder: holder, Payee: payee}
				want, err := json.Marshal(card)
				require.NoError(t, err)
				require.Equal(t, string(want), string(sealed(t, sealer, card)))
			}
		}
	}
}

// sealed seals a card and returns what was sealed.
func sealed(t *testing.T, sealer *seal.Sealer, card written) []byte {
	t.Helper()
	number, err := store.ParsePAN(card.Number)
	require.NoError(t, err)
	var payee *methods.Card
	if card.Payee != "" {
		to, err := store.ParsePAN(card.Payee)
		require.NoError(t, err)
		payee = &methods.Card{PAN: to}
	}
	from := &methods.Card{PAN: number, Expiry: card.Expiry, Holder: card.Holder}
	kept, err := sealer.Card(t.Context(), "m", "r", from, payee)
	require.NoError(t, err)
	plain, err := sealer.OpenBytes(t.Context(), vault.Card, "m", "r", kept)
	require.NoError(t, err)
	return plain
}
