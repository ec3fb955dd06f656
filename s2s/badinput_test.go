package s2s_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

const (
	blank    = ": This value should not be blank."
	invalid  = ": This value is not valid."
	positive = ": This value should be greater than 0."
	choice   = ": The value you selected is not a valid choice."
	badURL   = ": This value is not a valid URL."
	tooLong  = ": This value is too long. It should have "
)

// badInput is a request with one changed parameter, and its faults.
type badInput struct {
	name, value string
	want        []string // the start of each fault
}

func long(n int) string { return strings.Repeat("a", n) }

// refuses sends every case and requires exactly its faults. The hash is wrong, but that is not reported: the
// fields are checked first.
func refuses(t *testing.T, base fields, cases []badInput) {
	t.Helper()
	s := open(t)
	for _, c := range cases {
		t.Run(c.name+"="+c.value[:min(len(c.value), 24)], func(t *testing.T) {
			t.Parallel()
			a := s.send(t, "/post", base.with(c.name, c.value))
			require.Equal(t, 400, a.status, a.text)
			require.Equal(t, "ERROR", a.get("result"))
			require.Equal(t, "Request data is invalid.", a.get("error_message"), a.text)
			require.EqualValues(t, 100000, a.body["error_code"])
			got := a.errors()
			require.Len(t, got, len(c.want), a.text)
			for i, want := range c.want {
				require.True(t, strings.HasPrefix(got[i], want), "%s\n%s", want, got[i])
			}
			if len(c.value) > 12 {
				require.NotContains(t, a.text, c.value)
			}
		})
	}
}

// one returns a case whose only fault is about the parameter itself.
func one(name, value, text string) badInput { return badInput{name, value, []string{name + text}} }

func TestSaleRules(t *testing.T) {
	t.Parallel()
	refuses(t, sale("O-1"), []badInput{
		one("client_key", "", blank), one("client_key", long(256), invalid),
		one("channel_id", long(17), tooLong+"16"),
		one("order_id", "", blank), one("order_id", long(256), tooLong+"255"),
		{"order_amount", "", []string{"order_amount" + blank, "order_amount" + positive}},
		one("order_amount", "0.00", positive), one("order_amount", "-1.00", positive),
		one("order_amount", "1.5", ": must be a decimal number with 2 decimals"),
		one("order_amount", "1e3", ": must be a decimal"),
		one("order_amount", "1,00", ": must be a decimal"), one("order_amount", "01.00", ": must be a decimal"),
		one("order_amount", "9999999999999999.00", ": too large"),
		one("order_currency", "", blank), one("order_currency", "usd", invalid), one("order_currency", "XXZ", invalid),
		{"order_currency", "USDT", []string{"order_amount: USDT needs 6", "order_currency" + invalid}},
		one("order_description", "", blank), one("order_description", long(1025), tooLong+"1024"),
		one("req_token", "yes", choice), one("card_token", long(65), tooLong+"64"),
		one("card_number", "", blank), one("card_number", "4111111111111112", ": Invalid card number"),
		one("card_number", "4111 1111 1111 1111", ": Invalid card number"),
		one("card_exp_month", "", blank), one("card_exp_month", "13", invalid), one("card_exp_month", "1", invalid),
		one("card_exp_month", "00", invalid),
		one("card_exp_year", "", blank), one("card_exp_year", "38", invalid), one("card_exp_year", "1999", invalid),
		one("card_cvv2", "", blank), one("card_cvv2", "12", ": Invalid security code"),
		one("card_cvv2", "12345", ": Invalid security code"), one("card_cvv2", "12a", ": Invalid security code"),
		one("payer_first_name", "", blank), one("payer_first_name", long(33), tooLong+"32"),
		one("payer_last_name", "", blank), one("payer_last_name", long(33), tooLong+"32"),
		one("payer_middle_name", long(33), tooLong+"32"),
		one("payer_birth_date", "01.02.1990", ": must be a date"), one("payer_birth_date", "1990-02-30", ": must be a date"),
		one("payer_address", long(256), tooLong+"255"), one("payer_address2", long(256), tooLong+"255"),
		one("payer_house_number", "1234567890", tooLong+"9"), one("payer_house_number", "<1>", invalid),
		one("payer_country", "USA", invalid), one("payer_country", "us", invalid), one("payer_country", "ZZ", invalid),
		one("payer_state", "ZZ", ": must be the code"), one("payer_state", "California", ": must be the code"),
		one("payer_state", long(33), ": must be the code"),
		one("payer_city", long(41), tooLong+"40"), one("payer_district", long(33), tooLong+"32"),
		one("payer_zip", long(11), tooLong+"10"),
		one("payer_email", "", blank), one("payer_email", "doe", invalid), one("payer_email", "döe@example.com", invalid),
		one("payer_phone", "", blank), one("payer_phone", long(33), tooLong+"32"),
		one("payer_phone_country_code", "+1", ": only digits"), one("payer_phone_country_code", "12345678901", tooLong+"10"),
		one("payer_ip", "", blank), one("payer_ip", "1.2.3", invalid), one("payer_ip", "fe80::1%eth0", invalid),
		one("payer_language", long(1025), tooLong+"1024"),
		one("term_url_3ds", "", blank), one("term_url_3ds", "client.site.com", badURL),
		one("term_url_3ds", "ftp://client.site.com/", badURL),
		one("term_url_3ds", "https://user@client.site.com/", badURL),
		one("term_url_3ds", "https://client.site.com:0/", badURL),
		one("term_url_3ds", "https://client.site.com/"+long(1010), badURL),
		one("term_url_target", "_new", choice), one("term_url_target", "a b", choice),
		one("moto_type", "phone", choice), one("recurring_init", "true", choice),
		one("schedule_id", "x", ": needs recurring_init"), one("schedule_start_date", "2038-01-01", ": needs schedule_id"),
		one("payment_schedule_amount", "1.00", ": needs schedule_id"), one("payer_present", "yes", choice),
		one("callback_url", "nowhere", badURL), one("callback_url", "https://a.example/"+long(250), badURL),
		one("digital_wallet", "paypal", choice), one("parameters", "x", ": must be an object"),
		one("custom_data", "x", ": must be an object"),
		{"custom_data[a]", long(70000), []string{"custom_data: must be at most 65536 bytes"}},
		{"channel_id[x]", "1", []string{"channel_id: must be one value"}},
		{"order_id[x]", "1", []string{"order_id: must be one value or an object"}}, one("hash", "", blank),
		{"mpi_data", "x", []string{"mpi_data: must be an object"}},
	})
}

// mpi_data is checked as a whole (SPEC2, mpi_data).
func TestMPIRules(t *testing.T) {
	t.Parallel()
	base := sale("O-1").with("mpi_data[eci]", "05", "mpi_data[authentication_value]", long(28),
		"mpi_data[ds_trans_id]", "9d0f5cc4-f07b-11ec-abf4-0242ac120006", "mpi_data[3ds_version]", "2.2.0")
	refuses(t, base, []badInput{
		one("mpi_data[eci]", "", blank), one("mpi_data[eci]", "5", ": must have exactly 2"),
		one("mpi_data[eci]", "005", ": must have exactly 2"),
		one("mpi_data[authentication_value]", "", blank),
		one("mpi_data[authentication_value]", long(27), ": This value is too short"),
		one("mpi_data[authentication_value]", long(65), tooLong+"64"),
		one("mpi_data[ds_trans_id]", "", blank), one("mpi_data[ds_trans_id]", "9d0f5cc4", ": must be a UUID"),
		one("mpi_data[3ds_version]", "", blank), one("mpi_data[3ds_version]", "2.2", ": must have the format"),
		one("mpi_data[trans_status]", "y", ": must be one upper-case"),
		one("mpi_data[trans_status]", "YY", ": must be one upper-case"),
		one("mpi_data[xid]", long(65), tooLong+"64"),
		{"mpi_data[xid][a]", "b", []string{"mpi_data[xid]: must be one value"}},
	})
}

func TestDebitRules(t *testing.T) {
	t.Parallel()
	base := sale("O-1").with("action", "DEBIT")
	refuses(t, base, []badInput{
		one("order_amount", "0.00", positive), one("card_number", "", blank), one("card_cvv2", "", blank),
		one("payer_ip", "", blank), one("term_url_3ds", "", blank), one("payer_city", long(33), tooLong+"32"),
		one("order_description", "", blank), one("payer_email", "doe", invalid),
	})
}

func TestCard2CardRules(t *testing.T) {
	t.Parallel()
	base := sale("O-1").with("action", "CARD2CARD", "payee_card_number", pan, "card_number", "", "card_exp_month", "",
		"card_exp_year", "", "card_cvv2", "", "payer_card_number", pan, "payer_card_exp_month", "01",
		"payer_card_exp_year", "2038", "payer_card_cvv2", "000")
	refuses(t, base, []badInput{
		one("payer_card_number", "", blank), one("payer_card_number", "4111111111111112", ": Invalid card number"),
		one("payer_card_exp_month", "", blank), one("payer_card_exp_month", "13", invalid),
		one("payer_card_exp_year", "", blank), one("payer_card_exp_year", "38", invalid),
		{"payer_card_cvv2", "", []string{"payer_card_cvv" + blank}}, {"payer_card_cvv2", "1", []string{"payer_card_cvv: Invalid"}},
		one("payee_card_number", "", blank), one("payee_card_number", "41", ": Invalid card number"),
		one("payee_first_name", long(33), tooLong+"32"), one("payee_country", "XX", invalid),
		one("payee_email", "x", invalid),
		one("payer_ip", "", blank), one("term_url_3ds", "", blank),
	})
}

func TestPayoutRules(t *testing.T) {
	t.Parallel()
	card := sale("O-1").with("action", "CREDIT2CARD", "term_url_3ds", "", "card_cvv2", "", "payer_ip", "")
	refuses(t, card, []badInput{
		one("card_number", "", blank), one("order_description", "", blank), one("card_exp_month", "14", invalid),
		one("payee_zip", long(11), tooLong+"10"), one("payer_ip", "x", invalid), one("order_amount", "0.00", positive),
	})
	half := []badInput{one("card_exp_month", "", blank), one("card_exp_year", "", blank)}
	refuses(t, card, half)
	refuses(t, card.with("parameters[card_exp_month]", "05", "parameters[card_exp_year]", "2038"), half)
	refuses(t, card.with("card_number", "", "card_token", long(64)), half)
	virtual := apm("O-1").with("action", "CREDIT2VIRTUAL")
	refuses(t, virtual, []badInput{
		one("brand", "", blank), one("brand", long(37), tooLong+"36"), one("order_description", "", blank),
		one("order_id", "", blank), one("order_amount", "1", ": must be a decimal"),
		one("crypto_network", long(51), tooLong+"50"),
	})
	refuses(t, virtual.with("order_currency", "XOF", "order_amount", "100"), []badInput{
		one("order_amount", "100.00", ": XOF takes no decimals"), one("order_amount", "100.50", ": XOF takes no decimals"),
	})
}

func TestAPMRules(t *testing.T) {
	t.Parallel()
	refuses(t, apm("O-1"), []badInput{
		one("order_id", "", blank), one("order_currency", "BTC", invalid), one("order_description", "", blank),
		{"order_amount", "", []string{"order_amount" + blank, "order_amount" + positive}}, one("order_amount", "0.00", positive),
		one("identifier", "", blank), one("identifier", long(256), tooLong+"255"), one("payer_ip", "", blank),
		one("payer_zip", long(33), tooLong+"32"), one("return_url", "", blank), one("return_url", "x", badURL),
		one("return_url_target", "_x", choice), one("crypto_network", long(51), tooLong+"50"), one("hash", "", blank),
	})
	deposit := apm("O-1").with("action", "DEBIT2VIRTUAL", "return_url", "", "payer_return_url", "https://a.example/")
	refuses(t, deposit, []badInput{
		one("payer_return_url", "", blank), one("payer_return_url", "https://a.example/"+long(256), badURL),
		one("identifier", "", blank),
	})
}

func TestFollowUpRules(t *testing.T) {
	t.Parallel()
	refuses(t, follow("CAPTURE", "x"), []badInput{
		one("trans_id", "", blank), one("trans_id", long(256), invalid), one("amount", "0.00", positive),
		one("amount", "-1.00", positive),
		one("amount", "x", ": must be a decimal"), one("hash", "", blank), one("client_key", "", blank),
	})
	refuses(t, follow("GET_TRANS_STATUS_BY_ORDER", "x"), []badInput{{"order_id", "", []string{"order_id" + blank}}})
	refuses(t, fields{
		"action": "RECURRING_SALE", "client_key": gatewaytest.MerchantKey, "order_id": "O-1", "order_amount": "1.00",
		"order_description": "d", "recurring_first_trans_id": "a", "recurring_token": "b", "hash": "h",
	}, []badInput{
		one("order_id", "", blank), {"order_amount", "", []string{"order_amount" + blank, "order_amount" + positive}},
		one("order_amount", "x", ": must be a decimal"), one("order_description", "", blank),
		one("recurring_first_trans_id", "", blank),
		one("recurring_token", "", blank), one("callback_url", "x", badURL), one("custom_data", "x", ": must be an object"),
	})
}

func TestScheduleRules(t *testing.T) {
	t.Parallel()
	base := plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "month", "payments_count", "3")
	refuses(t, base, []badInput{
		one("name", "", blank), one("name", long(101), tooLong+"100"), one("interval_length", "", blank),
		one("interval_length", "0", ": must be a whole"),
		one("interval_length", "1.0", ": must be a whole"), one("interval_unit", "", blank),
		one("interval_unit", "week", choice),
		one("day_of_month", "0", ": must be a whole"), one("day_of_month", "32", ": must be a whole"),
		one("payments_count", "", blank),
		one("payments_count", "0", ": must be a whole"), one("payments_count", "01", ": must be a whole"),
		{"delays", "5", []string{"Parameter is deprecated."}}, one("delayed_first_payment", "later", choice),
		{"delayed_first_payment", "delay_by_interval", []string{"first_payment_interval_length" + blank, "first_payment_interval_unit" + blank}},
		{"delayed_first_payment", "by_interval", []string{"first_payment_interval_length" + blank, "first_payment_interval_unit" + blank}},
		{"delayed_first_payment", "to_day_of_week", []string{"first_payment_day_of_week" + blank}},
		{"delayed_first_payment", "day_of_month", []string{"first_payment_day_of_month" + blank}},
		one("first_payment_day_of_week", "8", ": must be a whole"),
		one("first_payment_day_of_month", "32", ": must be a whole"),
		one("first_payment_interval_unit", "year", choice),
	})
	refuses(t, base.with("interval_unit", "day"), []badInput{one("day_of_month", "5", ": needs interval_unit month")})
	refuses(t, plan("UPDATE_SCHEDULE", "schedule_id", "x"), []badInput{
		one("schedule_id", "", blank), one("schedule_id", long(256), invalid),
		{"delays", "1", []string{"Parameter is deprecated."}}, one("interval_length", "x", ": must be a whole"),
	})
	refuses(t, plan("DESCHEDULE", "schedule_id", "x", "recurring_token", "y"),
		[]badInput{one("recurring_token", "", blank)})
}

// The parts of one kind of delay are refused by name under every other, and nothing of the request is done (bz).
func TestPartsOfAnotherDelay(t *testing.T) {
	t.Parallel()
	parts := map[string]fields{
		"delay_by_interval": {"first_payment_interval_length": "2", "first_payment_interval_unit": "month"},
		"day_of_week":       {"first_payment_day_of_week": "3"},
		"day_of_month":      {"first_payment_day_of_month": "9"},
		"none":              {},
	}
	for kind, own := range parts {
		for other, foreign := range parts {
			for name, value := range foreign {
				t.Run(kind+" "+name, func(t *testing.T) {
					t.Parallel()
					s := open(t)
					var want []string
					if other != kind {
						want = []string{name + ": needs delayed_first_payment"}
						if kind != "none" {
							want[0] += " " + other
						}
					}
					wish := plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "month",
						"payments_count", "3", "delayed_first_payment", kind)
					maps.Copy(wish, own)
					require.Equal(t, want, s.send(t, "/post", wish.with(name, value)).errors(), "CREATE_SCHEDULE")

					id := fmt.Sprint(s.send(t, "/post", wish).get("schedule_id"))
					before := s.send(t, "/post", plan("SCHEDULE_INFO", "schedule_id", id)).text
					change := plan("UPDATE_SCHEDULE", "schedule_id", id, "payments_count", "5")
					require.Equal(t, want, s.send(t, "/post", change.with(name, value)).errors(), "of what is stored")
					change["delayed_first_payment"] = kind
					maps.Copy(change, own)
					require.Equal(t, want, s.send(t, "/post", change.with(name, value)).errors(), "of what is sent")
					after := s.send(t, "/post", plan("SCHEDULE_INFO", "schedule_id", id)).text
					require.Equal(t, want != nil, before == after)
				})
			}
		}
	}
}

// Protocol Mapping may require parts of the address that are optional otherwise (SPEC1, 6.7.0).
func TestRequiredByMapping(t *testing.T) {
	t.Parallel()
	s := open(t)
	bare := sale("O-1").with("payer_address", "", "payer_country", "", "payer_state", "", "payer_city", "", "payer_zip",
		"")
	s.ok(t, "/post", bare, "SUCCESS", "SETTLED")
	s.mapping(t, store.Mapping{Protocol: store.S2SCard,
		Required: []string{"payer_address", "payer_country", "payer_city", "payer_zip"}})
	a := s.send(t, "/post", bare.with("order_id", "O-2"))
	require.Equal(t, []string{"payer_address" + blank, "payer_country" + blank, "payer_city" + blank, "payer_zip" + blank},
		a.errors())
}

// An empty request reports everything that is missing, in the order of the document's table.
func TestEverythingMissing(t *testing.T) {
	t.Parallel()
	a := open(t).send(t, "/post", fields{"action": "SALE"})
	require.Equal(t, []string{
		"client_key" + blank, "order_id" + blank, "order_amount" + blank, "order_amount" + positive, "order_currency" + blank,
		"order_description" + blank, "card_number" + blank, "card_exp_month" + blank, "card_exp_year" + blank,
		"card_cvv2" + blank,
		"payer_first_name" + blank, "payer_last_name" + blank, "payer_email" + blank, "payer_phone" + blank,
		"payer_ip" + blank,
		"term_url_3ds" + blank, "hash" + blank,
	}, a.errors())
}
