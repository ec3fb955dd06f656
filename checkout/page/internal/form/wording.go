package form

import (
	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// Wording returns the text that the payer reads beside a field.
func Wording(t *texts.Texts, f Mistake) string {
	switch f.Rule {
	case blankAnswer:
		return texts.Say(t, t.BlankAnswer, texts.Word(t, f.label))
	case longAnswer:
		return texts.Say(t, t.LongAnswer, texts.Word(t, f.label))
	case badAnswer:
		return texts.Say(t, t.BadAnswer, texts.Word(t, f.label))
	case blankField:
		return texts.Say(t, t.BlankField, PayerLabel(t, f.label))
	case BadPayee: // beside the payer's own card
		return texts.Say(t, t.BadAnswer, t.PayeeNumber)
	case BlankExpiry:
		return texts.Say(t, t.BlankField, t.Expiry)
	case badField:
		return texts.Say(t, t.BadField, PayerLabel(t, f.label))
	}
	return map[Rule]string{
		badNumber: t.BadNumber, badExpiry: t.BadExpiry, badCode: t.BadCode, badName: t.BadName,
		badMethod: t.BadMethod, ChangedTerms: t.Changed, badAmount: t.BadAmount, badTerms: t.BadTerms,
		refused: t.Refused, refusedMethod: t.RefusedMethod,
	}[f.Rule]
}
