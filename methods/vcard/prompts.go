package vcard

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// What the acquirer asks the payer for, by the names of the parameters.
const (
	askCUIL  = "bank_cuil"
	askCURP  = "bank_curp"
	askPhone = "bankDetails.phoneNumber"
	askCode  = "bankDetails.otp"
)

// WrongCode is the only one-time code that is wrong. The second wrong one declines.
const WrongCode = "000000"

const (
	maxWrong  = 2
	maxAnswer = 255 // bytes
)

// collects reports whether op is a collection by mobile account: by its code, or by the parameter that every such
// code has.
func collects(op methods.Operation) bool {
	return op.Method == "mobile-collection" || op.MethodKind == methods.KindConfirmation && texts(op)["type"] == "PULL"
}

// asksOf returns the fields that a method requires, in the order in which they are asked for.
func asksOf(op methods.Operation) []string {
	switch {
	case op.Method == "bank-transfer-cuil":
		return []string{askCUIL}
	case op.Method == "bank-transfer-curp":
		return []string{askCURP}
	case collects(op):
		return []string{askPhone, askCode}
	}
	return nil
}

// missing returns the fields that were not sent. A wrong code counts as not sent.
func missing(op methods.Operation) []string {
	var tree map[string]any
	_ = json.Unmarshal(op.Parameters, &tree)
	return slices.DeleteFunc(asksOf(op), func(name string) bool {
		text := textAt(tree, strings.Split(name, "."))
		return text != "" && (name != askCode || text != WrongCode)
	})
}

func textAt(tree map[string]any, path []string) string {
	if len(path) == 1 {
		text, _ := tree[path[0]].(string)
		return text
	}
	below, _ := tree[path[0]].(map[string]any)
	return textAt(below, path[1:])
}

func askOf(name string) methods.Prompt {
	switch name {
	case askCUIL:
		return methods.Prompt{Name: name, Label: "CUIL", Keep: true}
	case askCURP:
		return methods.Prompt{Name: name, Label: "CURP", Keep: true}
	case askPhone:
		return methods.Prompt{Name: name, Label: "Phone number"}
	}
	return methods.Prompt{Name: name, Label: "One-time code", Pattern: "[0-9]{6}"}
}

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

// completeAnswer accepts the payer's answer.
func (c *Connector) completeAnswer(ctx context.Context, op methods.Operation, back methods.Return,
	p *plan) (e Entry, err error) {
	now := c.now()
	err = c.books.store.Update(ctx, func(tx store.Tx) error {
		if e, err = c.books.get(tx, op.Key); errors.Is(err, store.ErrNotFound) {
			return errForged
		}
		switch {
		case err != nil:
			return err
		case !e.same(op) || len(e.Asking) == 0 && e.Answers == 0 || !e.continues(op):
			return errForged
		}
		e = e.at(now)
		value, ok := e.answered(op, back)
		if !ok {
			return nil
		}
		if p != nil && p.verdict == decline {
			e.Refused, e.Later, e.Soft = true, p.reason, p.soft
		}
		e.take(op, value, now)
		return c.books.put(tx, e)
	})
	return e, err
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
