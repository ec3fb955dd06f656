package methodstest

import (
	"maps"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func payerChecks() []check {
	return []check{
		{"payer/sent away", needs{away: true}, checkSentAway},
		{"payer/genuine return", needs{completer: true, away: true, payer: true}, checkReturn},
		{"payer/made-up returns", needs{completer: true, away: true}, checkMadeUp},
		{"payer/another payer's return", needs{completer: true, away: true, payer: true}, checkForeign},
		{"payer/authenticated elsewhere", needs{away: true}, checkExternal},
	}
}

// away starts an operation that sends the payer to another page, ready for Complete.
func (p *probe) away() methods.Operation {
	op, _ := p.sentAway()
	return op
}

func (p *probe) sentAway() (methods.Operation, methods.Answer) {
	op := p.operation(store.OpSale, p.Away)
	a := p.perform(op)
	away := []methods.Result{methods.ResultRedirect, methods.ResultDisplay, methods.ResultPrompt}
	require.Contains(p.tb, away, a.Result, "reason %q, cause %q", a.Reason, a.Cause)
	p.repeats(op, a)
	p.effects(op, 0)
	op.Continuation = a.Continuation
	return op, a
}

// checkSentAway: somebody can learn what the payer did.
func checkSentAway(p *probe) { p.sentAway() }

func checkReturn(p *probe) {
	op, a := p.sentAway()
	back := p.Payer(p.tb, p.connector, op, a)
	// The second call is the payer reloading the page.
	first, second := p.complete(op, back), p.complete(op, back)
	require.Equal(p.tb, methods.ResultApproved, first.Result, "reason %q, cause %q", first.Reason, first.Cause)
	p.repeats(op, first)
	require.Equal(p.tb, methods.ResultApproved, second.Result, "a repeated return has the same answer")
	require.Equal(p.tb, first.Reference, second.Reference)
	p.effects(op, 1)
}

// neverApproves requires that a return approves nothing while the payer has not finished.
func (p *probe) neverApproves(op methods.Operation, back methods.Return, what string) {
	a := p.complete(op, back)
	require.NotEqual(p.tb, methods.ResultApproved, a.Result, "%s approved a payment whose payer has not finished", what)
	p.effects(op, 0)
}

func checkMadeUp(p *probe) {
	op, a := p.sentAway()
	p.neverApproves(op, methods.Return{}, "an empty return")
	given := map[string][]string{"status": {"approved"}, "result": {"success"}, "PaRes": {"Y"},
		"MD": {string(op.Continuation)}}
	if a.Redirect != nil {
		for _, param := range a.Redirect.Params {
			given[param.Name] = []string{param.Value}
		}
	}
	for _, method := range []string{"GET", "POST"} {
		p.neverApproves(op, methods.Return{Method: method, Params: given}, "a made-up return")
		p.neverApproves(op, methods.Return{Method: method, Params: map[string][]string{"PaRes": nil, "MD": {}}},
			"a return without values")
	}
	if p.Payer != nil {
		done := p.complete(op, p.Payer(p.tb, p.connector, op, a))
		require.Equal(p.tb, methods.ResultApproved, done.Result, "made-up returns changed the payment")
	}
}

// checkForeign completes a payment with the return of another one: unchanged, and with each value in turn replaced
// by this payment's own.
func checkForeign(p *probe) {
	other, a := p.sentAway()
	back := p.Payer(p.tb, p.connector, other, a)
	op, answer := p.sentAway()
	p.neverApproves(op, back, "another payment's return")
	own := []string{string(op.Continuation), op.Key, op.TransactionID, answer.Reference}
	if answer.Redirect != nil {
		for _, param := range answer.Redirect.Params {
			own = append(own, param.Value)
		}
	}
	for name := range back.Params {
		for _, value := range own {
			mixed := methods.Return{Method: back.Method, Params: maps.Clone(back.Params)}
			mixed.Params[name] = []string{value}
			p.neverApproves(op, mixed, "another payment's return with our "+name)
		}
	}
	require.Equal(p.tb, methods.ResultApproved, p.complete(other, back).Result,
		"the return is still valid for its own payment")
}

// checkExternal: one instrument, one authentication. A payer who was authenticated elsewhere, or must not be, is
// not sent to the issuer.
func checkExternal(p *probe) {
	for _, by := range []methods.Authentication{methods.AuthExternal, methods.AuthOff} {
		for _, status := range []string{"Y", "N", "U", "R"} {
			op := p.operation(store.OpSale, p.Away)
			if op.Card == nil {
				p.tb.Skipf("skipped: Away has no card, and only a card has 3-D Secure")
			}
			op.Authentication = by
			if by == methods.AuthExternal {
				op.MPI = &methods.MPI{ECI: "05", AuthenticationValue: authenticationValue, Version: "2.2.0",
					DSTransID: "f25084f0-5b16-4c0a-ae5d-b24808a95e4b", TransStatus: status}
			}
			a := p.perform(op)
			require.False(p.tb, a.Redirect != nil && a.Redirect.ThreeDS, "3-D Secure starts although authentication is %s", by)
		}
	}
}

// authenticationValue is as secret as a security code.
const authenticationValue = "AAABBZEEBgAAAAAAmQQGAAAAAAA="
