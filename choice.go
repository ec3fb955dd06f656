package gateway

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// choices are the methods a session can be paid with, as things stand: those it is limited to, those that
// pre-routing leaves, or all that its merchant's MIDs list, as far as one of them can take it (SPEC1,
// methods). The card comes first.
func (gw *Gateway) choices(s *store.Session, p *merchant.Profile) (list []MethodChoice) {
	sent, _ := sentParameters(s.Parameters)
	for _, code := range codesOf(s.Methods, s.Order, s.Payer.Address.Country, p) {
		candidates, why := gw.router.route(store.Checkout, gw.router.routeRequest(s, code), p)
		if why != route.None || !p.Offers(code, s.Kind) {
			continue
		}
		method, _ := gw.catalogue.Lookup(code)
		tree, _ := sent[code].(map[string]any)
		if !gw.router.completable(s, code, tree, candidates) {
			continue // the merchant has not sent what the page cannot ask for
		}
		fields := gw.fieldsOf(s, method, tree, candidates[0])
		if method.Kind == methods.KindCard && p.Mapping(store.Checkout).RequireName {
			fields = slices.DeleteFunc(fields, isName) // the name on the card is asked for, and stands for it
		}
		list = append(list, MethodChoice{Code: code, Name: method.Name, Kind: method.Kind, Asks: method.Missing(tree),
			Fields: fields, Brands: brandsOf(method, candidates), Wallet: gw.walletRequest(s, p, code)})
	}
	return list
}

// choose finds the method of a submission among the choices.
func choose(choices []MethodChoice, code string) (MethodChoice, error) {
	for _, choice := range choices {
		if code == "" || choice.Code == code {
			return choice, nil
		}
	}
	return MethodChoice{}, refusal.ErrInvalid.Fields(refusal.Fault{Path: "method", Text: fields.TextChoice})
}

// answered puts what the payer filled in into the parameters of the method.
func answered(s *store.Session, choice MethodChoice, answers map[string]string) (json.RawMessage, error) {
	sent, _ := sentParameters(s.Parameters)
	tree, _ := sent[choice.Code].(map[string]any)
	if tree == nil {
		tree = map[string]any{}
	}
	for _, ask := range choice.Asks {
		if value := answers[ask.Name]; value != "" && len(value) <= 1024 {
			put(tree, strings.Split(ask.Name, "."), value)
		}
	}
	if len(tree) == 0 {
		return nil, nil
	}
	return json.Marshal(tree)
}
