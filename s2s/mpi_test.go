package s2s_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// mpi_data at its bounds is stored as it was sent, and pays whatever trans_status says (SPEC2, mpi_data; decision
// t).
func TestMPIAccepted(t *testing.T) {
	t.Parallel()
	s := open(t)
	for i, c := range []struct {
		name string
		with []string
		want store.ThreeDSFacts
	}{
		{"shortest", nil, store.ThreeDSFacts{}},
		{"longest", []string{"mpi_data[authentication_value]", long(64), "mpi_data[xid]", long(64)}, store.ThreeDSFacts{XID: long(64)}},
		{"UUID in capitals", []string{"mpi_data[ds_trans_id]", "9D0F5CC4-F07B-11EC-ABF4-0242AC120006"},
			store.ThreeDSFacts{DSTransID: "9D0F5CC4-F07B-11EC-ABF4-0242AC120006"}},
		{"version of many digits", []string{"mpi_data[3ds_version]", "2.10.12"}, store.ThreeDSFacts{ProtocolVersion: "2.10.12"}},
		{"N", []string{"mpi_data[trans_status]", "N"}, store.ThreeDSFacts{TransStatus: "N"}},
		{"U", []string{"mpi_data[trans_status]", "U"}, store.ThreeDSFacts{TransStatus: "U"}},
		{"R", []string{"mpi_data[trans_status]", "R"}, store.ThreeDSFacts{TransStatus: "R"}},
		{"a letter that the schemes do not know", []string{"mpi_data[trans_status]", "Q"}, store.ThreeDSFacts{TransStatus: "Q"}},
		{"eci of letters", []string{"mpi_data[eci]", "xY"}, store.ThreeDSFacts{ECI: "xY"}},
		{"more than is known", []string{"mpi_data[other]", "1"}, store.ThreeDSFacts{}},
	} {
		order := "O-" + string(rune('a'+i))
		f := sale(order).expires("05", "2038").with("mpi_data[eci]", "05", "mpi_data[authentication_value]", long(28),
			"mpi_data[ds_trans_id]", "9d0f5cc4-f07b-11ec-abf4-0242ac120006", "mpi_data[3ds_version]", "2.2.0").with(c.with...)
		a := s.ok(t, "/post", f, "SUCCESS", "SETTLED")
		list, err := s.Operator().Transactions(t.Context(), a.get("trans_id"))
		require.NoError(t, err)
		want := store.ThreeDSFacts{DSTransID: "9d0f5cc4-f07b-11ec-abf4-0242ac120006", ECI: "05", ProtocolVersion: "2.2.0"}
		for _, field := range []struct{ into, from *string }{
			{&want.DSTransID, &c.want.DSTransID}, {&want.ECI, &c.want.ECI}, {&want.ProtocolVersion, &c.want.ProtocolVersion},
			{&want.XID, &c.want.XID}, {&want.TransStatus, &c.want.TransStatus},
		} {
			if *field.from != "" {
				*field.into = *field.from
			}
		}
		require.Equal(t, want, list[0].Facts.ThreeDS, c.name)
	}
}
