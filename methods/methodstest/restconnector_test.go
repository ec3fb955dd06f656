package methodstest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

func randomText() string { return rand.Text() }

// restConnector is a connector as its author would write it. Its parts are functions, so that a mutant replaces one.
type restConnector struct {
	can     methods.Capabilities
	minor   func(store.Amount, string) (string, error)
	major   func(string, string) (store.Amount, error)
	request func(op methods.Operation, r rest.Request) rest.Request
	perform func(rest.Reply, methods.Operation, func(restPayment) methods.Answer) methods.Answer
	find    func(rest.Reply, methods.Operation, func(restPayment) methods.Answer) methods.Answer
	answer  func(op methods.Operation, p restPayment, a methods.Answer) methods.Answer
	send    func(ctx context.Context, r rest.Request) rest.Reply
	check   func(op methods.Operation) string
	confirm func(op methods.Operation, back methods.Return, a methods.Answer) methods.Answer
}

func newRestConnector(base string) *restConnector {
	iso := (*methods.Currencies)(nil)
	api := rest.Must(rest.New(base, rest.Options{KeyHeader: "Idempotency-Key"}))
	return &restConnector{
		can: methods.Capabilities{
			Powers:          []methods.Power{methods.Finds, methods.Completes},
			IdempotentByKey: true, Holds: true, Lateness: time.Minute,
		},
		minor: iso.Minor, major: iso.Major, send: api.Send,
		perform: rest.Performed[restPayment], find: rest.Found[restPayment],
		request: func(_ methods.Operation, r rest.Request) rest.Request { return r },
		answer:  func(_ methods.Operation, _ restPayment, a methods.Answer) methods.Answer { return a },
		confirm: func(_ methods.Operation, _ methods.Return, a methods.Answer) methods.Answer { return a },
		check: func(op methods.Operation) string {
			if op.Key == "" || kinds[op.Kind] == "" {
				return "Operation is not supported"
			}
			return ""
		},
	}
}

var kinds = map[store.Operation]string{
	store.OpSale: "charge", store.OpAuth: "hold", store.OpCapture: "capture", store.OpRefund: "refund",
}

func (c *restConnector) Capabilities() methods.Capabilities { return c.can }

func (c *restConnector) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	if wrong := c.check(op); wrong != "" {
		return methods.Declined(op, wrong)
	}
	units, err := c.minor(op.Amount, op.Currency)
	if err != nil {
		return methods.Declined(op, err.Error())
	}
	var sent struct{ Card string }
	_ = json.Unmarshal(op.Parameters, &sent)
	r := c.request(op, rest.Request{Path: "/payments", Key: op.Key, Header: keyOf(op), Body: restPayment{
		Kind: kinds[op.Kind], Of: op.ParentReference, Units: units, Currency: op.Currency, Card: sent.Card,
		Back: op.ReturnURL,
	}})
	return c.perform(c.send(ctx, r), op, c.said(op))
}

func (c *restConnector) Find(ctx context.Context, op methods.Operation) methods.Answer {
	if op.Key == "" {
		return methods.Unknown(op, "a question without a key")
	}
	question := rest.Request{Path: "/payments/" + url.PathEscape(op.Key), Header: keyOf(op)}
	return c.find(c.send(ctx, question), op, c.said(op))
}

func (c *restConnector) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	if len(op.Continuation) == 0 || len(back.Params["proof"]) != 1 {
		return c.confirm(op, back, methods.Unverified(op, "a return without a proof"))
	}
	reply := c.send(ctx, rest.Request{
		Path: "/payments/" + url.PathEscape(string(op.Continuation)) + "/confirm", Header: keyOf(op),
		Body: map[string]string{"Proof": back.Params["proof"][0]},
	})
	if reply.Status == http.StatusForbidden {
		return c.confirm(op, back, methods.Unverified(op, "the acquirer does not believe the proof"))
	}
	return rest.Found(reply, op, c.said(op))
}

func keyOf(op methods.Operation) http.Header {
	return http.Header{"X-Api-Key": {op.MID.Secrets["api_key"].Reveal()}}
}

func (c *restConnector) said(op methods.Operation) func(restPayment) methods.Answer {
	return func(p restPayment) (a methods.Answer) {
		switch p.Status {
		case "paid":
			a = methods.Approved(op, p.ID)
		case "refused":
			a = methods.Declined(op, p.Reason)
		case "away":
			a = methods.Redirected(op, store.Redirect{URL: p.Page, Method: "GET"}, []byte(p.ID))
		default:
			return methods.Unknown(op, "the acquirer answered an unknown status")
		}
		amount, err := c.major(p.Units, p.Currency)
		if err != nil {
			return methods.Unknown(op, err.Error())
		}
		a.Key, a.Amount, a.Currency, a.Reference = p.Key, amount, p.Currency, p.ID
		return c.answer(op, p, a)
	}
}

// TestRestConnector: the connector without a fault holds the whole contract.
func TestRestConnector(t *testing.T) {
	t.Parallel()
	Run(t, restSubject(t, func(base string) methods.Connector { return newRestConnector(base) }))
}
