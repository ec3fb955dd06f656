package s2s_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// FuzzAction sends a signed sale with two more parameters, which may name the action, the hold or anything else,
// before or after it. Money moves only for one action in the documented spelling, and is only authorized for AUTH,
// or when auth is exactly Y. A parameter that occurs twice never moves money.
func FuzzAction(f *testing.F) {
	for _, seed := range [][5]string{
		{"SALE", "auth", "Y", "", ""}, {"SALE", "auth", "y", "", ""}, {"SALE", "auth", "true", "", ""}, {"SALE", "auth", "1", "", ""}, {"SALE", "auth", "YES", "", ""},
		{"SALE", "auth", "Y ", "", ""}, {"SALE", "auth", "Ｙ", "", ""}, {"SALE", "auth", "", "", ""}, {"SALE", "auth", "Y", "auth", "N"}, {"SALE", "auth", "N", "auth", "Y"},
		{"SALE", "auth[]", "Y", "", ""}, {"SALE", "auth[0]", "Y", "", ""}, {"SALE", "Auth", "Y", "", ""}, {"SALE", "AUTH", "Y", "auth", "N"}, {"SALE", "auth\x00", "Y", "", ""},
		{"", "action", "SALE", "action", "VOID"}, {"", "action", "SALE", "action", "SALE"}, {"SALE", "action", "SALE", "", ""}, {"SALE", "action", "VOID", "", ""},
		{"sale", "", "", "", ""}, {"SALE\x00", "", "", "", ""}, {" SALE", "", "", "", ""}, {"", "", "", "", ""}, {"", "action[]", "SALE", "", ""}, {"", "Action", "SALE", "", ""},
		{"DEBIT", "auth", "Y", "", ""}, {"AUTH", "", "", "", ""}, {"CAPTURE", "", "", "", ""}, {"S\u017fALE", "", "", "", ""}, {"SALE", "order_amount", "0.01", "", ""},
		{"SALE", "order_id", "O-2", "", ""}, {"SALE", "hash", "0", "", ""}, {"SALE", "client_key", "x", "", ""}, {"SALE", "brand", "vcard", "", ""},
	} {
		for _, front := range []bool{false, true} {
			f.Add(seed[0], seed[1], seed[2], seed[3], seed[4], front)
		}
	}
	f.Fuzz(func(t *testing.T, action, name1, value1, name2, value2 string, front bool) {
		kit := gatewaytest.New(t)
		base := sale("O-1")
		delete(base, "action")
		body, more := base.encode(), pairs("action", action, name1, value1, name2, value2)
		if front {
			body = more + "&" + body
		} else {
			body += "&" + more
		}
		r := s2s.Do(t.Context(), kit.Gateway,
			s2s.Request{Path: "/post", ContentType: "application/x-www-form-urlencoded", Body: []byte(body)})
		require.Less(t, r.Status, 500, "%s", r.Body)
		require.True(t, json.Valid(r.Body))
		if len(body) > s2s.MaxFollowUp {
			return
		}
		actions, holds := given("action", "action", action, name1, value1, name2, value2),
			given("auth", name1, value1, name2, value2)
		charges := kit.Charges(t)
		if len(charges) > 0 {
			require.Len(t, charges, 1)
			require.Len(t, actions, 1, "which action is not clear")
			require.Contains(t, []string{"SALE", "AUTH", "DEBIT"}, actions[0])
			require.LessOrEqual(t, len(holds), 1, "whether to hold is not clear")
			require.Equal(t, "10.00", charges[0].Amount.String())
			require.False(t, name1 != "" && (name1 == name2 || base[name1] != "") || base[name2] != "", "something comes twice")
			held := actions[0] == "AUTH" || actions[0] == "SALE" && len(holds) == 1 && holds[0] == "Y"
			require.Equal(t, held, charges[0].Kind == store.OpAuth, "%s %q", actions[0], holds)
		}
		only := func(name string) bool { return name == "" || name == "auth" || name == "action" }
		if only(name1) && only(name2) && slices.Equal(actions, []string{"SALE"}) && len(holds) < 2 && isPlain(value1+value2) {
			require.Len(t, charges, 1, "%s", r.Body)
		}
	})
}

// isPlain reports whether a form may hold the text.
func isPlain(text string) bool {
	return strings.ToValidUTF8(text, "\x00") == text && !strings.Contains(text, "\x00")
}

// pairs writes names and values; a pair without a name is left out.
func pairs(list ...string) string {
	var encoded []string
	for i := 0; i < len(list); i += 2 {
		if list[i] != "" && (list[i] != "action" || list[i+1] != "") {
			encoded = append(encoded, url.QueryEscape(list[i])+"="+url.QueryEscape(list[i+1]))
		}
	}
	return strings.Join(encoded, "&")
}

// given returns the values that pairs writes for a name.
func given(name string, list ...string) (values []string) {
	for i := 0; i < len(list); i += 2 {
		if list[i] == name && (name != "action" || list[i+1] != "") {
			values = append(values, list[i+1])
		}
	}
	return values
}
