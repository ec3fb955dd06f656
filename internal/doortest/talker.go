package doortest

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// talker is vcard that reports a fact of its own.
type talker struct {
	*vcard.Connector
	extra store.Extra
}

func (c talker) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	a := c.Connector.Perform(ctx, op)
	a.Extras = []store.Extra{c.extra}
	return a
}

// Tells makes the kit's acquirer report a fact of its own with every answer.
func Tells(name, value string) func(*gateway.Config) {
	return func(c *gateway.Config) {
		c.Connectors["vcard"] = talker{c.Connectors["vcard"].(*vcard.Connector), store.Extra{Name: name, Value: value}}
	}
}
