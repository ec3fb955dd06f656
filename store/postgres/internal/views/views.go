// Package views writes the SQL views of a schema: the records as columns, for people who report with SQL. It reads the
// types that callers of the gateway get, so that a new field of them becomes a column. What the gateway keeps for
// itself is in none of them; what is sealed, and what opens something, is left out.
package views

//go:generate go test . -run ^TestViews$ -rewrite

import (
	"reflect"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// View is a view of the records of a table, or of the elements of a list in them.
type View struct {
	Name   string
	Record reflect.Type // of a row
	prefix string       // of the table
	list   string       // name of the list in the document; empty: a row is a record
	// texts says that times are texts, as encoding/json writes them, and no numbers.
	texts bool
	// made are the columns of fields that the document does not hold as they are, and of what is no field.
	made []made
	// left are fields that are left out, by their Go names, nested ones with dots.
	left []string
}

// made is a column with an expression of its own. x is the row of the table, d the document, e an element of the list.
type made struct{ field, column, sql string }

const id = "SCHEMA.record_id(x.key)"

// opens are fields that are as good as a key: to know one is enough to charge, or to see a payment.
const opens = "CardToken RecurringToken Extra.CardTokens Credential Facts.Credential TokenHash PageHash"

// All returns every view.
func All() []View {
	return []View{
		{
			Name: "payments", Record: reflect.TypeFor[store.Payment](), prefix: records.Payments.Prefix,
			made: []made{
				{"ID", "id", id},
				{"Running", "running", transactionOf("run")}, {"Charge", "charge", transactionOf("charge")},
				{"UpdatedAt", "updated_at", lastMoment},
			},
			left: words(opens, "Transactions"),
		},
		{
			Name: "transactions", Record: reflect.TypeFor[store.Transaction](), prefix: records.Payments.Prefix, list: "t",
			made: []made{
				{"Number", "number", "e.n::int"}, {"PaymentID", "payment_id", id}, {"MerchantID", "merchant_id", "r.d ->> 'm'"},
				{"Currency", "currency", "r.d -> 'o' ->> 'c'"}, {"MIDID", "mid_id", "r.d ->> 'mid'"},
			},
			// what the payer sees while they wait is for the page
			left: words(opens, "Display Prompts"),
		},
		{
			Name: "callbacks", Record: reflect.TypeFor[store.Callback](), prefix: records.Callbacks.Prefix,
			made: []made{
				{"ID", "id", id}, {"PaymentID", "payment_id", "regexp_replace(" + id + `, '\.[0-9]+$', '')`},
				{"Number", "number", "substring(" + id + ` from '\.([0-9]+)$')::int`},
				{"Due", "due", "case r.d ->> 's' when 'due' then coalesce(SCHEMA.moment(r.d ->> 'due'), " +
					"SCHEMA.moment(r.d ->> 'at')) else SCHEMA.moment(r.d ->> 'due') end"},
			},
			// a body may have a token
			left: words(opens, "Body Attempts"),
		},
		{
			Name: "callback_attempts", Record: reflect.TypeFor[store.Attempt](), prefix: records.Callbacks.Prefix,
			list: "attempts", made: []made{{"", "callback_id", id}, {"", "number", "e.n::int"}},
		},
		{
			Name: "sessions", Record: reflect.TypeFor[store.Session](), prefix: records.Sessions.Prefix,
			made: []made{{"ID", "id", id}},
			// a signature is the gateway's own, and payer_input is the page's
			left: words(opens, "Signature HeldCard HeldUntil PayerInput Parameters SealedParameters"),
		},
		{
			Name: "schedules", Record: reflect.TypeFor[store.Schedule](), prefix: records.Schedules.Prefix, texts: true,
		},
	}
}

func words(lists ...string) []string { return strings.Fields(strings.Join(lists, " ")) }

// transactionOf returns the id of the transaction that a field names by its number.
func transactionOf(field string) string {
	return "r.d -> 't' -> ((r.d ->> '" + field + "')::int - 1) ->> 'id'"
}

// lastMoment is updated_at, which is left out of the document when it is that of a transaction.
const lastMoment = "coalesce(SCHEMA.moment(r.d ->> 'up'), (select max(m) " +
	"from jsonb_array_elements(r.d -> 't') as t (d), lateral (values (SCHEMA.moment(r.d ->> 'at')), " +
	"(SCHEMA.moment(t.d ->> 'at')), (SCHEMA.moment(t.d ->> 'done'))) as v (m)))"

func (v View) leaves(path string) bool { return slices.Contains(v.left, path) }
