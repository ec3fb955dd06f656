package s2s

import (
	"context"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// action is a row of the tables of s2s_card.md and s2s_apm.md.
type action struct {
	name  string
	alias string // another name of it; the answer repeats the name that was sent
	// protocols have the action. SALE has a row for each; a follow-up has one row for payments of both.
	protocols []store.Protocol
	free      bool       // allowed when the protocol is closed for the client (decisions ak and bq)
	limit     int        // of the body, in bytes (decision aj)
	says      string     // one sentence, for a description
	notes     string     // what else a client has to know
	since     string     // the release that brought it; "" for the first
	fields    []field    // in the order of the documents, which is the order of the faults
	card      *cardNames // names of the payer's card; nil for card_number and its companions
	// subject is what the action is about, and absent the error when it does not exist.
	subject subject
	absent  *gateway.Error
	signed  signed
	// spellings are the action's own names for fields that other actions call differently.
	spellings map[string]string
	answers   answers // what the action answers, by result
	run       func(context.Context, *call) (body, error)
}

var (
	onCard = []store.Protocol{store.S2SCard}
	onAPM  = []store.Protocol{store.S2SAPM}
	onBoth = []store.Protocol{store.S2SCard, store.S2SAPM}
)

// has reports whether the action has a parameter of that name.
func (a *action) has(name string) bool {
	for i := range a.fields {
		if a.fields[i].Path == name {
			return true
		}
	}
	return false
}

// cards returns the names of the payer's card in a request of the action.
func (a *action) cards() *cardNames {
	if a.card == nil {
		return &plainCard
	}
	return a.card
}
