package s2s

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// action is a row of the tables of s2s_card.md and s2s_apm.md.
type action struct {
	name  string
	alias string // another name it goes by; the answer repeats the one that was sent
	// protocols whose action it is. SALE is a row of each; a follow-up is one row for payments of both.
	protocols []store.Protocol
	free      bool       // it needs no protocol to be open for the client (decisions ak and bq)
	limit     int        // bytes of the body (decision aj)
	fields    []field    // in the order of the documents, which is that of the faults
	card      *cardNames // where the payer's card stands; nil for card_number and its companions
	// subject is what it is about, and absent what it answers when that is not there.
	subject subject
	absent  *gateway.Error
	signed  signed
	// spellings are names the action has for what others call differently.
	spellings map[string]string
	run       func(context.Context, *call) (object, error)
}

var (
	onCard = []store.Protocol{store.S2SCard}
	onAPM  = []store.Protocol{store.S2SAPM}
	onBoth = []store.Protocol{store.S2SCard, store.S2SAPM}
)

// has reports whether the action has a parameter of that name.
func (a *action) has(name string) bool {
	return slices.ContainsFunc(a.fields, func(f field) bool { return f.Path == name })
}

// cards say where the payer's card stands in a request of the action.
func (a *action) cards() *cardNames {
	if a.card == nil {
		return &plainCard
	}
	return a.card
}
