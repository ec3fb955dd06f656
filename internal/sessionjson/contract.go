package sessionjson

import (
	"slices"

	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/jsonbody"
)

// CheckoutFields describes the session request of Checkout.
func CheckoutFields(rows []fields.Row) []contract.Field {
	rows = slices.DeleteFunc(of(fields.OfCheckout, fields.OfHosted, rows), func(r fields.Row) bool {
		return slices.Contains(onlyHosted, r.Path)
	})
	return jsonbody.Body[checkoutBody](append(rows, noLanguage))
}

// noLanguage is a field that both addresses have, and that counts of the payer's only.
var noLanguage = fields.Row{Path: "payee_billing_address.language", Requirement: contract.Optional,
	Forms: []fields.Form{fields.Words("not used")}}

// onlyHosted are the rows about what a session of Checkout cannot have.
var onlyHosted = []string{"customer.ip", "return_url"}

// HostedFields describes the token request of Hosted Payment Fields.
func HostedFields(rows []fields.Row) []contract.Field {
	rows = of(fields.OfHosted, fields.OfCheckout, rows)
	for i := range rows {
		if rows[i].Path == "operation" {
			rows[i].Forms = []fields.Form{fields.Operations(fields.SessionKinds(true))}
		}
	}
	return jsonbody.Body[hostedBody](append(rows, noLanguage))
}

// of decides the conditions that are about the protocol.
func of(own, other string, rows []fields.Row) []fields.Row {
	rows = slices.Clone(rows)
	for i := range rows {
		switch rows[i].Condition {
		case own:
			rows[i].Requirement, rows[i].Condition = contract.Required, ""
		case other:
			rows[i].Requirement, rows[i].Condition = contract.Optional, ""
		}
	}
	return rows
}

// Renamed are rows of a session request under the names of another request, whose fields may be left out.
func Renamed(rows []fields.Row, names map[string]string) (list []fields.Row) {
	for _, row := range rows {
		if name, ok := names[row.Path]; ok {
			row.Path, row.Requirement, row.Condition = name, contract.Optional, ""
			list = append(list, row)
		}
	}
	return list
}
