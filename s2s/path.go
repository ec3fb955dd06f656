package s2s

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// path is one of the protocol's paths (decision c).
type path struct {
	name      string
	protocols []store.Protocol // their actions are served, and their payments may be named
	list      bool             // redirect_params is a list of names and values, not an object
}

// paths is the table of paths; all are POSTs.
var paths = []path{
	{name: "/post", protocols: []store.Protocol{store.S2SCard, store.S2SAPM}},
	{name: "/post-va", protocols: []store.Protocol{store.S2SAPM}},
	{name: "/v2/post", protocols: []store.Protocol{store.S2SCard}, list: true},
}

func pathOf(name string) (path, bool) {
	i := slices.IndexFunc(paths, func(p path) bool { return p.name == name })
	if i < 0 {
		return path{}, false
	}
	return paths[i], true
}

func (p path) serves(protocol store.Protocol) bool { return slices.Contains(p.protocols, protocol) }

// protocolOf returns the protocol whose actions accept a payment. A Checkout payment with a card counts as one of
// CARD.
func protocolOf(p *store.Payment) store.Protocol {
	switch {
	case p.Protocol == store.S2SAPM, p.Protocol == store.Checkout && p.Card == nil:
		return store.S2SAPM
	}
	return store.S2SCard
}
