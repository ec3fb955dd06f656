package s2s

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
	"github.com/tollgatepay/gateway/store"
)

// call is a request on its way through the phases.
type call struct {
	gw     *gateway.Gateway
	path   path
	row    *action
	form   bracketform.Form
	client *gateway.Client
	// payment is the subject: the payment that is named, the newest of an order, the first of a chain; nil
	// without one.
	payment  *store.Payment
	schedule *store.Schedule
	proof    *gateway.Proof // the signature, once it was found good
}

// answer runs the phases in the order of decision o: find the action, find the client, check the form,
// load the subject, check the signature, run. A subject that is not there costs the same digests and is
// then told; a client nobody knows gets the answer to a bad hash (decision p).
func (c *call) answer(ctx context.Context, r Request) (object, error) {
	malformed, err := c.parse(r)
	if err != nil {
		return nil, err
	}
	if c.client, err = c.gw.Client(ctx, c.key("client_key")); err != nil {
		return nil, err
	}
	if err := c.speaks(); err != nil {
		return nil, err
	}
	if faults := c.check(malformed); len(faults) > 0 {
		return nil, gateway.ErrInvalid.Fields(faults...)
	}
	found, err := c.load(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.speaks(); err != nil {
		return nil, err
	}
	genuine := c.verify()
	switch {
	case !c.client.Known():
		return nil, errHash
	case !found:
		return nil, c.row.absent
	case !genuine:
		return nil, errHash
	case c.client.Off(), c.closed():
		return nil, gateway.ErrNoMID
	}
	return c.row.run(ctx, c)
}

// speaks is the error of a protocol whose mapping cannot be read. Where the path and the action leave it to the
// payment, that has to be known first.
func (c *call) speaks() error {
	if len(c.row.protocols) != 1 && len(c.path.protocols) != 1 && c.payment == nil {
		return nil
	}
	return c.client.Speaks(c.protocol())
}

// closed reports an action whose protocol is switched off for this client. Schedules need none (decision bq).
func (c *call) closed() bool {
	return !c.row.free && c.client.Mapping(c.protocol()).Disabled
}

// merchants are the parameters in brackets that are the merchant's own and come back as they were sent. Any
// key is good there: forms of PHP have numbers for keys, as in custom_data[1234].
var merchants = []string{"custom_data"}

// parse reads the body and finds the action. A body that is broken so that its action cannot be told is
// refused for what is broken.
func (c *call) parse(r Request) (bracketform.Faults, error) {
	if r.ContentEncoding != "" && r.ContentEncoding != "identity" {
		return nil, gateway.ErrInvalid.Fields(gateway.Fault{Path: "Content-Encoding", Text: "bodies must not be compressed"})
	}
	form, faults := bracketform.ParseBody(r.ContentType, r.Body, bracketform.Limits{Objects: merchants})
	c.form = form
	if faults.Has("action") || faults.Has("body") {
		return nil, gateway.ErrInvalid.Fields(faultsOf(faults)...)
	}
	if c.row = find(c.path, c.text("action"), c.text("brand") != "" || faults.Has("brand")); c.row == nil {
		return nil, errRoute
	}
	if len(r.Body) > c.row.limit {
		return nil, gateway.ErrInvalid.Fields(gateway.Fault{Path: "body", Text: textSize(c.row.limit)})
	}
	return faults, nil
}

func faultsOf(found bracketform.Faults) []gateway.Fault {
	list := make([]gateway.Fault, len(found))
	for i, fault := range found {
		list[i] = gateway.Fault{Path: fault.Path, Text: fault.Text}
	}
	return list
}

// text is a parameter without brackets, "" when it is absent: an empty one counts as absent (decision m).
func (c *call) text(name string) string {
	value, _ := c.form.Scalar(name)
	return value
}

// maxName bounds keys and ids, in bytes: ours are shorter, and a longer one names nothing.
const maxName = 255

// key is a parameter that names a record, "" when nothing can have that name.
func (c *call) key(name string) string {
	if value := c.text(name); len(value) <= maxName {
		return value
	}
	return ""
}

// protocol is whose rules the request is under: the action's, and where both have it that of the payment
// it names. A Checkout payment counts as one of CARD when it has a card.
func (c *call) protocol() store.Protocol {
	switch {
	case len(c.row.protocols) == 1:
		return c.row.protocols[0]
	case len(c.path.protocols) == 1:
		return c.path.protocols[0]
	case c.payment != nil:
		return protocolOf(c.payment)
	}
	return store.S2SCard
}

func protocolOf(p *store.Payment) store.Protocol {
	switch {
	case p.Protocol == store.S2SAPM, p.Protocol == store.Checkout && p.Card == nil:
		return store.S2SAPM
	}
	return store.S2SCard
}
