package s2s_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/doortest"
	"github.com/tollgatepay/gateway/store"
)

// The connector's own facts are an object in the status of APM; CARD has extended data in callbacks only
// (s2s_apm.md, GET_TRANS_STATUS; decision av).
func TestExtendedDataOfAStatus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		protocol store.Protocol
		pay, ask func(id string) fields
		want     any
	}{
		{"card", store.S2SCard, func(string) fields { return sale("O-1") }, func(id string) fields { return follow("GET_TRANS_STATUS", id) }, nil},
		{"apm", store.S2SAPM, func(string) fields { return signAPM(apm("O-1")) }, func(id string) fields { return followAPM("GET_TRANS_STATUS", id) }, map[string]any{"network": "T&C"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t, doortest.Tells("network", "T&C"))
			s.mapping(t, store.Mapping{Protocol: c.protocol, Add: store.Additions{Extended: true}})
			id := s.send(t, "/post", c.pay("")).get("trans_id")
			require.NotEmpty(t, id)
			require.Equal(t, c.want, s.send(t, "/post", c.ask(id)).body["extended_data"])
		})
	}
}
