package engine

import (
	"fmt"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// event returns the event of an answer. An approval of another operation is not believed, and neither is a
// result outside the closed set. "Not sent" is final only for the first and only call: after a later call it
// says nothing about the earlier one.
func (s *Settlement) event(a methods.Answer) (state.Event, string) {
	switch {
	case a.Result == methods.ResultUnknown,
		a.Result == methods.ResultNotSent && (s.Transaction.Outcome != store.Sent || s.asked || s.moved),
		s.absent && s.moved:
		return state.Unknown, ""
	case !repeats(s.Transaction, a):
		return state.Unknown, "the answer repeats another key, amount or currency"
	}
	switch a.Result {
	case methods.ResultApproved:
		return state.Approved, ""
	case methods.ResultDeclined, methods.ResultNotSent:
		return state.Refused, ""
	case methods.ResultRedirect:
		return redirectEvent(a)
	case methods.ResultDisplay:
		return s.displayEvent(a)
	case methods.ResultPrompt:
		if len(a.Prompts) == 0 {
			return state.Unknown, "asks for nothing"
		}
		return state.Redirect, ""
	case methods.ResultPending:
		if s.crypto() {
			return state.Init, ""
		}
		return state.Waiting, ""
	default:
		return state.Unknown, fmt.Sprintf("unexpected result %q", a.Result)
	}
}

// repeats reports whether an answer is about this transaction. If the payer chooses the amount, the answer
// names it, and it must be above zero.
func repeats(t *records.Transaction, a methods.Answer) bool {
	op := repeatedPart(t)
	if t.AmountOpen {
		if a.Result == methods.ResultApproved && a.Amount.IsZero() {
			return false
		}
		op.Amount = a.Amount
	}
	return a.Repeats(op)
}

// crypto reports whether the transaction is a charge in a cryptocurrency, which begins with an address and is
// confirmed by the chain.
func (s *Settlement) crypto() bool {
	return s.settler.isCrypto(s.Payment) &&
		(s.Transaction.Operation == store.OpSale || s.Transaction.Operation == store.OpCredit)
}

// displayEvent returns the event of an answer to display. A QR code leads the payer to their bank, as a
// redirect does (SPEC2: ips is a redirect with QR); payment details only wait for the payment. On S2S the
// payer has to come to our page to see them.
func (s *Settlement) displayEvent(a methods.Answer) (state.Event, string) {
	switch {
	case a.Display == nil || a.Display.QR == "" && len(a.Display.Details) == 0:
		return state.Unknown, "shows nothing"
	case s.crypto():
		return state.Init, ""
	case a.Display.QR != "", s.Payment.Protocol.S2S():
		return state.Redirect, ""
	default:
		return state.Waiting, ""
	}
}

func redirectEvent(a methods.Answer) (state.Event, string) {
	switch {
	case a.Redirect == nil || !weburl.Valid(a.Redirect.URL, weburl.Max):
		return state.Unknown, "a redirect without a usable URL"
	case tooLarge(a.Redirect):
		return state.Unknown, "a redirect that is too large"
	case a.Redirect.ThreeDS:
		return state.ThreeDS, ""
	default:
		return state.Redirect, ""
	}
}

// outcomes maps each event to the outcome of the transaction.
var outcomes = map[state.Event]store.Outcome{
	state.Approved: store.Success,
	state.Refused:  store.Fail,
	state.ThreeDS:  store.Waiting,
	state.Redirect: store.Waiting,
	state.Waiting:  store.Waiting,
	state.Init:     store.Waiting,
	state.Unknown:  store.InDoubt,
}

// maxNext bounds the size in bytes of an acquirer's redirect, which is stored and sent in a callback.
const maxNext = 64 << 10

func tooLarge(next *store.Redirect) bool {
	n := len(next.URL)
	for _, param := range next.Params {
		n += len(param.Name) + len(param.Value)
	}
	return n > maxNext
}
