package strictjson_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/strictjson"
)

// An optional object or list is absent when it is empty, whatever its shape (decision ap).
func TestEmptyContainers(t *testing.T) {
	t.Parallel()
	for _, field := range []string{
		"methods", "card_token", "items", "customer", "billing_address", "parameters", "custom_data",
	} {
		for _, empty := range []string{`""`, `[]`, `{}`, ` [ ] `, `{ }`, `null`} {
			s, faults := sessions.Decode([]byte(`{"` + field + `":` + empty + `,"hash":"x"}`))
			require.NoError(t, faults.Err(), "%s %s", field, empty)
			require.Equal(t, "x", s.Hash)
			require.Empty(t, s.Methods)
			require.Empty(t, s.CardToken)
			require.Empty(t, s.Items)
			require.Zero(t, s.Parameters.Len())
			require.Zero(t, s.CustomData.Len())
			if s.Customer != nil {
				require.Zero(t, *s.Customer)
			}
			if s.Billing != nil {
				require.Zero(t, *s.Billing)
			}
		}
		for _, full := range []string{`"x"`, `" "`, `[0]`, `[[]]`, `[""]`, `[{}]`, `0`, `true`, `false`} {
			if field == "card_token" && full == `[""]` || field == "methods" && full == `[""]` || field == "items" &&
				full == `[{}]` {
				continue // that is one entry
			}
			_, faults := sessions.Decode([]byte(`{"` + field + `":` + full + `}`))
			require.NotNil(t, faults, "%s %s", field, full)
		}
	}
}

// An update tells an empty free-form object, which clears, from none.
func TestEmptyFreeForm(t *testing.T) {
	t.Parallel()
	for empty, kind := range map[string]strictjson.Kind{
		`""`: strictjson.KindAbsent, `null`: strictjson.KindAbsent, `[]`: strictjson.KindObject, `{}`: strictjson.KindObject,
	} {
		s, faults := sessions.Decode([]byte(`{"parameters":` + empty + `}`))
		require.NoError(t, faults.Err())
		require.Equal(t, kind, s.Parameters.Kind(), empty)
	}
}
