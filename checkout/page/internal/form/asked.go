// Package form owns what the form of the payment page asks for, and reads what a payer sends back: entries,
// answers, and every fault with its text.
package form

import (
	"net/url"
	"strconv"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/cardinput"
	"github.com/tollgatepay/gateway/checkout/page/internal/locale"
	"github.com/tollgatepay/gateway/checkout/page/texts"
	"github.com/tollgatepay/gateway/methods"
)

// Asked is what the form asks for with one method.
type Asked struct {
	Next      *gateway.NextAction
	code      string // of the method
	card      bool   // it takes a card
	wallet    bool   // a wallet sends its token
	questions []Question
	payer     []PayerQuestion
}

// askedWith returns false when the form does not offer the method.
func askedWith(next *gateway.NextAction, method string) (*Asked, bool) {
	choices := Choices(next)
	place, ok := Chosen(choices, method)
	if !ok {
		return nil, false
	}
	choice := choices[place]
	return &Asked{
		next, choice.Code, choice.Kind == methods.KindCard, IsWallet(choice),
		QuestionsOf(place, choice), PayerQuestions(place, choice),
	}, true
}

// Submission reads what the chosen method needs, and returns every fault in the order of the page. Fields of other
// methods are not read: browsers send the hidden fields too.
func Submission(
	next *gateway.NextAction, typed *Entry, form url.Values, t *texts.Texts, now time.Time,
) (gateway.Submission, *Asked, []Mistake) {
	a, ok := askedWith(next, typed.Method)
	if !ok {
		return gateway.Submission{}, nil, []Mistake{{Field: firstMethod(next), Rule: badMethod}}
	}
	s := gateway.Submission{Attempt: typed.Attempt, Method: a.code, Terms: typed.Terms, Agreement: typed.agreement}
	faults := whatFor(next, typed, t, &s)
	if a.card {
		var wrong []Mistake
		s.Card, s.Saved, wrong = typed.card(next, now)
		faults = append(faults, wrong...)
		if s.Saved > 0 {
			typed.Saved = strconv.Itoa(s.Saved)
		}
	}
	if a.wallet {
		var ok bool
		if s.WalletToken, ok = walletToken(form); !ok { // its button was not used
			return gateway.Submission{}, nil, []Mistake{{Field: firstMethod(next), Rule: badMethod}}
		}
	}
	var answerFaults, fieldFaults []Mistake
	s.Answers, answerFaults = AnswersTo(a.questions, form)
	s.Fields, fieldFaults = readPayer(a.payer, form, next.Country, now)
	typed.Method, typed.Answers, typed.Fields = a.code, s.Answers, s.Fields
	faults = append(append(faults, answerFaults...), fieldFaults...)
	if next.TermsURL != "" && !typed.Terms {
		faults = append(faults, Mistake{Field: FieldTerms, Rule: badTerms})
	}
	return s, a, faults
}

// whatFor reads the amount of a transfer and the card that receives it.
func whatFor(next *gateway.NextAction, typed *Entry, t *texts.Texts, s *gateway.Submission) (faults []Mistake) {
	var err error
	if next.NeedAmount {
		if s.Amount, err = locale.Of(t.Lang, t.Dir).Read(typed.Amount, next.Order.Currency); err != nil {
			faults = append(faults, Mistake{Field: FieldAmount, Rule: badAmount})
		}
	}
	if next.NeedPayeeCard {
		if s.PayeeCard, err = cardinput.PAN(typed.payee); err != nil {
			faults = append(faults, Mistake{Field: FieldPayee, Rule: BadPayee})
		}
	}
	return faults
}
