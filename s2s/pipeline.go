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

// Do answers one request. Every refusal is HTTP 400 naming the parameters (errors.md, "Envelopes");
// what is no action of the path is HTTP 404; a fault of our own is HTTP 500 without its reason.
func Do(ctx context.Context, gw *gateway.Gateway, r Request) Response {
	path, ok := pathOf(r.Path)
	if !ok {
		return notFound()
	}
	x := &exchange{call: call{gw: gw, list: path.list}, path: path}
	answer, err := x.answer(ctx, r)
	if err != nil {
		return fail(x.spelled(gw.Logged(ctx, err)))
	}
	return ok200(answer)
}

// exchange is a request on its way through the phases.
type exchange struct {
	call
	path path
	row  *action
}

// answer runs the phases in the order of decision o: find the action, find the client, check the form,
// load the subject, check the signature, run. A subject that is not there costs the same digests and is
// then reported; a client that does not exist gets the answer to a bad hash (decision p).
func (x *exchange) answer(ctx context.Context, r Request) (object, error) {
	malformed, err := x.parse(r)
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
	x.proof = x.row.signed.verify(&x.call, x.row.subject)
	switch {
	case !x.client.Known():
		return nil, errHash
	case !found:
		return nil, x.row.absent
	case x.proof == nil:
		return nil, errHash
	case x.client.Off(), x.closed():
		return nil, gateway.ErrNoMID
	}
	return x.row.run(ctx, &x.call)
}

// speaks is the error of a protocol whose mapping cannot be read. Where the path and the action leave it to the
// payment, that has to be known first.
func (x *exchange) speaks() error {
	if len(x.row.protocols) != 1 && len(x.path.protocols) != 1 && x.payment == nil {
		return nil
	}
	return x.client.Speaks(x.protocol)
}

// closed reports an action whose protocol is switched off for this client. Schedules need none (decision bq).
func (x *exchange) closed() bool {
	return !x.row.free && x.client.Mapping(x.protocol).Disabled
}

// merchants are the parameters in brackets that are the merchant's own and come back as they were sent. Any
// key is good there: forms of PHP have numbers for keys, as in custom_data[1234].
var merchants = []string{"custom_data"}

// parse reads the body and finds the action. A body that is too broken to find its action is
// rejected for what is broken.
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
	return faults, nil
}

// load reads the subject, and with it whose rules the request is under. A payment of the other protocol does
// not exist here.
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

// ruledBy is whose rules the request is under: the action's, and where both have it that of the payment it
// names.
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

// spelled names what the gateway refused as the action spells it, once that is found.
func (x *exchange) spelled(e *gateway.Error) *gateway.Error {
	if x.row == nil {
		return e
	}
	return x.row.spelled(x.form, e)
}
