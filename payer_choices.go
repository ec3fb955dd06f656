package gateway

import (
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// offers is what a payer may choose from, and what they are asked and told.
type offers struct {
	router *router
	form   *form
	now    func() time.Time
}

// choices are the methods a session can be paid with, as things stand: those it is limited to, those that
// pre-routing leaves, or all that its merchant's MIDs list, as far as one of them can take it (SPEC1,
// methods). The card comes first.
func (o *offers) choices(s *store.Session, p *merchant.Profile) (list []MethodChoice) {
	sent, _ := sentParameters(s.Parameters)
	for _, code := range codesOf(s.Methods, s.Order, s.Payer.Address.Country, p) {
		candidates, why := o.router.route(store.Checkout, o.router.routeRequest(s, code), p)
		if why != route.None || !p.Offers(code, s.Kind) {
			continue
		}
		method, _ := o.router.catalogue.Lookup(code)
		tree, _ := sent[code].(map[string]any)
		if !o.router.completable(s, code, tree, candidates) {
			continue // the merchant has not sent what the page cannot ask for
		}
		fields := o.fieldsOf(s, method, tree, candidates[0])
		if method.Kind == methods.KindCard && p.Mapping(store.Checkout).RequireName {
			fields = slices.DeleteFunc(fields, isName) // the name on the card is asked for, and stands for it
		}
		list = append(list, MethodChoice{Code: code, Name: method.Name, Kind: method.Kind, Asks: method.Missing(tree),
			Fields: fields, Brands: brandsOf(method, candidates), Wallet: o.walletRequest(s, p, code)})
	}
	return list
}
