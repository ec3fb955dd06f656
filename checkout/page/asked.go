package page

import (
	"net/url"
	"strconv"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page/internal/cardinput"
	"github.com/tollgatepay/gateway/methods"
)

// asked is what the form asks with one method.
type asked struct {
	turn      *gateway.Turn
	code      string // of the method
	card      bool   // it takes one
	wallet    bool   // a wallet gives its token
	questions []question
	payer     []payerQuestion
}

// askedWith is ok where the form offers the method.
func askedWith(turn *gateway.Turn, method string) (*asked, bool) {
	choices := choicesOf(turn)
	place, ok := chosen(choices, method)
	if !ok {
		return nil, false
	}
	choice := choices[place]
	return &asked{turn, choice.Code, choice.Kind == methods.KindCard, isWallet(choice), questionsOf(place, choice), payerQuestions(place, choice)}, true
}

// submission is what the method chosen needs, with every fault in the order of the page. What was typed for
// another one is dropped unread: browsers send the fields that are out of sight too.
func (p *pages) submission(turn *gateway.Turn, typed *entry, form url.Values, t *Texts) (gateway.Submission, *asked, []fault) {
	a, ok := askedWith(turn, typed.method)
	if !ok {
		return gateway.Submission{}, nil, []fault{{field: firstMethod(turn), rule: badMethod}}
	}
	s := gateway.Submission{Attempt: typed.attempt, Method: a.code, Terms: typed.terms, Agreement: typed.agreement}
	faults := whatFor(turn, typed, t, &s)
	now := p.now()
	if a.card {
		var wrong []fault
		s.Card, s.Saved, wrong = typed.card(turn, now)
		faults = append(faults, wrong...)
		if s.Saved > 0 {
			typed.saved = strconv.Itoa(s.Saved)
		}
	}
	if a.wallet {
		var ok bool
		if s.WalletToken, ok = walletToken(form); !ok { // its button was not used
			return gateway.Submission{}, nil, []fault{{field: firstMethod(turn), rule: badMethod}}
		}
	}
	var unanswered, untold []fault
	s.Answers, unanswered = answersTo(a.questions, form)
	s.Fields, untold = tell(a.payer, form, turn.Country, now)
	typed.method, typed.answers, typed.told = a.code, s.Answers, s.Fields
	faults = append(append(faults, unanswered...), untold...)
	if turn.TermsURL != "" && !typed.terms {
		faults = append(faults, fault{field: fieldTerms, rule: badTerms})
	}
	return s, a, faults
}

// whatFor takes how much a transfer is of, and the card it goes to.
func whatFor(turn *gateway.Turn, typed *entry, t *Texts, s *gateway.Submission) (faults []fault) {
	var err error
	if turn.NeedAmount {
		if s.Amount, err = localeOf(t).Read(typed.amount, turn.Order.Currency); err != nil {
			faults = append(faults, fault{field: fieldAmount, rule: badAmount})
		}
	}
	if turn.NeedPayeeCard {
		if s.PayeeCard, err = cardinput.PAN(typed.payee); err != nil {
			faults = append(faults, fault{field: fieldPayee, rule: badPayee})
		}
	}
	return faults
}
