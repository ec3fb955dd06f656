package badinput_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	address  = "city address zip district country phone house_number phone_country_code"
	personal = "first_name last_name middle_name address address2 house_number city district zip email phone " +
		"phone_country_code birth_date"
)

// texts are the fields of every endpoint that are one line of text, or a word of a list.
var texts = []struct{ at, fields string }{
	{"session", "merchant_key operation order.number order.amount order.currency order.description success_url cancel_url expiry_url error_url url_target " +
		"channel_id customer.name customer.email customer.birth_date schedule_id crypto.network form_id moto_type billing_address.language " + under("billing_address.", address)},
	{"session with a payee", "payee.name payee.email " + under("payee_billing_address.", address)},
	{"HPF token", "merchant_key order.number order.description return_url success_url cancel_url expiry_url error_url channel_id customer.name customer.email customer.ip " +
		"billing_address.language " + under("billing_address.", address)},
	{"HPF update", "order_amount order_currency"},
	{"HPF payment", "name email birth_date selected_language browser_info.user_agent browser_info.accept_header browser_info.accept_headers browser_info.platform " +
		"browser_info.language browser_info.color_depth browser_info.time_zone_offset expected_amount expected_currency " +
		under("billing_address.", "city address zip district country phone house_number")},
	{"HPF debit", "name email"},
	{"recurring", "merchant_key order.number order.amount order.description recurring_init_trans_id recurring_token schedule_id customer.name customer.email"},
	{"card credit", "merchant_key order_id order_amount order_currency order_description card_number payee_first_name payee_last_name payee_email payee_ip"},
	{"status", "merchant_key payment_id"}, {"status by order", "order_id"}, {"capture", "merchant_key payment_id amount"}, {"refund", "merchant_key payment_id amount"},
	{"void", "merchant_key payment_id"}, {"retry", "merchant_key payment_id"},
	{"SALE", "client_key channel_id order_id order_amount order_currency order_description card_number card_exp_month card_exp_year card_cvv2 card_token " +
		"payer_ip payer_language term_url_3ds term_url_target moto_type callback_url digital_wallet " + under("payer_",
		personal)},
	{"SALE with mpi_data", "mpi_data[eci] mpi_data[authentication_value] mpi_data[ds_trans_id] mpi_data[3ds_version] mpi_data[trans_status] mpi_data[xid]"},
	{"DEBIT", "order_id order_description payer_city term_url_3ds callback_url " + under("payer_", personal)},
	{"CREDIT2CARD", "order_id order_description channel_id card_token " + under("payer_", personal) + under("payee_", personal)},
	{"CARD2CARD", "order_id order_description channel_id payee_card_number " + under("payer_", personal) + under("payee_", personal)},
	{"RECURRING_SALE", "order_id order_amount order_description recurring_first_trans_id recurring_token schedule_id callback_url"},
	{"RECURRING_DEBIT", "order_id order_description"},
	{"APM SALE", "channel_id crypto_network brand order_id order_amount order_currency order_description identifier payer_ip payer_language return_url " +
		"return_url_target callback_url " + under("payer_", personal)},
	{"CREDIT2VIRTUAL", "channel_id brand order_id order_description crypto_network callback_url " + under("payer_", personal) + under("payee_", personal)},
	{"CREDIT2CRYPTO", "order_id order_description crypto_network " + under("payee_", personal)},
	{"DEBIT2VIRTUAL", "channel_id brand order_id order_description identifier payer_return_url " + under("payer_", personal)},
	{"DEBIT2VIRTUAL_CALC", "order_id order_description identifier"},
	{"CREATE_SCHEDULE", "name interval_length interval_unit payments_count delayed_first_payment"}, {"UPDATE_SCHEDULE", "schedule_id name"},
	{"DESCHEDULE", "schedule_id recurring_token"},
	{"CAPTURE", "trans_id amount"}, {"CREDITVOID", "trans_id amount"}, {"VOID", "trans_id"}, {"RETRY", "trans_id"}, {"GET_TRANS_STATUS", "trans_id"},
	{"GET_TRANS_DETAILS", "trans_id"}, {"GET_TRANS_STATUS_BY_ORDER", "order_id"}, {"APM CAPTURE", "trans_id amount"}, {"APM CREDITVOID", "trans_id amount"},
	{"APM VOID", "trans_id"}, {"APM GET_TRANS_STATUS", "trans_id"}, {"DEBIT2VIRTUAL_COMPLETE", "trans_id"}, {"STOP_SCHEDULE", "trans_id"},
}

func under(prefix, names string) string {
	text := ""
	for name := range strings.FieldsSeq(names) {
		text += " " + prefix + name
	}
	return text + " "
}

// variants are changes for another valid request of an endpoint.
var variants = map[string]struct {
	at    string
	pairs []any
}{
	"session with a payee": {"session", []any{"operation", "transfer", "payee.name", "Jane Doe"}},
	"status by order":      {"status", []any{"payment_id", nil, "order_id", "ORD-SETTLED"}},
}

// Control characters and characters that change the text direction are refused in every line, by the name of the
// field (decision ca).
func TestPrintableAtEveryDoor(t *testing.T) {
	t.Parallel()
	for _, door := range texts {
		t.Run(door.at, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			at, pairs := door.at, []any(nil)
			if v, ok := variants[door.at]; ok {
				at, pairs = v.at, v.pairs
			}
			for field := range strings.FieldsSeq(door.fields) {
				for _, hidden := range []string{"\n", "\x7f", "\u0085", "\u202e", "\u2067"} {
					q := w.fresh(at, pairs...)
					value := q.body.at(field)
					if q.at.form {
						value, _ = q.body[field].(string)
					}
					if value == "" {
						value = "ABC"
					}
					q.body.set(field, value[:1]+hidden+value[1:], !q.at.form)
					before := w.state()
					q.sign()
					got := w.send(q)
					require.Equal(t, 400, got.status, "%s %q: %s", field, hidden, got.body)
					named := strings.ReplaceAll(field, "payer_card_cvv2", "payer_card_cvv")
					require.Contains(t, got.body, `"`+named+": ", "%q", hidden)
					require.NoError(t, before.differs(w.state()))
				}
			}
		})
	}
}
