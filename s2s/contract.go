package s2s

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Contract describes the actions of both protocols, for package openapi and the reference. An action for payments of
// both stands with S2S CARD first.
func Contract() (calls []contract.Call) {
	for i := range actions {
		for _, protocol := range actions[i].protocols {
			calls = append(calls, actions[i].describe(protocol))
		}
	}
	return calls
}

// Refusals are the errors of S2S that the catalogue does not have.
func Refusals() []*refusal.Error {
	return []*refusal.Error{errRoute, errHash, errTransaction, errOrder, errPayment, errSchedule, errChain}
}

func (a *action) describe(protocol store.Protocol) contract.Call {
	c := contract.Call{Protocol: contract.S2SCard, Name: a.name, Action: a.name, Alias: a.alias,
		Says: a.says, Notes: a.notes, Since: a.since, Method: "POST",
		Limit: a.limit, Form: true, Formulas: a.signed.card, Errors: []*refusal.Error{errHash}}
	if protocol == store.S2SAPM {
		c.Protocol, c.Formulas = contract.S2SAPM, a.signed.apm
	}
	for _, formula := range slices.Clone(c.Formulas) {
		if token, ok := ofToken[formula]; ok && a.has("card_token") {
			c.Formulas = append(c.Formulas, token)
		}
		if formula == signature.Card1 && a.has("payment_token") {
			c.Formulas = append(c.Formulas, signature.Card8)
		}
	}
	if a.absent != nil {
		c.Errors = append(c.Errors, a.absent)
	}
	for _, p := range paths {
		if p.serves(protocol) {
			c.Paths = append(c.Paths, p.name)
		}
	}
	c.Fields, c.Answers = a.requested(), a.told(protocol)
	return c
}

// requested are the parameters of the action.
func (a *action) requested() (list []contract.Field) {
	for _, row := range fields.Rows(a.fields) {
		f := contract.Field{Row: row, Type: contract.Text}
		if inBrackets(row.Path) {
			f.Type = contract.Object
		}
		list = append(list, f)
		for _, name := range row.Also {
			f.Path, f.Requirement, f.Also = name, contract.Optional, nil
			list = append(list, f)
		}
		if row.Path == "mpi_data" {
			for _, part := range mpiFields.Rows() {
				list = append(list, contract.Field{Row: part, Type: contract.Text})
			}
		}
	}
	return list
}

func inBrackets(name string) bool {
	return slices.Contains([]string{"parameters", "custom_data", "mpi_data"}, name)
}

// told are the answers, by the results that they carry.
func (a *action) told(protocol store.Protocol) (list []contract.Answer) {
	for _, result := range []string{success, accepted, declined, redirect, started, undefined} {
		names, ok := a.answers[result]
		if !ok {
			continue
		}
		means := a.means(result)
		if answeredAsSuccess[a.name] == result && (a.name != "SALE" || protocol == store.S2SAPM) {
			result = success
		}
		list = append(list, contract.Answer{Result: result, Means: means, Open: strings.HasPrefix(a.name, "GET_"),
			Fields: contract.Typed(contract.Texted(optionalAfter(names)...), answerTypes)})
	}
	return list
}

// optionalAfter marks the members that an answer may lack: all but those by which a client knows what it is about.
func optionalAfter(names string) (list []string) {
	for name := range strings.FieldsSeq(names) {
		if !slices.Contains([]string{"action", "result"}, name) {
			name += "?"
		}
		list = append(list, name)
	}
	return list
}

var answerTypes = map[string]contract.Type{
	"redirect_params": contract.Either, "transactions": contract.List, "delays": contract.Nothing,
	"interval_length": contract.Number, "day_of_month": contract.Number, "payments_count": contract.Number,
	"first_payment_interval_length": contract.Number, "first_payment_day_of_week": contract.Number,
	"first_payment_day_of_month": contract.Number,
}

// Refused is the body by which the protocol answers an error.
func Refused(e *refusal.Error) []byte { return fail(e).Body }
