package sim

import (
	"slices"
	"time"

	"github.com/tollgatepay/gateway/methods"
)

// The judge's reading of methods.Completer: which return a connector gets, and when. It knows nothing of the world.

// sentReturn is one call of a connector with a payer's genuine return.
type sentReturn struct {
	by       int    // proc
	evidence string // what came back
	during   string // the step of the payer, by its continuation
	begun    int    // step of the world
	until    time.Time
	ended    bool
	answer   methods.Result // of the acquirer; empty while there is none
	next     string         // the step that the answer leads to
	heard    bool           // the answer was committed
}

// sentReturns are the calls for one operation.
type sentReturns struct {
	list  []*sentReturn
	marks map[int]int // by proc: when it was last allowed to call
	waits map[int]int // by proc: when it last heard that the acquirer still waits
	ended map[int]int // by proc: when it last heard an answer after the question had ended
	shown int         // when the acquirer last told somebody where the payer has to go
}

func newSentReturns() *sentReturns {
	return &sentReturns{marks: map[int]int{}, waits: map[int]int{}, ended: map[int]int{}}
}

// fault says what is wrong with a call that a connector gets that would do it twice; empty if nothing is.
func (r *sentReturns) fault(s *sentReturn) string {
	for _, before := range r.list {
		if before.evidence == s.evidence && !before.mayComeAgain(s) {
			return "the same return is sent again, after " + before.ending()
		}
	}
	marked := r.marks[s.by]
	if r.ended[s.by] > marked {
		return "a return is sent after a question that had ended"
	}
	for _, before := range slices.Backward(r.list) {
		if before.begun >= marked || before.during != s.during || before.answer == methods.ResultNotSent {
			continue // the acquirer was not called, or not yet when this call was decided, or led on since
		}
		if before.waits() || r.waits[s.by] > marked || r.shown > before.begun {
			return ""
		}
		return "another return is sent without a question, after " + before.ending()
	}
	return ""
}

// answered notes the answer to a call. One about another operation is not believed.
func (s *sentReturn) answered(a methods.Answer, op methods.Operation) {
	s.answer, s.next = a.Result, string(a.Continuation)
	if !a.Repeats(op) {
		s.answer = methods.ResultUnknown
	}
}

// during reports whether the connector got a return in a step.
func (r *sentReturns) during(step string) bool {
	return slices.ContainsFunc(r.list, func(s *sentReturn) bool { return s.during == step })
}

// atOnce reports whether a call with the same return is under way.
func (r *sentReturns) atOnce(s *sentReturn, now time.Time) bool {
	return now.Before(s.until) && slices.ContainsFunc(r.list, func(before *sentReturn) bool {
		return !before.ended && before.evidence == s.evidence && now.Before(before.until)
	})
}

// mayComeAgain reports whether the same return may be sent once more: if it was not sent at all, or in the step that it
// led to.
func (s *sentReturn) mayComeAgain(later *sentReturn) bool {
	return s.answer == methods.ResultNotSent || s.answer == methods.ResultRedirect && s.heard && later.during != s.during
}

// waits reports whether the acquirer has said that it has the return and knows no outcome yet.
func (s *sentReturn) waits() bool { return s.answer == methods.ResultPending && s.heard }

func (s *sentReturn) ending() string {
	switch {
	case s.answer == "":
		return "a call without an answer"
	case s.heard:
		return "the answer " + string(s.answer)
	}
	return "the answer " + string(s.answer) + ", which was not heard"
}

// told notes the answer to a question.
func (r *sentReturns) told(by, step int, answer methods.Result, late bool) {
	if late {
		r.ended[by] = step
	}
	if answer == methods.ResultPending {
		r.waits[by] = step
	}
	if answer == methods.ResultRedirect {
		r.shown = step
	}
}

// hear notes what a proc committed of the operation: its mark, or the answer to its calls.
func (r *sentReturns) hear(by, step int, was, is *transactionRecord) {
	if was != nil && is.Returning.other(was.Returning) {
		r.marks[by] = step
	}
	for _, s := range r.list {
		if s.by == by && s.answer != "" && !s.heard {
			s.heard = s.hears(is)
		}
	}
}

// hears reports whether a record shows the answer.
func (s *sentReturn) hears(is *transactionRecord) bool {
	if s.answer == methods.ResultRedirect {
		return string(is.Continuation) == s.next
	}
	return !is.Returning.unanswered()
}
