package hpf

import (
	"strings"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/contract"
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
	"/api/v1/processing/purchase/card": describePay("purchase", "Pays the session with the card that the fields collected."),
	"/api/v1/processing/debit/card":    describePay("debit", "Debits the card that the fields collected."),
}

func describeToken() contract.Call {
	return contract.Call{Name: "token", Says: "Opens a session for fields on the merchant's own page.",
		Fields:  sessionjson.HostedFields(gateway.SessionRows()),
		Answers: told[tokenAnswer](), Formulas: []signature.Formula{signature.CheckoutSession}}
}

func describeUpdate() contract.Call {
	return contract.Call{Name: "update", Says: "Changes a session before it is paid. At least one field is sent.",
		Fields:  jsonbody.Body[updateBody](sessionjson.Renamed(gateway.SessionRows(), updated)),
		Answers: told[updateAnswer](), Closed: true}
}

func describePay(name, says string) func() contract.Call {
	return func() contract.Call {
		rows := append(payFields.Rows(), sessionjson.Renamed(gateway.SessionRows(), paidWith())...)
		return contract.Call{Name: name, Says: says, Fields: jsonbody.Body[payBody](rows), Answers: told[payAnswer]()}
	}
}

func told[T any]() []contract.Answer { return []contract.Answer{{Fields: jsonbody.Told[T]()}} }

// updated are the fields of a session that an update has, by their names there.
var updated = map[string]string{"parameters": "parameters", "custom_data": "custom_data"}

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
