// Package form owns what the form of the payment page asks, and the reading of what a payer sends back: entries,
// answers, and every fault with its words.
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

// Asked is what the form asks with one method.
type Asked struct {
	Next      *gateway.NextAction
	code      string // of the method
	card      bool   // it takes one
	wallet    bool   // a wallet gives its token
	questions []Question
	payer     []PayerQuestion
}

// askedWith is ok where the form offers the method.
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

// Submission is what the method chosen needs, with every fault in the order of the page. What was typed for
// another one is dropped unread: browsers send the fields that are out of sight too.
func Submission(
	next *gateway.NextAction, typed *Entry, form url.Values, t *texts.Texts, now time.Time,
) (gateway.Submission, *Asked, []Fault) {
	a, ok := askedWith(next, typed.Method)
	if !ok {
		return gateway.Submission{}, nil, []Fault{{Field: firstMethod(next), Rule: badMethod}}
	}
	s := gateway.Submission{Attempt: typed.Attempt, Method: a.code, Terms: typed.Terms, Agreement: typed.agreement}
	faults := whatFor(next, typed, t, &s)
	if a.card {
		var wrong []Fault
		s.Card, s.Saved, wrong = typed.card(next, now)
		faults = append(faults, wrong...)
		if s.Saved > 0 {
			typed.Saved = strconv.Itoa(s.Saved)
		}
	}
	if a.wallet {
		var ok bool
		if s.WalletToken, ok = walletToken(form); !ok { // its button was not used
			return gateway.Submission{}, nil, []Fault{{Field: firstMethod(next), Rule: badMethod}}
		}
	}
	var unanswered, untold []Fault
	s.Answers, unanswered = AnswersTo(a.questions, form)
	s.Fields, untold = tell(a.payer, form, next.Country, now)
	typed.Method, typed.Answers, typed.Told = a.code, s.Answers, s.Fields
	faults = append(append(faults, unanswered...), untold...)
	if next.TermsURL != "" && !typed.Terms {
		faults = append(faults, Fault{Field: FieldTerms, Rule: badTerms})
	}
	return s, a, faults
}

// whatFor takes how much a transfer is of, and the card it goes to.
func whatFor(next *gateway.NextAction, typed *Entry, t *texts.Texts, s *gateway.Submission) (faults []Fault) {
	var err error
	if next.NeedAmount {
		if s.Amount, err = locale.Of(t.Lang, t.Dir).Read(typed.Amount, next.Order.Currency); err != nil {
			faults = append(faults, Fault{Field: FieldAmount, Rule: badAmount})
		}
	}
	if next.NeedPayeeCard {
		if s.PayeeCard, err = cardinput.PAN(typed.payee); err != nil {
			faults = append(faults, Fault{Field: FieldPayee, Rule: BadPayee})
		}
	}
	return faults
}
