package kerneltest

import (
	"slices"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Approves approves an operation.
func Approves(op methods.Operation) methods.Answer { return methods.Approved(op, "ref-"+op.Key) }

// ToBank redirects the payer to a bank.
func ToBank(op methods.Operation) methods.Answer {
	return methods.Redirected(op, store.Redirect{URL: "https://bank.example/go", Method: "GET"}, []byte("bank"))
}

// ToIssuer redirects the payer to the issuer.
func ToIssuer(op methods.Operation) methods.Answer {
	return methods.Redirected(op, store.Redirect{ThreeDS: true, URL: "https://acs.example/go", Method: "POST",
		Params: []store.RedirectParam{{Name: "TermUrl", Value: op.ReturnURL}}}, []byte("issuer"))
}

// FirstAway redirects the payer of the first operation to the issuer, declines softly when they return, and
// approves the rest.
func FirstAway() *ScriptedConnector {
	p := &ScriptedConnector{}
	p.OnPerform = func(op methods.Operation) methods.Answer {
		if len(p.Sent) == 1 {
			return ToIssuer(op)
		}
		return Approves(op)
	}
	p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
		return methods.SoftDeclined(op, "Try elsewhere")
	}
	return p
}

// Truthful is an issuer and two acquirers: what the first declines softly the second approves.
func Truthful() *ScriptedConnector {
	p := FirstAway()
	p.OnPerform = func(op methods.Operation) methods.Answer {
		if op.MID.ID == "live" {
			return ToIssuer(op)
		}
		return Approves(op)
	}
	p.OnFind = func(op methods.Operation) methods.Answer {
		p.Mu.Lock()
		defer p.Mu.Unlock()
		same := func(other methods.Operation) bool { return other.Key == op.Key }
		switch {
		case !slices.ContainsFunc(p.Sent, same):
			return methods.NotFound(op)
		case op.MID.ID == "second":
			return Approves(op)
		case slices.ContainsFunc(p.Completed, same):
			return methods.SoftDeclined(op, "Try elsewhere")
		}
		return methods.Pending(op, op.Continuation)
	}
	return p
}

// AsksForCode prompts for a code, which has to be 123456, and then does what the test sets.
func AsksForCode(then func(methods.Operation) methods.Answer) *ScriptedConnector {
	p := &ScriptedConnector{OnPerform: func(op methods.Operation) methods.Answer {
		return methods.Prompted(op, []methods.Prompt{{Name: "otp", Label: "Code"}}, []byte("asked"))
	}}
	p.OnComplete = func(op methods.Operation, back methods.Return) methods.Answer {
		switch {
		case back.Method != methods.Answered:
			return Approves(op)
		case back.Params["otp"][0] != "123456":
			return methods.Declined(op, "Wrong code")
		}
		return then(op)
	}
	return p
}

// GenuineReturn is a return that the acquirer of Truthful believes.
var GenuineReturn = methods.Return{Method: "POST", Params: map[string][]string{"proof": {"genuine"}}}
