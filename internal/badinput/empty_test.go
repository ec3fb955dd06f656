package badinput_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// optionals are the optional objects and lists of every endpoint.
var optionals = []struct{ at, fields string }{
	{"session", "methods card_token customer billing_address parameters parameters.card parameters.card.shipping parameters.card.cart parameters.card.cart.items " +
		"custom_data crypto payee payee_billing_address"},
	{"HPF token", "methods card_token customer billing_address parameters parameters.card parameters.card.cart.items custom_data crypto payee payee_billing_address"},
	{"HPF update", "parameters parameters.card custom_data"},
	{"HPF payment", "billing_address browser_info"},
	{"HPF debit", "billing_address browser_info"},
	{"recurring", "customer custom_data"},
	{"card credit", "custom_data"},
	{"SALE", "parameters custom_data mpi_data parameters[shipping] parameters[cart] parameters[cart][items]"},
	{"AUTH", "parameters custom_data"},
	{"DEBIT", "parameters custom_data"},
	{"CREDIT2CARD", "parameters custom_data"},
	{"CARD2CARD", "parameters custom_data"},
	{"RECURRING_SALE", "custom_data"},
	{"APM SALE", "parameters custom_data"},
	{"CREDIT2VIRTUAL", "parameters custom_data"},
	{"DEBIT2VIRTUAL", "parameters custom_data"},
	{"DEBIT2VIRTUAL_CALC", "parameters custom_data"},
}

// An empty optional object or list, in any spelling, means the same as a missing one (decision ap).
func TestEmptyAtEveryDoor(t *testing.T) {
	t.Parallel()
	for _, door := range optionals {
		t.Run(door.at, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for field := range strings.FieldsSeq(door.fields) {
				for _, empty := range []string{`""`, `[]`, `{}`} {
					value := any(verbatim(empty))
					if w.at[door.at].form {
						value = strings.Trim(empty, `"`)
					}
					require.NoError(t, w.takes(w.fresh(door.at, field, value)), "%s %s", field, empty)
					full := any(verbatim("5"))
					if w.at[door.at].form {
						full = "5"
					}
					require.NoError(t, w.rejects(w.fresh(door.at, field, full)), "%s", field)
				}
			}
		})
	}
}

// An empty object in an update clears the value, and so does the list that PHP writes for it; an empty text counts
// as absent.
func TestEmptyClears(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, field := range []string{"custom_data", "parameters"} {
		for _, c := range []struct {
			empty  string
			clears bool
		}{{`{}`, true}, {`[]`, true}, {`""`, false}} {
			q := w.fresh("HPF update", field, verbatim(`{"card":{"descriptor":"kept"}}`))
			require.NoError(t, w.takes(q))
			again := w.at["HPF update"].request(w)
			again.header = q.header
			again.body.set(field, verbatim(c.empty), true)
			require.NoError(t, w.takes(again))
			before := w.records()
			if field == "custom_data" { // parameters are sealed
				require.Equal(t, !c.clears, anyHolds(before, `"descriptor":"kept"`), "%s %s", field, c.empty)
			}
			w = newWorld(t)
		}
	}
}

func anyHolds(records map[string]string, text string) bool {
	for _, value := range records {
		if strings.Contains(value, text) {
			return true
		}
	}
	return false
}
