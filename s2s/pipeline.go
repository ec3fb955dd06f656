package s2s

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
	"github.com/tollgatepay/gateway/internal/envelope"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// Do answers one request. Every refusal is HTTP 400 and names the parameters (errors.md, "Envelopes"); an unknown
// action of the path is HTTP 404; an internal error is HTTP 500 without its reason.
func Do(ctx context.Context, gw *gateway.Gateway, r Request) Response {
	return Response(do(ctx, gw, r))
}

func do(ctx context.Context, gw *gateway.Gateway, r Request) envelope.Response {
	path, ok := pathOf(r.Path)
	if !ok {
		return notFound()
	}
	x := &exchange{call: call{gw: gw, list: path.list}, path: path, from: r}
	defer func() { x.form.Release() }()
	answer, err := gateway.Request(ctx, gw, x, answer)
	if err != nil {
		return fail(x.spelled(gw.Logged(ctx, err)))
	}
	return ok200(answer)
}

// answer answers a request. It may run twice.
func answer(ctx context.Context, x *exchange) (body, error) {
	x.form.Release()
	*x = exchange{call: call{gw: x.gw, list: x.list}, path: x.path, from: x.from}
	return x.answer(ctx)
}

// exchange is a request in the phases of its processing.
type exchange struct {
	call
	from Request
	path path
	row  *action
}

// answer runs the phases in the order of decision o: find the action, find the client, check the form, load the
// subject, check the signature, run. For an unknown payment the same digests are computed before it is reported,
// and an unknown schedule is reported to who has signed; an unknown client gets the answer to a bad hash (decision p).
func (x *exchange) answer(ctx context.Context) (body, error) {
	malformed, err := x.parse(x.from)
	if err != nil {
		return nil, err
	}
	if x.client, err = x.gw.Client(ctx, x.key("client_key")); err != nil {
		return nil, err
	}
	if err := x.speaks(); err != nil {
		return nil, err
	}
	if faults := x.row.check(&x.reading, malformed); len(faults) > 0 {
		return nil, gateway.ErrInvalid.Fields(faults...)
	}
	found, err := x.load(ctx)
	if err != nil {
		return nil, err
	}
	if err := x.speaks(); err != nil {
		return nil, err
	}
	request := x.row.signed.request(&x.call, x.row.subject)
	request.Free = x.row.free // schedules need no protocol (decision bq)
	if !found && x.row.subject.signs() {
		request.Absent = x.row.absent
	}
	if x.proof, err = x.client.Admit(&request); err != nil {
		return nil, err
	}
	if !found {
		return nil, x.row.absent
	}
	return x.row.run(ctx, &x.call)
}

// speaks returns the error of a protocol whose mapping cannot be read. When path and action do not decide the
// protocol, the payment does, and has to be known first.
func (x *exchange) speaks() error {
	if len(x.row.protocols) != 1 && len(x.path.protocols) != 1 && x.payment == nil {
		return nil
	}
	return x.client.Speaks(x.protocol)
}

// merchants are the parameters in brackets that belong to the merchant and come back as they were sent. Any key is
// valid: forms of PHP have numbers as keys, as in custom_data[1234].
var merchants = []string{"custom_data"}

// parse reads the body and finds the action. A body that is too broken to find its action is rejected with the
// faults of the form.
func (x *exchange) parse(r Request) (bracketform.Faults, error) {
	if err := envelope.Plain(r.ContentEncoding); err != nil {
		return nil, err
	}
	form, faults := bracketform.ParseBody(r.ContentType, r.Body, bracketform.Limits{Objects: merchants})
	x.form = form
	if faults.Has("action") || faults.Has("body") {
		return nil, gateway.ErrInvalid.Fields(faults...)
	}
	x.row = find(x.path, x.text("action"), x.text("brand") != "" || faults.Has("brand"))
	if x.row == nil {
		return nil, errRoute
	}
	if len(r.Body) > x.row.limit {
		return nil, gateway.ErrInvalid.Fields(gateway.Fault{Path: "body", Text: fields.TextSize(x.row.limit)})
	}
	x.action, x.takes, x.cards, x.protocol = x.row.name, x.row.has, x.row.cards(), x.ruledBy()
	x.answers = x.row.answers
	return faults, nil
}

// load reads the subject, which decides the protocol of the request. A payment of the other protocol counts as
// unknown here.
func (x *exchange) load(ctx context.Context) (found bool, err error) {
	if found, err = x.row.subject.load(ctx, &x.call); err != nil {
		return false, err
	}
	if x.payment != nil && !x.serves(protocolOf(x.payment)) {
		x.payment, found = nil, false
	}
	x.protocol = x.ruledBy()
	return found, nil
}

// serves reports whether path and action are for payments of a protocol.
func (x *exchange) serves(p store.Protocol) bool {
	return x.path.serves(p) && slices.Contains(x.row.protocols, p)
}

// ruledBy returns the protocol whose rules apply: the action's, or when both have the action, that of the named
// payment.
func (x *exchange) ruledBy() store.Protocol {
	switch {
	case len(x.row.protocols) == 1:
		return x.row.protocols[0]
	case len(x.path.protocols) == 1:
		return x.path.protocols[0]
	case x.payment != nil:
		return protocolOf(x.payment)
	}
	return store.S2SCard
}

// spelled translates the field names of a refusal into the action's, once the action is known.
func (x *exchange) spelled(e *gateway.Error) *gateway.Error {
	if x.row == nil {
		return e
	}
	return x.row.spelled(x.form, e)
}
