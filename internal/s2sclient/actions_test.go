package s2sclient

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every action with a formula has documented answers, and the other way round; no row hides another.
func TestTables(t *testing.T) {
	t.Parallel()
	signed := map[string]bool{}
	for _, row := range signings {
		require.NotEqual(t, Formula(""), row.formula)
		for action := range strings.FieldsSeq(row.actions) {
			key := string(row.protocol) + " " + action
			require.False(t, signed[key], key)
			signed[key] = true
		}
	}
	answered := rows(t, answers)
	rows(t, callbacks)
	for key := range signed {
		if key != "APM GET_TRANS_DETAILS" { // no action of S2S APM; only its formula is guessed
			require.Contains(t, answered, key)
		}
	}
	for key := range answered {
		require.Contains(t, signed, key)
	}
}

func rows(t *testing.T, shapes []shape) map[string]bool {
	t.Helper()
	seen, actions := map[string]bool{}, map[string]bool{}
	for _, s := range shapes {
		protocols := []Protocol{CARD, APM}
		if s.protocol != "" {
			protocols = []Protocol{s.protocol}
		}
		for _, protocol := range protocols {
			for action := range strings.FieldsSeq(s.actions) {
				actions[fmt.Sprint(protocol, " ", action)] = true
				for result := range strings.FieldsSeq(s.result) {
					key := fmt.Sprint(protocol, " ", action, " ", result)
					require.False(t, seen[key], key)
					seen[key] = true
				}
			}
		}
		for status := range strings.FieldsSeq(s.statuses) {
			require.True(t, has(anyState, status), status)
		}
	}
	return actions
}

func TestRequestFormula(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		protocol Protocol
		fields   Fields
		of       string
		want     Formula
	}{
		{"card", CARD, Sale("o", "1.00", "USD", TestCard("01", "2038")), "", Formula1},
		{"token", CARD, SaleByToken("o", "1.00", "USD", "t"), "", Formula1},
		{"wallet", CARD, SaleByWallet("o", "1.00", "USD", "googlepay", "t"), "", Formula8},
		{"card before wallet", CARD, Sale("o", "1.00", "USD", TestCard("01", "2038")).With("payment_token", "t"), "", Formula1},
		{"status", CARD, FollowUp("GET_TRANS_STATUS", "t"), "SALE", Formula2},
		{"status of a payout", CARD, FollowUp("GET_TRANS_STATUS", "t"), "CREDIT2CARD", Formula6},
		{"details of a payout", CARD, FollowUp("GET_TRANS_DETAILS", "t"), "CREDIT2CARD", Formula6},
		{"by order, of a payout", CARD, StatusByOrder("o"), "CREDIT2CARD", Formula7},
		{"stop by payment", CARD, FollowUp("STOP_SCHEDULE", "t"), "SALE", Formula2},
		{"stop by schedule", CARD, Schedule("STOP_SCHEDULE", "s"), "", Formula4},
		{"APM sale", APM, SaleAPM("o", "1.00", "USD", "vcard", mail), "", APMSale},
		{"APM status", APM, FollowUp("GET_TRANS_STATUS", "t"), "SALE", TransID},
		{"unknown", CARD, Fields{"action": "CANCEL_SCHEDULE"}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, RequestFormula(c.protocol, c.fields, c.of))
		})
	}
}

func TestCallbackFormula(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		protocol Protocol
		action   string
		byEmail  bool
		want     Formula
	}{
		{CARD, "VOID", false, Formula2}, {CARD, "CREDIT2CARD", false, Formula6}, {APM, "SALE", false, WholeBody},
		{APM, "SALE", true, CryptoSaleBack}, {APM, "CREDITVOID", true, WholeBody},
		{APM, "CREDIT2CRYPTO", false, PayoutBack}, {APM, "DEBIT2VIRTUAL", false, WholeBody},
	} {
		require.Equal(t, c.want, CallbackFormula(c.protocol, c.action, c.byEmail), c)
	}
}

// Each builder names an action with a known formula.
func TestBuilders(t *testing.T) {
	t.Parallel()
	pan := TestCard("01", "2038")
	for _, f := range []Fields{
		Sale("o", "1.00", "USD", pan), Auth("o", "1.00", "USD", pan), Debit("o", "1.00", "USD", pan),
		Card2Card("o", "1.00", "USD", pan, payee), Credit2Card("o", "1.00", "USD", payee),
		RecurringSale("o", "1.00", "t", "r"), RecurringDebit("o", "1.00", "t", "r"),
		Credit2Virtual("o", "1.00", "GHS", "b"), Credit2Crypto("o", "1.00", "BTC", "b"),
		Debit2Virtual("o", "1.00", "USD", "b", mail), Debit2VirtualCalc("o", "1.00", "USD", "b", mail),
		CreateSchedule("n", "1", "month", "3"), Deschedule("r", "s"), StatusByOrder("o"),
	} {
		require.NotEmpty(t, RequestFormula(protocolOf(f, "/post"), f, ""), f["action"])
		require.False(t, slices.Contains(values(f), ""), "%s sends an empty field", f["action"])
	}
}

func values(f Fields) (out []string) {
	for _, value := range f {
		out = append(out, value)
	}
	return out
}
