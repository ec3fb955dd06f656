package gateway

import (
	"maps"
	"slices"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/store"
)

// kept returns what the payer entered for the newest attempt; nil before the first.
func (v *view) kept() *Kept {
	if v.p == nil {
		return nil
	}
	k := &Kept{Method: v.p.Method, Fields: maps.Clone(v.s.PayerInput),
		Terms: v.profile.Mapping(store.Checkout).TermsURL != ""}
	if v.p.CardToken != "" {
		k.Saved = slices.Index(v.s.Extra.CardTokens, v.p.CardToken) + 1
	}
	if v.p.Card != nil && v.p.Wallet == nil && k.Saved == 0 {
		k.Expiry = v.p.Card.Expiry.String()
	}
	if amountChosen(v.s) {
		k.Amount = v.p.Order.Amount
	}
	return k
}

// givenNow returns what the payer entered for an attempt. An optional field that was left empty is an empty text. The
// name on a card fills a name that the merchant left out.
func givenNow(s *store.Session, p *store.Payment, asked []PayerField) map[string]string {
	told := map[string]string{}
	for _, field := range payerFields {
		value := *field.place(&p.Payer)
		named := field.path == pathName && s.Payer.Name == "" && value != ""
		if named || slices.ContainsFunc(asked, func(f PayerField) bool { return f.Path == field.path }) {
			told[field.path] = value
		}
	}
	return told
}

// remembering returns the submission with what the payer entered before, in every field that it does not name. A field
// that is named and empty was cleared.
func (in *Submission) remembering(s *store.Session) Submission {
	with := *in
	with.Fields = maps.Clone(s.PayerInput)
	if with.Fields == nil {
		with.Fields = map[string]string{}
	}
	maps.Copy(with.Fields, in.Fields)
	if s.Payer.Name == "" && with.Card.Holder == "" && with.Saved == 0 {
		with.Card.Holder = s.PayerInput[pathName]
	}
	return with
}

// recall fills in what the payer entered for an earlier attempt and was not asked for in this one.
func recall(payer *store.Payer, before, now map[string]string) {
	for _, field := range payerFields {
		if _, again := now[field.path]; !again && *field.place(payer) == "" {
			*field.place(payer) = before[field.path]
		}
	}
	payer.Address.State = fields.StateOf(payer.Address)
}
