package places

import (
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/internal/fields"
)

// Every language names every country of ISO 3166-1, each once.
func TestCountries(t *testing.T) {
	t.Parallel()
	check := validator.New()
	for _, text := range texts.All() {
		list := Countries(text.Lang)
		require.Len(t, list, 249, text.Lang)
		codes, names := map[string]bool{}, map[string]bool{}
		for _, o := range list {
			require.NoError(t, check.Var(o.Code, "iso3166_1_alpha2"), "%s: %s", text.Lang, o.Code)
			require.NotEmpty(t, o.Name)
			codes[o.Code], names[o.Name] = true, true
		}
		require.Len(t, codes, 249)
		require.Len(t, names, 249, text.Lang)
	}
}

func TestStatesAreKnown(t *testing.T) {
	t.Parallel()
	require.Len(t, WithStates(), 5)
	for country, least := range map[string]int{"US": 62, "CA": 13, "AU": 8, "JP": 47, "IN": 36} {
		require.Contains(t, WithStates(), country)
		require.GreaterOrEqual(t, len(States(country)), least, country)
		seen := map[string]bool{}
		for _, state := range States(country) {
			require.True(t, fields.IsState(country, state.Code), state.Name)
			require.False(t, seen[state.Code] || seen[state.Name], state.Name)
			seen[state.Code], seen[state.Name] = true, true
		}
	}
}
