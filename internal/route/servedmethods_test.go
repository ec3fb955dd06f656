package route_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Every code of the catalogue, with every kind of payment, on every protocol (decision bo): accepted with complete
// parameters, refused by name for each missing required parameter, and refused with 204005 if the code does not
// support the operation.

// whole is the complete parameters and request fields of a method, from the samples of its rows.
type whole struct {
	code     string
	tree     map[string]any
	required []methods.Row // that the request must have
	changes  []func(*gateway.ChargeRequest)
}

var chargedBy = map[store.Kind]store.Operation{
	store.Purchase: store.OpSale, store.Debit: store.OpDebit, store.Transfer: store.OpTransfer,
	store.Credit: store.OpCredit,
}

// wholeOf uses the sets that always apply, and the first of each set of alternatives.
func wholeOf(c *methods.Catalogue, code string, kind store.Kind, spelling methods.Spelling) whole {
	w := whole{code: code, tree: map[string]any{}}
	method, _ := c.Lookup(code)
	groups := map[string]bool{}
	for _, use := range method.Sets {
		forOp := len(use.Operations) == 0
		for _, op := range use.Operations {
			forOp = forOp || op == chargedBy[kind]
		}
		if !forOp || use.IfSent || use.Spelling != "" && use.Spelling != spelling || groups[use.Group] {
			continue
		}
		groups[use.Group] = use.Group != ""
		checker, _ := c.Set(use.Set)
		for _, row := range checker.Set().Rows {
			w.take(row)
		}
	}
	return w
}

func (w *whole) take(row methods.Row) {
	needed := row.Requirement == methods.Required || row.When == methods.WhenNotAsked || row.When == methods.WhenNotExempt
	if !needed || row.Default != "" || row.Path == "paymentToken" {
		return
	}
	if row.Request {
		w.changes = append(w.changes, fieldOf(row))
		return
	}
	w.required = append(w.required, row)
	if row.Rule.Kind != methods.RuleList {
		put(w.tree, strings.Split(strings.ReplaceAll(row.Path, "[]", ".[]"), "."), row.Sample())
	}
}

func put(tree map[string]any, path []string, value any) {
	switch {
	case len(path) == 1:
		tree[path[0]] = value
	case path[1] == "[]":
		if tree[path[0]] == nil {
			tree[path[0]] = []any{map[string]any{}}
		}
		put(tree[path[0]].([]any)[0].(map[string]any), path[2:], value)
	default:
		if tree[path[0]] == nil {
			tree[path[0]] = map[string]any{}
		}
		put(tree[path[0]].(map[string]any), path[1:], value)
	}
}

// without returns the tree without one row; for a row of a list, without it in the first element.
func (w *whole) without(row methods.Row) json.RawMessage {
	text, _ := json.Marshal(w.tree)
	var tree map[string]any
	_ = json.Unmarshal(text, &tree)
	at, steps := tree, strings.Split(strings.ReplaceAll(row.Path, "[]", ".[]"), ".")
	for i, step := range steps {
		switch next := at[step].(type) {
		case []any:
			if i == len(steps)-1 {
				delete(at, step)
				break
			}
			at = next[0].(map[string]any)
		case map[string]any:
			at = next
		default:
			delete(at, steps[len(steps)-1])
		}
	}
	text, _ = json.Marshal(tree)
	return text
}

// spelled is a protocol's name of the row.
func (w *whole) spelled(row methods.Row, spelling methods.Spelling) string {
	path, err := methods.ParsePath(strings.ReplaceAll(row.Path, "[]", "[0]"))
	if err != nil {
		panic(err)
	}
	return path.Spell(spelling, w.code)
}

// fieldOf sets a field of the request that a row restricts.
func fieldOf(row methods.Row) func(*gateway.ChargeRequest) {
	return func(r *gateway.ChargeRequest) {
		switch value := row.Sample(); row.Path {
		case "order_currency":
			r.Order.Currency = value
		case "order_amount":
			if r.Order.Amount = value; !strings.Contains(value, ".") && r.Order.Currency == "USD" {
				r.Order.Amount = value + ".00"
			}
		case "payee_email":
			if r.Payee == nil {
				return // of a kind that the code does not support
			}
			r.Payee.Email = value
		}
	}
}

var servedNumber atomic.Int64

// request is a charge by the code; a required payee has a name.
func (w *whole) request(c *methods.Catalogue, protocol store.Protocol, kind store.Kind,
	parameters json.RawMessage) gateway.ChargeRequest {
	method, _ := c.Lookup(w.code)
	r := gateway.ChargeRequest{
		Protocol: protocol, Kind: kind, Method: w.code, Parameters: parameters,
		Order: store.Order{Number: fmt.Sprintf("ORDER-%07d", servedNumber.Add(1)), Amount: "10.00", Currency: "USD",
			Description: "Important gift"},
		Payer: store.Payer{Name: "John Doe", FirstName: "John", LastName: "Doe", Email: "doe@example.com", IP: "203.0.113.7",
			Address: store.Address{Phone: "+15551234567"}},
		Identifier: "success@gmail.com", ReturnURL: "https://shop.example/back",
	}
	if kind == store.Credit || kind == store.Transfer {
		r.Payee = &store.Payer{Name: "Jane Roe", FirstName: "Jane", LastName: "Roe", Email: "roe@example.com"}
	}
	if len(method.Currencies) > 0 {
		r.Order.Currency = method.Currencies[0]
	}
	if method.Kind == methods.KindCard {
		card := gatewaytest.Settles
		r.Card, r.PayeeCard = &card, &methods.Card{PAN: card.PAN}
	}
	for _, change := range w.changes {
		change(&r)
	}
	return r
}

// doorsOf are the protocols that charge a code without a page.
func doorsOf(method methods.Method) (doors []store.Protocol) {
	for _, protocol := range store.Protocols() {
		if method.ServesProtocol(protocol) || protocol == store.S2SCard && method.Kind == methods.KindWallet {
			doors = append(doors, protocol)
		}
	}
	return doors
}

func TestEveryCodeByCharge(t *testing.T) {
	t.Parallel()
	c, err := methods.NewCatalogue()
	require.NoError(t, err)
	kit := gatewaytest.New(t)
	served, refused, missing := 0, 0, 0
	for _, code := range c.Codes() {
		method, _ := c.Lookup(code)
		for _, protocol := range doorsOf(method) {
			spelling := methods.JSON
			if protocol != store.Checkout {
				spelling = methods.Form
			}
			for _, kind := range store.Kinds() {
				name := fmt.Sprintf("%s %s %s", code, protocol, kind)
				w := wholeOf(c, code, kind, spelling)
				complete, _ := json.Marshal(w.tree)
				_, err := kit.Shop().Charge(t.Context(), w.request(c, protocol, kind, complete))
				if !method.Serves(chargedBy[kind]) {
					require.ErrorIs(t, err, gateway.ErrAction, name)
					refused++
					continue
				}
				if method.Kind == methods.KindWallet {
					require.ErrorIs(t, err, gateway.ErrInvalid, name)
					require.Len(t, gateway.AsError(err).Faults(), 1, "%s: only the token is missing", name)
					continue
				}
				require.NoError(t, err, name)
				served++
				for _, row := range w.required {
					_, err := kit.Shop().Charge(t.Context(), w.request(c, protocol, kind, w.without(row)))
					require.ErrorIs(t, err, gateway.ErrInvalid, "%s without %s", name, row.Path)
					require.Equal(t, w.spelled(row, spelling), gateway.AsError(err).Faults()[0].Path, name)
					missing++
				}
			}
		}
	}
	t.Logf("%d served, %d refused, %d without a parameter", served, refused, missing)
	require.Greater(t, served, 280)
	require.Greater(t, refused, 700)
	require.Greater(t, missing, 200)
}

// The same for sessions, whose page asks for what it can.
func TestEveryCodeBySession(t *testing.T) {
	t.Parallel()
	c, err := methods.NewCatalogue()
	require.NoError(t, err)
	kit := gatewaytest.New(t)
	for _, code := range c.Codes() {
		method, _ := c.Lookup(code)
		if !method.ServesProtocol(store.Checkout) || method.Kind == methods.KindWallet {
			continue
		}
		for _, kind := range store.Kinds() {
			name := fmt.Sprintf("%s %s", code, kind)
			w := wholeOf(c, code, kind, methods.JSON)
			request := func(tree json.RawMessage) gateway.SessionRequest {
				charge := w.request(c, store.Checkout, kind, nil)
				r := gatewaytest.Request(charge.Order.Number, charge.Order.Amount)
				r.Operation, r.Methods, r.Order, r.Extra.Payee = string(kind), []string{code}, charge.Order, charge.Payee
				r.Customer, r.Billing = gateway.Customer{Name: "John Doe", Email: "doe@example.com"}, charge.Payer.Address
				r.Parameters = json.RawMessage(fmt.Sprintf(`{%q:%s}`, code, tree))
				return r
			}
			complete, _ := json.Marshal(w.tree)
			if !method.Serves(chargedBy[kind]) {
				_, err := kit.Shop().CreateSession(t.Context(), request(complete))
				require.ErrorIs(t, err, gateway.ErrAction, name)
				continue
			}
			pays(t, kit, name, request(complete), nil)
			for _, row := range w.required {
				answer := map[string]string{}
				for _, ask := range method.Prompts {
					if ask.Name == row.Path {
						answer[ask.Name] = row.Sample()
					}
				}
				if len(answer) > 0 {
					pays(t, kit, name+" asked for "+row.Path, request(w.without(row)), answer)
					continue
				}
				_, err := kit.Shop().CreateSession(t.Context(), request(w.without(row)))
				require.ErrorIs(t, err, gateway.ErrInvalid, "%s without %s", name, row.Path)
				require.Equal(t, w.spelled(row, methods.JSON), gateway.AsError(err).Faults()[0].Path, name)
			}
		}
	}
}

// pays opens a session, pays by its only method and answers the prompts; without the answer the payment is refused.
func pays(t *testing.T, kit *gatewaytest.Kit, name string, r gateway.SessionRequest, answers map[string]string) {
	t.Helper()
	token := kit.SessionOf(t, r)
	next, err := kit.NextAction(t.Context(), token)
	require.NoError(t, err)
	require.Len(t, next.Methods, 1, name)
	in := gateway.Submission{Card: gatewaytest.Settles, PayeeCard: gatewaytest.Settles.PAN, Terms: true,
		Fields: map[string]string{"billing_address.phone_country_code": "1"}} // where it is asked for (decision bh)
	if answers != nil {
		_, err := kit.PaySession(t.Context(), token, in)
		require.ErrorIs(t, err, gateway.ErrInvalid, name)
	}
	in.Answers = answers
	next, err = kit.PaySession(t.Context(), token, in)
	require.NoError(t, err, name)
	require.NotEqual(t, gateway.ActionCollect, next.Kind, name)
}

// A debit that a MID in DMS mode holds is still a debit: a method for sales only is refused.
func TestServedByTheKindNotTheMode(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Mode: store.DMS}))
	r := kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, kerneltest.ViaAPM, kerneltest.AsDebit)
	r.Method = "paypal"
	_, err := kit.Shop().Charge(t.Context(), r)
	require.ErrorIs(t, err, gateway.ErrAction)
	r = kerneltest.ChargeOf("ORD-2", gatewaytest.Settles, kerneltest.AsDebit, func(r *gateway.ChargeRequest) {
		r.Parameters = json.RawMessage(`{"payee_birth_date":{"a":"b"}}`)
	})
	_, err = kit.Shop().Charge(t.Context(), r)
	require.ErrorIs(t, err, gateway.ErrInvalid, "the set of a debit applies")
	require.Equal(t, "parameters.card.payee_birth_date", gateway.AsError(err).Faults()[0].Path)
}

// If each of several methods lacks something that the page cannot ask for, the session is refused; if only one
// does, that one is not offered.
func TestUnfinishedMethods(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Methods = []string{"tabby", "tamara"}
	_, err := kit.Shop().CreateSession(t.Context(), r)
	require.ErrorIs(t, err, gateway.ErrInvalid)
	require.Equal(t, "parameters.tabby.category", gateway.AsError(err).Faults()[0].Path)
	r.Methods = []string{"tabby", "paypal", "dl"}
	next := kerneltest.NextActionOf(t, kit, kit.SessionOf(t, r))
	require.Len(t, next.Methods, 2)
	require.Equal(t, "paypal", next.Methods[0].Code)
	require.Equal(t, "document_number", next.Methods[1].Prompts[0].Name)
}
