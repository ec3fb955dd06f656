package s2s

import (
	"context"
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
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

// signed are the formulas that sign an action: on card payments, and on those of APM. All of them are
// computed for every request, so that a hash costs the same whatever it is about; which of them count
// depends on the payment.
type signed struct{ card, apm []signature.Formula }

func (s signed) all() []signature.Formula {
	list := slices.Clone(s.card)
	for _, formula := range s.apm {
		if !slices.Contains(list, formula) {
			list = append(list, formula)
		}
	}
	return list
}

// by signs in the same way whatever the payment.
func by(formulas ...signature.Formula) signed { return signed{card: formulas, apm: formulas} }

var (
	onCard = []store.Protocol{store.S2SCard}
	onAPM  = []store.Protocol{store.S2SAPM}
	onBoth = []store.Protocol{store.S2SCard, store.S2SAPM}
)

// actions is the table: SALE stands in it twice, for brand tells the two apart.
var actions = slices.Concat(cardCharges, apmCharges, followUps, lookups, chains, schedules)

// find gives the row of a name on a path. A SALE with a brand is of APM (decision c).
func find(p path, name string, branded bool) *action {
	var found *action
	for i := range actions {
		row := &actions[i]
		if name == "" || row.name != name && row.alias != name || !slices.ContainsFunc(row.protocols, p.serves) {
			continue
		}
		if found == nil || branded {
			found = row
		}
	}
	return found
}

// has reports whether the action has a parameter of that name.
func (a *action) has(name string) bool {
	return slices.ContainsFunc(a.fields, func(f field) bool { return f.name == name })
}
