package hpf

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/contract"
	rules "github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/jsonbody"
	"github.com/tollgatepay/gateway/internal/sessionjson"
)

// Contract describes the calls of the protocol, for package openapi and the reference.
func Contract() (calls []contract.Call) {
	for _, e := range endpoints {
		c := described[e.path]()
		c.Protocol, c.Method, c.Paths, c.Limit, c.Token = contract.Hosted, e.method, []string{e.path}, e.limit, e.token
		calls = append(calls, c)
	}
	return calls
}

// described are the endpoints by their paths; a test holds it against their table.
var described = map[string]func() contract.Call{
	"/api/v1/session/token": describeToken, "/api/v1/session/update": describeUpdate,
	"/api/v1/processing/purchase/card": describePay("purchase", "Pays the session with the card that the fields "+
		"collected."),
	"/api/v1/processing/debit/card": describePay("debit", "Debits the card that the fields collected."),
}

func describeToken() contract.Call {
	return contract.Call{Name: "token", Says: "Opens a session for fields on the merchant's own page.",
		Notes:   rules.SaysProof,
		Fields:  sessionjson.HostedFields(gateway.SessionRows()),
		Answers: told[tokenAnswer](), Formulas: []signature.Formula{signature.CheckoutSession}}
}

func describeUpdate() contract.Call {
	return contract.Call{Name: "update", Says: "Changes a session before it is paid. At least one field is sent.",
		Notes: "No signature protects a change: who has the token can make it, and **the token is in the payer's " +
			"browser**. The amount, the currency and the chain of a session may be others than your backend has set. Send " +
			"`expected_amount` and `expected_currency` with the payment, and compare amount and currency of the callback " +
			"with your order before you deliver. The option RequireExpected of the mapping refuses a payment or an update " +
			"without both.",
		Fields:  jsonbody.Body[updateBody](append(sessionjson.Renamed(gateway.SessionRows(), updated), updateRows...)),
		Answers: told[updateAnswer](), Closed: true}
}

func describePay(name, says string) func() contract.Call {
	return func() contract.Call {
		rows := append(payFields.Rows(), sessionjson.Renamed(gateway.SessionRows(), paidWith())...)
		rows[0].Forms = formsOf("customer.name") // of name, which the gateway checks as it checks that one
		rows = append(rows, payRows...)
		return contract.Call{Name: name, Says: says, Fields: jsonbody.Body[payBody](rows), Answers: paidAnswers(),
			Notes: "It pays with the card that the payer has typed into the fields. Until the page has collected one, it is " +
				"refused with `card_number: This value should not be blank.`. No request of yours can bring the card: this " +
				"part needs a browser, with the page above."}
	}
}

// results are the results of a payment, with the members that each has beside those of every answer, and what it says.
var results = []struct{ name, members, means string }{
	{"success", "recurring_token recurring_init_trans_id first_recurring_date", "the session is paid, or its " +
		"money is held"},
	{"decline", "decline_message", "it was refused, and nothing was taken; `decline_message` tells why. The payer may " +
		"type a card once more and the session be paid again, until as many attempts are declined as the mapping allows"},
	{"redirect", "redirect_url redirect_params", "the payer has to go to another page. Send the browser to " +
		"`redirect_url`: where `redirect_params` is sent, a list of objects with `name` and `value`, by POST with a form " +
		"that has these as hidden fields, else by a plain redirect. The payer comes back to `return_url`, or to another " +
		"URL of the session that fits. Then wait for the callback, or ask for the status"},
	{"waiting", "", "it has begun, and the outcome is still to come. Wait for the callback, or ask for the status"},
	{"undefined", "", "the outcome is not known yet. Do not pay again: wait for the callback, or ask for the status"},
}

// paidAnswers are the answers to a payment, by their results.
func paidAnswers() (list []contract.Answer) {
	for _, r := range results {
		own := strings.Fields(r.members)
		a := contract.Answer{Result: r.name, Means: r.means}
		for _, f := range jsonbody.Told[payAnswer]() {
			if slices.Contains(ofEveryResult, f.Path) || slices.Contains(own, f.Path) {
				a.Fields = append(a.Fields, f)
			}
		}
		list = append(list, a)
	}
	return list
}

var ofEveryResult = []string{"result", "public_id", "return_url_query_params"}

func told[T any]() []contract.Answer { return []contract.Answer{{Fields: jsonbody.Told[T]()}} }

// updated are the fields of a session that an update has, by their names there.
var updated = map[string]string{"parameters": "parameters", "custom_data": "custom_data",
	"order.amount": "order_amount", "order.currency": "order_currency", "recurring_init": "recurring_init",
	"req_token": "req_token"}

// The rows of fields that a session does not have, or that are asked otherwise than there.
var (
	expected = []contract.Row{
		{Path: "expected_amount", Requirement: contract.Conditional, Condition: "where the mapping has RequireExpected",
			Forms: []contract.Form{{Words: "refused when the session is about another amount"}}},
		{Path: "expected_currency", Requirement: contract.Conditional, Condition: "where the mapping has RequireExpected",
			Forms: []contract.Form{{Words: "refused when the session is in another currency"}}},
	}
	updateRows = append([]contract.Row{{Path: "schedule_id", Requirement: contract.Optional,
		Forms: []contract.Form{{Words: "for operation purchase; needs recurring_init"}}}}, expected...)
	payRows = append([]contract.Row{{Path: "billing_address.language", Requirement: contract.Optional,
		Forms: []contract.Form{{Words: "not used: selected_language is"}}}}, expected...)
)

// formsOf is what a description says of a field of a session.
func formsOf(path string) []contract.Form {
	rows := gateway.SessionRows()
	return rows[slices.IndexFunc(rows, func(row contract.Row) bool { return row.Path == path })].Forms
}

// paidWith are the fields of a session that a payment repeats, by their names there.
func paidWith() map[string]string {
	names := map[string]string{"customer.email": "email", "customer.birth_date": "birth_date",
		"billing_address.language": "selected_language"}
	for _, row := range gateway.SessionRows() {
		if strings.HasPrefix(row.Path, "billing_address.") && names[row.Path] == "" {
			names[row.Path] = row.Path
		}
	}
	return names
}
