package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// stateDoors are the endpoints with a state, and the fields of country and state.
var stateDoors = []struct{ at, country, state string }{
	{"session", "billing_address.country", "billing_address.state"},
	{"HPF token", "billing_address.country", "billing_address.state"},
	{"HPF payment", "billing_address.country", "billing_address.state"},
	{"HPF debit", "billing_address.country", "billing_address.state"},
	{"SALE", "payer_country", "payer_state"},
	{"SALE on v2", "payer_country", "payer_state"},
	{"AUTH", "payer_country", "payer_state"},
	{"DEBIT", "payer_country", "payer_state"},
	{"CREDIT2CARD", "payer_country", "payer_state"},
	{"CREDIT2CARD", "payee_country", "payee_state"},
	{"CARD2CARD", "payer_country", "payer_state"},
	{"CARD2CARD", "payee_country", "payee_state"},
	{"APM SALE", "payer_country", "payer_state"},
	{"CREDIT2VIRTUAL", "payer_country", "payer_state"},
	{"CREDIT2VIRTUAL", "payee_country", "payee_state"},
	{"CREDIT2CRYPTO", "payee_country", "payee_state"},
	{"DEBIT2VIRTUAL", "payer_country", "payer_state"},
	{"DEBIT2VIRTUAL_CALC", "payer_country", "payer_state"},
}

// states are valid and invalid codes (decision bj). In a country without states any text is accepted and dropped.
var states = []struct {
	country, state string
	ok             bool
}{
	{"US", "CA", true}, {"US", "PR", true}, {"US", "UM", true}, {"US", "AE", true}, {"US", "FM", true}, {"US", "ZZ", false}, {"US", "ca", false}, {"US", "C", false},
	{"US", "California", false}, {"CA", "QC", true}, {"CA", "CA", false}, {"AU", "NSW", true}, {"AU", "SA", true}, {"AU", "NS", false}, {"JP", "13", true}, {"JP", "48", false},
	{"JP", "1", false}, {"JP", "Tokyo", false}, {"IN", "OR", true}, {"IN", "OD", true}, {"IN", "TS", true}, {"IN", "DD", true}, {"IN", "XX", false},
	{"DE", "B", true}, {"DE", "a state of more than thirty-two characters", true}, {"GB", "ZZ", true},
}

func TestStatesAtEveryDoor(t *testing.T) {
	t.Parallel()
	for _, door := range stateDoors {
		t.Run(door.at+" "+door.state, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for _, c := range states {
				q := w.fresh(door.at, door.country, c.country, door.state, c.state)
				if c.ok {
					require.NoError(t, w.takes(q), "%s %s", c.country, c.state)
				} else {
					require.NoError(t, w.refuses(q, door.state+stateText), "%s %s", c.country, c.state)
				}
			}
			if door.country[:5] == "payee" || door.at == "session" || door.at == "HPF token" {
				return
			}
			for _, c := range []struct{ country, kept string }{{"US", "AK"}, {"DE", ""}} {
				require.NoError(t, w.takes(w.fresh(door.at, door.country, c.country, door.state, "AK")))
				require.Equal(t, c.kept, w.Payment(t, w.newest()).Payer.Address.State)
			}
		})
	}
}
