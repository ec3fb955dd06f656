package callback_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// switches are the options of Protocol Mapping with the names that they add (SPEC1, "Events"; decision ae).
var switches = []struct {
	name  string
	on    store.Additions
	names string
}{
	{"none", store.Additions{}, ""},
	{"card", store.Additions{Card: true}, "card card_expiration_date"},
	{"brand", store.Additions{Brand: true}, "brand"},
	{"ARN", store.Additions{ARN: true}, "ARN"},
	{"COF", store.Additions{COF: true}, "initiator source sequence"},
	{"method", store.Additions{Method: true}, "checkout_payment_method"},
	{"payer", store.Additions{Payer: true}, "payer_first_name payer_last_name payer_middle_name payer_birth_date payer_address " +
		"payer_address2 payer_house_number payer_country payer_state payer_city payer_district payer_zip payer_email " +
		"payer_phone payer_phone_country_code"},
	{"3-D Secure", store.Additions{ThreeDS: true}, "threeDSServerTransID dsTransID acsTransID xid transStatus transStatusReason " +
		"eci protocolVersion authenticationFlow"},
	{"browser", store.Additions{Browser: true}, "browser_color_depth browser_screen_height browser_screen_width browser_java_enabled " +
		"browser_javascript_enabled browser_language browser_timezone_offset browser_user_agent browser_accept_headers browser_platform"},
	{"extended", store.Additions{Extended: true}, "connector_name rrn approval_code gateway_id extra_gateway_id merchant_name " +
		"mid_name issuer_country issuer_bank"},
}

func names(fields []callback.Field) []string {
	list := []string{}
	for _, f := range fields {
		list = append(list, f.Name)
	}
	return list
}

// TestSwitches turns on one option at a time, for status answers and for callbacks.
func TestSwitches(t *testing.T) {
	t.Parallel()
	for _, s := range switches {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range []documented{
				{protocol: store.Checkout, action: "sale", result: "success", status: store.Settled},
				{protocol: store.S2SCard, action: "SALE", result: "SUCCESS", status: store.Settled},
			} {
				e := event(c)
				before := names(render(t, e))
				e.Mapping.Add = s.on
				require.Equal(t, strings.Fields(s.names), names(callback.Additions(e)))

				added := slices.DeleteFunc(names(render(t, e)), func(name string) bool { return slices.Contains(before, name) })
				if s.on.Card { // callbacks always have them
					require.Empty(t, added)
				} else {
					require.Equal(t, strings.Fields(s.names), added)
				}
			}
		})
	}
}

// TestStatusOfABarePayment: a status answer leaves out what does not exist, including the ARN.
func TestStatusOfABarePayment(t *testing.T) {
	t.Parallel()
	fields := callback.Additions(callback.Event{
		Payment:     &store.Payment{Method: "paypal"},
		Transaction: &store.Transaction{}, Mapping: &store.Mapping{Add: everything()},
	})
	require.Equal(t, []callback.Field{{Name: "brand", Value: "paypal"},
		{Name: "checkout_payment_method", Value: "paypal"}}, fields)
}

// TestExtendedBlockOfS2S: extended data comes with SUCCESS only, whatever the action.
func TestExtendedBlockOfS2S(t *testing.T) {
	t.Parallel()
	for _, c := range everyCallback() {
		if c.protocol == store.Checkout {
			continue
		}
		e := event(c)
		e.Mapping.Add, e.MID = store.Additions{Extended: true}, &store.MID{Name: "Acquirer EU"}
		require.Equal(t, c.result == "SUCCESS", slices.Contains(names(render(t, e)), "mid_name"), c)
	}
}

// TestTokens: card tokens and payees are sent where the documents have them.
func TestTokens(t *testing.T) {
	t.Parallel()
	for _, c := range everyCallback() {
		e := event(c)
		e.Payment.CardToken = "token"
		e.Payment.Payee = &store.Payer{FirstName: "Ann", LastName: "Lee"}
		fields := render(t, e)
		charge := slices.Contains([]string{"SALE", "RECURRING_SALE", "DEBIT", "RECURRING_DEBIT"}, c.action)
		switch c.protocol {
		case store.Checkout:
			out := e.Payment.Kind == store.Transfer || e.Payment.Kind == store.Credit
			require.Equal(t, out, value(fields, "payee_name") == "Ann Lee", c)
			require.Equal(t, !out, value(fields, "card_token") == "token", c)
		case store.S2SCard:
			require.Equal(t, charge && c.result == "SUCCESS", value(fields, "card_token") == "token", c)
		default:
			require.Empty(t, value(fields, "card_token"), c)
		}
	}
}
