package openapitest_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/s2s"
)

// reason is why a schema cannot say that a fault is one. Each was met.
type reason struct {
	of   string // the field, with "..." for one and what is in it; "" for a refusal without a field
	says string // all that is said of it, as an expression
	why  string
}

func (r reason) String() string { return fmt.Sprintf("%s: %s (%s)", r.of, r.says, r.why) }

// anyText stands for every field that is a text, where the same rule is about all of them.
const anyText = "any text"

// reasons are the rows below, one for each field, and the refusals that are about no field.
func reasons() (list []reason) {
	for _, row := range rows {
		for of := range strings.SplitSeq(row.of, ", ") {
			list = append(list, reason{of, row.says, row.why})
		}
	}
	for _, row := range refusal.Catalogue() {
		if row.Error.Status() == 400 && row.Error.Kind() != refusal.Invalid && !slices.Contains(unmet, row.Name) {
			list = append(list, reason{"", regexp.QuoteMeta(row.Error.Message()), "what is stored"})
		}
	}
	for _, e := range s2s.Refusals() {
		if e.Status() == 400 {
			list = append(list, reason{"", regexp.QuoteMeta(e.Message()), "what is stored"})
		}
	}
	return list
}

const (
	stored   = "what is stored, or how the merchant is set up"
	elsewhen = "another field of the request decides"
	grammar  = "a grammar that no expression has"
	currency = "the currency decides"
	reader   = "most readers of JSON take it"
	leftOut  = "an empty list or object counts as left out"
	numeric  = "the bounds of a number that is sent as digits"
	size     = "a size in bytes or levels, or a number of members at any depth"
)

// rows are the reasons; a field has a row for each thing that is said of it.
var rows = []reason{
	{anyText, "must not hold control characters", "holds for every text, and is said once, in words"},
	{"browser_info...", "must not hold control characters", "these may be numbers too"},
	{"hash", "Hash is not valid\\.", "a signature"},
	{"hash", "already used for another request", stored},
	{"merchant_key, channel_id, payment_token", "This value is not valid\\.", stored},
	{"order_id", "Duplicate payment\\.", stored},
	{"amount, order_amount", "the payment provider does not accept zero amount", stored},
	{"brand, digital_wallet, operation", "The value you selected is not a valid choice\\.", stored},
	{"expected_amount", "the session is about another amount|This value should not be blank\\.", stored},
	{"expected_currency", "the session is in another currency|This value should not be blank\\.", stored},
	{"customer.name, name, payee.name, payee_first_name, payee_last_name", `only Latin basic letters, \d+\.\.\d+`, stored},
	{"vat_calc", "is not available: this gateway computes no VAT", stored},
	{"card_token", "only one can be charged without a choice of the payer's", stored},
	{"payer_address, payer_country, payer_city, payer_zip", "This value should not be blank\\.", stored},
	{"card_number", "Bad Request\\. Brand of card does not support\\.", stored},

	{"order.amount, order_amount, amount, payment_schedule_amount", `must be a decimal number with 2 decimals, like 12\.34`, currency},
	{"order.amount, order_amount", `[A-Z]{3,4} needs \d+ decimals, like [\d.]+`, currency},
	{"order.amount, order_amount", "[A-Z]{3} (has no fractions|takes no decimals)", currency},
	{"order_amount", `must be within \d+\.\.\d+ [A-Z]{3}`, currency},
	{"order.currency, order_currency", "This value is not valid\\.", "the currencies that a gateway knows"},

	{"amount, order.amount, order_amount", `This value should be greater than 0\.`, elsewhen},
	{"amount, order.amount, order_amount, order_description, identifier, payee.name, payment_id, payment_schedule_amount",
		"This value should not be blank\\.", elsewhen},
	{"card_number, card_exp_month, card_exp_year, card_cvv2, card_token, digital_wallet, payment_token",
		"This value should not be blank\\.", elsewhen},
	{"payer_card_number, payer_card_exp_month, payer_card_exp_year, payer_card_cvv", "This value should not be blank\\.", elsewhen},
	{"first_payment_day_of_month, first_payment_day_of_week, first_payment_interval_length, first_payment_interval_unit",
		"This value should not be blank\\.", elsewhen},
	{"first_payment_day_of_month, first_payment_day_of_week, first_payment_interval_length, first_payment_interval_unit",
		"needs delayed_first_payment( [a-z_]+)?", elsewhen},
	{"day_of_month", "needs interval_unit month", elsewhen},
	{"schedule_id", "needs recurring_init|This value is not valid\\.", elsewhen},
	{"payment_schedule_amount, schedule_start_date", "needs schedule_id", elsewhen},
	{"payment_schedule_amount", "needs schedule_id and an amount greater than 0 in the format of the currency", elsewhen},
	{"auth, moto_type, payee, recurring_init, req_token, vat_calc", "is not for operation [a-z]+", elsewhen},
	{"card_number", "must not be sent together with card_token", elsewhen},
	{"billing_address.state, payee_billing_address.state, payer_state, payee_state",
		"must be the code of a state of the country", elsewhen},

	{"customer.email, email, payee.email, payee_email, payer_email", "This value is not valid\\.", grammar},
	{"customer.ip, payer_ip, payee_ip", "This value is not valid\\.", grammar},
	{"callback_url, cancel_url, error_url, expiry_url, payer_return_url, return_url, success_url, term_url_3ds",
		"This value is not a valid URL\\.", grammar},
	{"billing_address.country, payee_billing_address.country, payer_country, payee_country", "This value is not valid\\.",
		"the countries of ISO 3166-1"},
	{"card_number, payer_card_number", "Invalid card number", "a check digit"},
	{"card_number", "This value is not valid\\.", "a check digit"},
	{"card_exp_month, payer_card_exp_month", "The expiration date of card is expired and not valid\\.", "today decides"},
	{"birth_date, customer.birth_date", "must be a date of the past, yyyy-mm-dd", "today decides"},
	{"schedule_start_date", "needs schedule_id and a date from today on, within ten years, YYYY-MM-DD", "today decides"},
	{"payer_birth_date", "must be a date, yyyy-mm-dd", "days that a month does not have"},
	{"custom_data, order.description, order_description, payer_first_name, payer_last_name, payer_middle_name",
		"must not hold a card number", "a check digit among other letters"},

	{"session_expiry", `must be within 1\.\.720`, numeric},
	{"day_of_month, first_payment_day_of_month, first_payment_day_of_week, interval_length, payments_count",
		`must be a whole number within 1\.\.\d+`, numeric},
	{"", `size should be within 1\.\.100`, numeric},

	{"auth", "must be true or false", leftOut},
	{"recurring_init", "must be true or false", leftOut},
	{"browser_info.user_agent, cancel_url, expiry_url, order.amount", "must be a string", leftOut},
	{"body", "must have at least one parameter", leftOut},

	{"body, custom_data, parameters", `must be at most \d+ bytes`, size},
	{"custom_data", "must be at most 262144 bytes as callbacks have it", size},
	{"body", "nested too deeply", size},
	{"body", "must have at most 10000 fields and list entries", size},
	{"custom_data, parameters", "must have at most 200 fields", size},
	{"custom_data...", "must have at most 1000 entries", size},
	{"payment_id, recurring_token", "This value is not valid\\.", "255 letters of more than 255 bytes"},

	{"custom_data..., hash, merchant_key, name, order, order.amount, order_amount, payment_id, x", "repeated field", reader},
	{"cancel_url, custom_data..., customer.name, error_url, expiry_url, order.description, order.number, order_id, payment_id, " +
		"success_url, whatever", "must not contain NUL", reader},
	{"custom_data..., order.description, order.number, payment_id", "must be valid Unicode text", reader},
	{"body", "could not be read to its end", "the connection breaks off"},
	{"Content-Type", "must be application/json", "a header"},
	{"Content-Encoding", "bodies must not be compressed", "a header"},

	{"parameters...", "must be (an object|a list)|This value should not be blank\\.", "the payment method decides: docs/methods.md"},
	{"parameters...", "This value is not valid\\.|must be one of [A-Z, ]+|must have only digits|must be an operator for [A-Z]{3}",
		"the payment method decides: docs/methods.md"},
	{"parameters...", "must be a mobile number of the operator's country, [A-Z]{2}", "the payment method decides: docs/methods.md"},
}

// unmet are refusals with the status 400 that these tests do not meet: the first three are for callers of Go, and the
// last is met by a test of another package.
var unmet = []string{"ErrNoReview", "ErrDisputeAmount", "ErrChargeback", "ErrTypeRoute"}

// faultsIn are the faults of an answer, or its message where it has none.
func faultsIn(t *testing.T, answer []byte) (faults []string) {
	t.Helper()
	var told struct {
		Message string `json:"error_message"`
		Errors  []struct {
			Message string `json:"error_message"`
		}
	}
	require.NoError(t, json.Unmarshal(answer, &told))
	for _, e := range told.Errors {
		faults = append(faults, e.Message)
	}
	if len(faults) == 0 {
		faults = []string{told.Message}
	}
	return faults
}

var faultText = regexp.MustCompile(`^([A-Za-z][\w.\[\]-]*): (.*)$`)

// reasonOf is the reason of a fault; texts are the fields of the request that are texts.
func reasonOf(fault string, texts map[string]bool) (reason, bool) {
	of, says := "", fault
	if parts := faultText.FindStringSubmatch(fault); parts != nil {
		of, says = parts[1], parts[2]
	}
	for _, r := range reasons() {
		if r.names(of, texts) && regexp.MustCompile(`^(?:`+r.says+`)$`).MatchString(says) {
			return r, true
		}
	}
	return reason{}, false
}

func (r reason) names(field string, texts map[string]bool) bool {
	if r.of == anyText {
		return texts[strings.NewReplacer("[", ".", "]", "").Replace(field)]
	}
	whole, inner := strings.CutSuffix(r.of, "...")
	return field == whole || inner && (strings.HasPrefix(field, whole+".") || strings.HasPrefix(field, whole+"["))
}
