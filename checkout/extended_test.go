package checkout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/doortest"
	"github.com/tollgatepay/gateway/store"
)

// extended_data: a status answer has the connector's own facts as an object, if extended data is on (decision av).
func TestSPEC1ExtendedData(t *testing.T) {
	t.Parallel()
	s := open(t, doortest.Tells("network", "T&C"))
	s.settled(t)
	require.NotContains(t, ok[map[string]any](t, s, pathStatus, byOrder("ORD-1")), "extended_data")
	s.mapping(t, func(m *store.Mapping) { m.Add.Extended = true })
	require.Equal(t, map[string]any{"network": "T&C"},
		ok[map[string]any](t, s, pathStatus, byOrder("ORD-1"))["extended_data"])
}
