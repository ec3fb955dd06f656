package hpf_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
)

// bad is a request that has to be refused: a valid one with edits, or a raw body.
type bad struct {
	name  string
	path  string
	edits []edit
	body  string
	want  []string // the entries of errors[], whole and in order
}

const (
	oneObject = "body: must be one JSON object"
	tooDeep   = "body: nested too deeply"
	noText    = ": must be a string"
	noBool    = ": must be true or false"
	nothing   = "body: must have at least one parameter"
	notValid  = ": This value is not valid."
	noURL     = ": This value is not a valid URL."
	noChoice  = ": The value you selected is not a valid choice."
	decimals  = ": must be a decimal number with 2 decimals, like 12.34"
)

func one(path, name, field string, value any, want ...string) bad {
	return bad{name: field + " " + name, path: path, edits: []edit{set(field, value)}, want: want}
}

// broken are bodies that are not objects, for every path.
func broken(path string) (rows []bad) {
	for name, body := range map[string]string{
		"empty": "", "null": "null", "list": "[]", "text": `"x"`, "two": "{}{}", "form": "a=b", "mark": "\ufeff{}",
		"NUL": "{}\x00",
	} {
		rows = append(rows, bad{name: name, path: path, body: body, want: []string{oneObject}})
	}
	return append(rows,
		bad{name: "cut off", path: path, body: `{"name":"John`, want: []string{"body: must be valid JSON (byte 13)"}},
		bad{name: "single quotes", path: path, body: `{'a':1}`, want: []string{"body: must be valid JSON (byte 1)"}},
		bad{name: "tower", path: path, body: strings.Repeat("[", 60_000), want: []string{tooDeep}},
		bad{name: "tower within", path: path, body: `{"x":` + strings.Repeat("[", 60_000), want: []string{tooDeep}},
	)
}

var badTokens = []bad{
	one(pathToken, "missing", "return_url", "", "return_url"+blank),
	one(pathToken, "relative", "return_url", "/return", "return_url"+noURL),
	one(pathToken, "of a script", "return_url", "javascript:alert(1)", "return_url"+noURL),
	one(pathToken, "of a number", "return_url", 5, "return_url"+noText),
	one(pathToken, "no URL", "success_url", "x", "success_url"+noURL),
	one(pathToken, "no URL", "cancel_url", "x", "cancel_url"+noURL),
	one(pathToken, "no URL", "error_url", "x", "error_url"+noURL),
	one(pathToken, "transfer", "operation", "transfer", "operation"+noChoice),
	one(pathToken, "credit", "operation", "credit", "operation"+noChoice),
	one(pathToken, "missing", "operation", nil, "operation"+blank),
	one(pathToken, "no address", "customer.ip", "localhost", "customer.ip"+notValid),
	one(pathToken, "with a port", "customer.ip", "203.0.113.7:80", "customer.ip"+notValid),
	one(pathToken, "of a list", "customer.ip", []string{"203.0.113.7"}, "customer.ip"+noText),
	one(pathToken, "no e-mail", "customer.email", "x@", "customer.email"+notValid),
	one(pathToken, "of a list", "customer", []int{1}, "customer: must be an object"),
	one(pathToken, "721", "session_expiry", 721, "session_expiry: must be within 1..720"),
	one(pathToken, "of no currency", "order.currency", "XXX", "order.currency"+notValid),
	one(pathToken, "zero", "order.amount", "0.00", "amount: This value should be greater than 0."),
	one(pathToken, "missing", "hash", "", "hash"+blank),
	one(pathToken, "wrong", "hash", "00", "hash: Hash is not valid."),
	{name: "empty object", path: pathToken, body: "{}", want: []string{"merchant_key" + blank, "operation" + blank, "order.number" + blank, "order.amount" + blank,
		"order.currency" + blank, "order.description" + blank, "return_url" + blank, "hash" + blank}},
}

var badUpdates = []bad{
	{name: "empty object", path: pathUpdate, body: "{}", want: []string{nothing}},
	{name: "nothing but null", path: pathUpdate, body: `{"order_amount":null,"parameters":null}`, want: []string{nothing}},
	{name: "nothing but empty", path: pathUpdate, body: `{"order_amount":"","schedule_id":""}`, want: []string{nothing}},
	one(pathUpdate, "Y", "recurring_init", "Y", "recurring_init"+noBool),
	one(pathUpdate, "N", "recurring_init", "N", "recurring_init"+noBool),
	one(pathUpdate, "text", "recurring_init", "true", "recurring_init"+noBool),
	one(pathUpdate, "number", "recurring_init", 1, "recurring_init"+noBool),
	one(pathUpdate, "null", "recurring_init", nil, "recurring_init"+noBool),
	one(pathUpdate, "Y", "req_token", "Y", "req_token"+noBool),
	one(pathUpdate, "text", "req_token", "false", "req_token"+noBool),
	one(pathUpdate, "null", "req_token", nil, "req_token"+noBool),
	one(pathUpdate, "number", "order_amount", 5, "order_amount"+noText),
	one(pathUpdate, "three decimals", "order_amount", "1.234", "order_amount"+decimals),
	one(pathUpdate, "no decimals", "order_amount", "1", "order_amount"+decimals),
	one(pathUpdate, "exponent", "order_amount", "1e2", "order_amount"+decimals),
	one(pathUpdate, "zero", "order_amount", "0.00", "amount: This value should be greater than 0."),
	one(pathUpdate, "negative", "order_amount", "-1.00", "order_amount: This value should be greater than 0."),
	one(pathUpdate, "number", "order_currency", 840, "order_currency"+noText),
	one(pathUpdate, "unknown", "order_currency", "XXX", "order_currency"+notValid),
	one(pathUpdate, "small letters", "order_currency", "usd", "order_currency"+notValid),
	one(pathUpdate, "number", "schedule_id", 5, "schedule_id"+noText),
	one(pathUpdate, "false", "schedule_id", false, "schedule_id"+noText),
	one(pathUpdate, "without recurring_init", "schedule_id", "x", "schedule_id"+notValid),
	one(pathUpdate, "list", "parameters", []int{1}, "parameters: must be an object"),
	one(pathUpdate, "text", "custom_data", "{}", "custom_data: must be an object"),
	one(pathUpdate, "sent", "merchant_key", gatewaytest.MerchantKey, `Parameter "merchant_key" can not be updated.`),
	one(pathUpdate, "sent", "hash", "x", `Parameter "hash" can not be updated.`),
	one(pathUpdate, "sent", "order", object{"amount": "1.00"}, `Parameter "order" can not be updated.`),
	one(pathUpdate, "in capitals", "ORDER_AMOUNT", "1.00", `Parameter "ORDER_AMOUNT" can not be updated.`),
	one(pathUpdate, "without a name", "", 1, `Parameter "" can not be updated.`),
	{name: "several", path: pathUpdate, edits: []edit{set("order_amount", 5), set("req_token", "Y"), set("x", 1)},
		want: []string{"order_amount" + noText, "req_token" + noBool, `Parameter "x" can not be updated.`}},
	{name: "of the wire and of the session", path: pathUpdate, edits: []edit{set("order_amount", "1"), set("req_token", "Y"), set("x", 1)},
		want: []string{"req_token" + noBool, `Parameter "x" can not be updated.`, "order_amount" + decimals}},
	{name: "amount of no known currency", path: pathUpdate, edits: []edit{set("order_amount", "1.000"), set("order_currency", 414)},
		want: []string{"order_currency" + noText}},
	{name: "schedule of no known chain", path: pathUpdate, edits: []edit{set("recurring_init", "Y"), set("schedule_id", "x")},
		want: []string{"recurring_init" + noBool}},
	{name: "amount twice", path: pathUpdate, body: `{"order_amount":"1.00","order_amount":"2.00"}`, want: []string{"order_amount: repeated field"}},
}

var badPayments = []bad{
	{name: "empty object", path: pathPurchase, body: "{}", want: []string{"name" + blank, "with_hosted_fields" + blank}},
	one(pathPurchase, "empty", "name", "", "name"+blank),
	one(pathPurchase, "null", "name", nil, "name"+blank),
	one(pathPurchase, "number", "name", 5, "name"+noText),
	one(pathPurchase, "digits", "name", "John 5", "name: only Latin basic letters, 2..200"),
	one(pathPurchase, "too short", "name", "J", "name: only Latin basic letters, 2..200"),
	one(pathPurchase, "false", "with_hosted_fields", false, "with_hosted_fields: must be true"),
	one(pathPurchase, "null", "with_hosted_fields", nil, "with_hosted_fields"+blank),
	one(pathPurchase, "number", "with_hosted_fields", 1, "with_hosted_fields"+noBool),
	one(pathPurchase, "no e-mail", "email", "x@", "email"+notValid),
	one(pathPurchase, "two lines", "email", "a@b.cc\r\nBcc: x@y.zz", "email"+notValid),
	one(pathPurchase, "no date", "birth_date", "31.01.1990", "birth_date: must be a date of the past, yyyy-mm-dd"),
	one(pathPurchase, "to come", "birth_date", "2990-01-31", "birth_date: must be a date of the past, yyyy-mm-dd"),
	one(pathPurchase, "number", "selected_language", 5, "selected_language"+noText),
	one(pathPurchase, "too long", "selected_language", strings.Repeat("x", 1025),
		"selected_language: This value is too long. It should have 1024 characters or less."),
	one(pathPurchase, "none", "billing_address.country", "XX", "billing_address.country"+notValid),
	one(pathPurchase, "letters", "billing_address.phone", "abc", "billing_address.phone: only digits and +()-"),
	one(pathPurchase, "list", "billing_address", []int{1}, "billing_address: must be an object"),
	one(pathPurchase, "too long", "billing_address.zip", strings.Repeat("1", 11),
		"billing_address.zip: This value is too long. It should have 10 characters or less."),
	one(pathPurchase, "text", "browser_info", "Mozilla", "browser_info: must be an object"),
	one(pathPurchase, "object", "browser_info.user_agent", object{}, "browser_info.user_agent"+noText),
	one(pathPurchase, "list", "browser_info.color_depth", []int{24}, "browser_info.color_depth"+noText),
	one(pathPurchase, "too long", "browser_info.user_agent", strings.Repeat("x", 2049),
		"browser_info.user_agent: This value is too long. It should have 2048 characters or less."),
	one(pathPurchase, "two lines", "browser_info.accept_header", "a\r\nb",
		"browser_info.accept_header: must not hold control characters"),
	one(pathPurchase, "number", "expected_amount", 10, "expected_amount"+noText),
	one(pathPurchase, "differs", "expected_amount", "10.01", "expected_amount: the session is about another amount"),
	one(pathPurchase, "differs", "expected_currency", "EUR", "expected_currency: the session is in another currency"),
	{name: "of the wire and of the payment", path: pathPurchase,
		edits: []edit{set("billing_address.country", 1), set("billing_address.zip", "1"), set("email", "x@"), set("name", 5),
			set("expected_amount", "10.01")},
		want: []string{"billing_address.country" + noText, "name" + noText, "email" + notValid,
			"billing_address.zip: This value is too short. It should have 2 characters or more.",
			"expected_amount: the session is about another amount"}},
	{name: "repeated field", path: pathPurchase, body: `{"name":"John Doe","name":"John Doe","with_hosted_fields":true}`, want: []string{"name: repeated field"}},
	{name: "repeated unknown field", path: pathPurchase, body: `{"name":"John Doe","x":1,"with_hosted_fields":true,"x":1}`, want: []string{"x: repeated field"}},
	{name: "a debit's", path: pathDebit, want: []string{"operation" + noChoice}},
}

func badInputs() (rows []bad) {
	for _, path := range []string{pathToken, pathUpdate, pathPurchase} {
		rows = append(rows, broken(path)...)
	}
	return slices.Concat(rows, badTokens, badUpdates, badPayments)
}

// text returns the body of a row.
func (row *bad) text() string {
	switch {
	case row.edits == nil && row.path != pathDebit:
		return row.body
	case row.path == pathToken:
		return purchase(row.edits...).text()
	case row.path == pathUpdate:
		return object{}.edited(row.edits).text()
	}
	return payment(row.edits...).text()
}

// Every bad input is refused with a 400 that names the field. Nothing is stored, the acquirer is not called, and
// the session can be paid as before.
func TestBadInputs(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles, set("order.number", "ORD-0"))
	before := s.records(t)
	rows := badInputs()
	require.Greater(t, len(rows), 110)
	for _, row := range rows {
		t.Run(row.path+" "+row.name, func(t *testing.T) {
			got := s.send(t, methodOf(row.path), row.path, row.text(), "Token: "+token)
			require.Equal(t, "application/json; charset=utf-8", got.header.Get("Content-Type"))
			requireFaults(t, got, row.want...)
			require.NotContains(t, got.body, token)
		})
	}
	require.Equal(t, before, s.records(t))
	require.Empty(t, s.Charges(t))
	require.Equal(t, "success", s.pay(t, token).Result)
}

// Sizes of decision aj, and bodies whose headers are not of JSON.
func TestBadTransport(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles)
	before := maps.Clone(s.records(t))
	for path, limit := range map[string]int{pathToken: 1 << 20, pathUpdate: 64 << 10,
		pathPurchase: 1 << 20, pathDebit: 1 << 20} {
		got := s.send(t, methodOf(path), path, strings.Repeat(" ", limit+1), "Token: "+token)
		requireFaults(t, got, fmt.Sprintf("body: must be at most %d bytes", limit))
		got = s.send(t, methodOf(path), path, strings.Repeat(" ", limit), "Token: "+token)
		requireFaults(t, got, oneObject)
		got = s.send(t, methodOf(path), path, "{}", "Token: "+token, "Content-Type: text/plain")
		requireFaults(t, got, "Content-Type: must be application/json")
		got = s.send(t, methodOf(path), path, "{}", "Token: "+token, "Content-Encoding: gzip")
		requireFaults(t, got, "Content-Encoding: bodies must not be compressed")
	}
	require.Equal(t, before, s.records(t))
	requireForbidden(t, s.send(t, http.MethodPut, pathUpdate, strings.Repeat(" ", MaxBody), "Token: x"))
}

// MaxBody is more than any body may have.
const MaxBody = 2 << 20
