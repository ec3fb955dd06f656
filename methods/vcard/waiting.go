package vcard

import (
	"strconv"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
)

// present starts the payer's time to pay.
func (e *Entry) present(op methods.Operation, now time.Time) {
	e.State, e.Payer, e.ThreeDS = StateShown, "", false
	e.Due = now.Add(windowOf(op))
	if e.PayerID == "" {
		e.PayerID = payerID(op)
	}
}

func payerID(op methods.Operation) string {
	sent := texts(op)
	if id := sent[askCUIL]; id != "" {
		return id
	}
	return sent[askCURP]
}

const (
	maxWrong  = 2
	maxAnswer = 255 // bytes
)

// inquire starts the payer's time to answer.
func (e *Entry) inquire(op methods.Operation, now time.Time) {
	e.State, e.Asking, e.Due = StateAsked, missing(op), now.Add(PayerTime)
}

// continuation returns what the gateway passes back. It counts the answers, so that a repeated answer is not taken
// for the next.
func (e Entry) continuation() []byte {
	if len(e.Asking) == 0 && e.Answers == 0 {
		return []byte(e.Reference)
	}
	return []byte(e.Reference + "#" + strconv.Itoa(e.Answers))
}

// continues reports whether op continues this entry, after any answer. A gateway that lost the answer has no
// continuation.
func (e Entry) continues(op methods.Operation) bool {
	given := string(op.Continuation)
	return given == "" || given == e.Reference || strings.HasPrefix(given, e.Reference+"#")
}

// answered returns the payer's answer to the current question; false without a question or for a repeated earlier
// answer.
func (e Entry) answered(op methods.Operation, back methods.Return) (string, bool) {
	if e.State != StateAsked || len(op.Continuation) > 0 && string(op.Continuation) != string(e.continuation()) {
		return "", false
	}
	values := back.Params[e.Asking[0]]
	if len(values) != 1 || values[0] == "" || len(values[0]) > maxAnswer {
		return "", false
	}
	return values[0], true
}

// take processes one answer. A wrong code is asked for once more.
func (e *Entry) take(op methods.Operation, value string, now time.Time) {
	e.Answers++
	asked := e.Asking[0]
	if asked == askCode && value == WrongCode {
		if e.Wrong++; e.Wrong >= maxWrong {
			e.Due = time.Time{}
			e.decline(reasonCode, false)
		}
		return
	}
	if asked == askCUIL || asked == askCURP {
		e.PayerID = value
	}
	if e.Asking = e.Asking[1:]; len(e.Asking) > 0 {
		return
	}
	e.Due = time.Time{}
	switch {
	case e.Refused:
		e.decline(e.Later, e.Soft)
	case asked == askCode:
		e.book(now)
	default:
		e.present(op, now)
	}
}
