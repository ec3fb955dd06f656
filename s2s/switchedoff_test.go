package s2s_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// A protocol that is switched off refuses every action, follow-ups and lookups too, except for schedules, which
// need no protocol (decision bq).
func TestProtocolSwitchedOff(t *testing.T) {
	t.Parallel()
	for _, off := range []store.Protocol{store.S2SCard, store.S2SAPM, store.Checkout} {
		t.Run(string(off), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			first := s.ok(t, "/post", sale("O-1").with("recurring_init", "Y"), "SUCCESS", "SETTLED")
			hold := s.ok(t, "/post", sale("O-2").with("auth", "Y"), "SUCCESS", "PENDING").get("trans_id")
			virtual := s.ok(t, "/post", apm("O-3"), "SUCCESS", "SETTLED").get("trans_id")
			id := first.get("trans_id")
			made := s.send(t, "/post", plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day",
				"payments_count", "3"))
			schedule := made.get("schedule_id")
			byOrder := signed(follow("GET_TRANS_STATUS_BY_ORDER", "").with("order_id", "O-1"), signature.Card7,
				signature.Inputs{Email: email, OrderID: "O-1", Card: pan})
			requests := map[store.Protocol][]fields{
				store.S2SCard: {
					sale("O-4"), follow("GET_TRANS_STATUS", id), follow("GET_TRANS_DETAILS", id), byOrder, follow("STOP_SCHEDULE", id),
					signed(follow("RETRY", id), signature.Card1, signature.Inputs{Email: email, Card: pan}),
					recurring("RECURRING_SALE", "O-5", first),
					follow("CAPTURE", hold), follow("CREDITVOID", hold), follow("VOID", id),
				},
				store.S2SAPM: {apm("O-6"), followAPM("GET_TRANS_STATUS", virtual), followAPM("CAPTURE", virtual), followAPM("CREDITVOID", virtual), followAPM("VOID", virtual)},
			}
			s.mapping(t, store.Mapping{Protocol: off, Disabled: true})
			for protocol, list := range requests {
				for _, f := range list {
					got := s.send(t, "/post", f)
					code, _ := got.body["error_code"].(float64)
					require.Equal(t, protocol == off, code == 204002, "%s %s: %s", protocol, f["action"], got.text)
				}
			}
			for _, f := range []fields{
				plan("UPDATE_SCHEDULE", "schedule_id", schedule, "name", "m"), plan("PAUSE_SCHEDULE", "schedule_id", schedule),
				plan("SCHEDULE_INFO", "schedule_id", schedule), plan("RUN_SCHEDULE", "schedule_id", schedule),
				plan("DESCHEDULE", "schedule_id", schedule, "recurring_token", first.get("recurring_token")),
				plan("DELETE_SCHEDULE", "schedule_id", schedule),
				plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day", "payments_count", "3"),
			} {
				if got := s.send(t, "/post", f); f["action"] == "DESCHEDULE" && off != store.S2SCard {
					require.Contains(t, []int{200, 400}, got.status) // a void has ended the chain
				} else {
					require.Equal(t, 200, got.status, "%s: %s", f["action"], got.text)
				}
			}
		})
	}
}

// A merchant that is switched off is refused every action, lookups and those on schedules too.
func TestMerchantSwitchedOff(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.ok(t, "/post", sale("O-1").with("recurring_init", "Y"), "SUCCESS", "SETTLED")
	virtual := s.ok(t, "/post", apm("O-2"), "SUCCESS", "SETTLED").get("trans_id")
	create := plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day", "payments_count", "3")
	id, schedule := first.get("trans_id"), s.send(t, "/post", create).get("schedule_id")
	require.NoError(t, s.SaveMerchant(t.Context(), store.Merchant{ID: gatewaytest.MerchantID,
		Key: gatewaytest.MerchantKey, Password: store.NewSecret(gatewaytest.Password), Disabled: true}))
	for _, f := range []fields{
		sale("O-3"), apm("O-4"), recurring("RECURRING_SALE", "O-5", first),
		follow("GET_TRANS_STATUS", id), follow("GET_TRANS_DETAILS", id), follow("VOID", id), follow("CREDITVOID", id),
		followAPM("GET_TRANS_STATUS", virtual), followAPM("VOID", virtual), create,
		plan("UPDATE_SCHEDULE", "schedule_id", schedule, "name", "m"), plan("PAUSE_SCHEDULE", "schedule_id", schedule),
		plan("SCHEDULE_INFO", "schedule_id", schedule), plan("RUN_SCHEDULE", "schedule_id", schedule),
		plan("DESCHEDULE", "schedule_id", schedule, "recurring_token", first.get("recurring_token")),
		plan("DELETE_SCHEDULE", "schedule_id", schedule),
	} {
		got := s.send(t, "/post", f)
		require.Equal(t, float64(204002), got.body["error_code"], "%s: %s", f["action"], got.text)
	}
}

// A mapping that cannot be read is an internal error for every action of its protocol, schedules included, because
// it says how they are signed. The other protocol still works.
func TestMappingUnreadable(t *testing.T) {
	t.Parallel()
	for _, lost := range []store.Protocol{store.S2SCard, store.S2SAPM, store.Checkout} {
		t.Run(string(lost), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			id := s.ok(t, "/post", sale("O-1"), "SUCCESS", "SETTLED").get("trans_id")
			virtual := s.ok(t, "/post", apm("O-3"), "SUCCESS", "SETTLED").get("trans_id")
			s.mapping(t, store.Mapping{Protocol: lost})
			require.NoError(t, s.Store.Update(t.Context(), func(tx store.Tx) error {
				return tx.Put(store.Key("mp", gatewaytest.MerchantID, string(lost)), []byte("{"))
			}))
			for protocol, list := range map[store.Protocol][]fields{
				store.S2SCard: {
					sale("O-4"), follow("GET_TRANS_STATUS", id), follow("VOID", id),
					plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day", "payments_count", "3"),
				},
				store.S2SAPM: {apm("O-6"), followAPM("GET_TRANS_STATUS", virtual), followAPM("VOID", virtual)},
			} {
				for _, f := range list {
					got := s.send(t, "/post", f)
					require.Equal(t, protocol == lost, got.status == 500, "%s %s: %s", protocol, f["action"], got.text)
				}
			}
		})
	}
}
