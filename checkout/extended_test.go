package checkout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// talker is vcard that tells a fact of its own.
type talker struct{ *vcard.Connector }

func (c talker) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	a := c.Connector.Perform(ctx, op)
	a.Extras = []store.Extra{{Name: "network", Value: "T&C"}}
	return a
}

// extended_data: the connector's own facts are an object in the status, with the extended block (decision av).
func TestSPEC1ExtendedData(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *gateway.Config) { c.Connectors["vcard"] = talker{c.Connectors["vcard"].(*vcard.Connector)} })
	s.settled(t)
	require.NotContains(t, ok[map[string]any](t, s, pathStatus, byOrder("ORD-1")), "extended_data")
	s.mapping(t, func(m *store.Mapping) { m.Add.Extended = true })
	require.Equal(t, map[string]any{"network": "T&C"}, ok[map[string]any](t, s, pathStatus, byOrder("ORD-1"))["extended_data"])
}
