package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// payerSteps are the steps that an acquirer may require of its payer.
var payerSteps = map[string]func(methods.Operation) methods.Answer{
	"issuer": kerneltest.ToIssuer,
	"bank":   kerneltest.ToBank,
	"asks": func(op methods.Operation) methods.Answer {
		return methods.Prompted(op, []methods.Prompt{{Name: "otp", Label: "Code"}}, []byte("asked"))
	},
	"shows a code": func(op methods.Operation) methods.Answer {
		return methods.Displayed(op, store.Display{QR: "pay:1"}, []byte("shown"))
	},
	"shows details": func(op methods.Operation) methods.Answer {
		return methods.Displayed(op, store.Display{Details: []store.Detail{{Label: "Account", Value: "1"}}}, []byte("shown"))
	},
	"waits and shows": func(op methods.Operation) methods.Answer {
		a := methods.Pending(op, []byte("waits"))
		a.Display = &store.Display{Details: []store.Detail{{Label: "Account", Value: "1"}}}
		return a
	},
}

// stepper is an acquirer that requires several steps of its payer, one after the other, and then approves. It
// needs the security code at each step.
func stepper(steps ...string) *kerneltest.ScriptedConnector {
	p := &kerneltest.ScriptedConnector{NeedsCode: true}
	step := func(n int, op methods.Operation) methods.Answer {
		if n == len(steps) {
			return kerneltest.Approves(op)
		}
		return payerSteps[steps[n]](op)
	}
	p.OnPerform = func(op methods.Operation) methods.Answer { return step(0, op) }
	p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return step(len(p.Completed), op) }
	return p
}

// codeDoors are the requests that bring a card with its code. Each starts a payment and returns the token of
// the payer's page, if there is one.
var codeDoors = []struct {
	name  string
	start func(testing.TB, *gatewaytest.Kit, methods.Card) string
}{
	{"Checkout page", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) string {
		token := kit.Session(t, "ORD-1", "10.00")
		kit.Pay(t, token, card)
		return token
	}},
	{"Hosted Payment Fields", func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) string {
		return pageTokenOf(kerneltest.PayHosted(t, kit, kerneltest.HostedToken(t, kit, "ORD-1", card)))
	}},
	{"S2S CARD SALE", charging(kerneltest.ViaCard, kerneltest.GoesBack)},
	{"S2S CARD AUTH", charging(kerneltest.ViaCard, kerneltest.GoesBack, kerneltest.Held)},
	{"S2S CARD DEBIT", charging(kerneltest.ViaCard, kerneltest.GoesBack, kerneltest.AsDebit,
		func(r *gateway.ChargeRequest) { r.Action = "DEBIT" })},
	{"Go API", charging()},
}

func charging(change ...func(*gateway.ChargeRequest)) func(testing.TB, *gatewaytest.Kit, methods.Card) string {
	return func(t testing.TB, kit *gatewaytest.Kit, card methods.Card) string {
		return pageTokenOf(kerneltest.Charged(t, kit, "ORD-1", card, change...))
	}
}

// pageTokenOf returns the token of the page in a redirect, or an empty string if the redirect leads elsewhere.
func pageTokenOf(r *gateway.Result) string {
	if r.Redirect == nil {
		return ""
	}
	token, _ := strings.CutPrefix(r.Redirect.URL, gatewaytest.PublicURL+"/auth/")
	return token
}

// A connector that needs the code later has it at every step, whatever the earlier steps were. No callback
// and no stored record opens the code.
func TestCodeOutlastsEveryStep(t *testing.T) {
	t.Parallel()
	for _, door := range codeDoors {
		for _, steps := range [][]string{
			{"issuer"}, {"bank"}, {"asks"}, {"shows a code"}, {"shows details"}, {"waits and shows"},
			{"asks", "issuer"}, {"asks", "bank"}, {"asks", "asks"}, {"shows a code", "issuer"}, {"shows details", "bank"}, {"waits and shows", "bank"},
			{"bank", "asks"}, {"bank", "issuer"}, {"asks", "issuer", "bank"},
		} {
			for _, several := range []bool{false, true} { // MIDs of a cascade
				t.Run(door.name+": "+strings.Join(steps, ", "), func(t *testing.T) {
					t.Parallel()
					p := stepper(steps...)
					kit := gatewaytest.New(t, p.Option)
					if several {
						kerneltest.AddMIDs(t, kit, "second")
						kerneltest.SwitchCascading(t, kit, store.Checkout)
						kerneltest.SwitchCascading(t, kit, store.S2SCard)
					}
					page := door.start(t, kit, kerneltest.CanaryCard(t, 1, 2038))
					for n, step := range steps {
						opensNothing(t, kit)
						page = p.Takes(t, kit, step, page)
						require.Len(t, p.Completed, n+1)
						require.Equal(t, kerneltest.CanaryCode, p.Completed[n].Card.Code.Digits(), "at step %d of %v", n, steps)
					}
					opensNothing(t, kit)
					for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
						require.NotContains(t, form, "redirect_url")
					}
					require.Contains(t, []store.Status{store.Settled, store.Pending}, kit.Payment(t, "ORD-1").Status)
					require.Empty(t, kept(t, kit))
				})
			}
		}
	}
}

// Once a code that the connector requires is erased, the payer gets no more prompts: their answer could not
// be used.
func TestNothingIsAskedWithoutTheCode(t *testing.T) {
	t.Parallel()
	for _, door := range codeDoors {
		t.Run(door.name, func(t *testing.T) {
			t.Parallel()
			p := stepper("asks")
			p.OnFind = func(op methods.Operation) methods.Answer { return methods.Pending(op, op.Continuation) }
			kit := gatewaytest.New(t, p.Option)
			page := door.start(t, kit, kerneltest.CanaryCard(t, 1, 2038))
			require.Equal(t, gateway.ActionPrompt, kerneltest.NextActionOf(t, kit, page).Kind)
			kit.Advance(t, 25*time.Hour)
			require.Empty(t, kept(t, kit))
			require.Equal(t, gateway.ActionPoll, kerneltest.NextActionOf(t, kit, page).Kind)
			next, err := kit.AnswerSession(t.Context(), page, map[string]string{"otp": "123456"})
			require.NoError(t, err)
			require.Equal(t, gateway.ActionPoll, next.Kind)
			require.Zero(t, p.Calls())
		})
	}
}

// opensNothing checks that the database, the keys and the callbacks together open no code.
func opensNothing(t testing.TB, kit *gatewaytest.Kit) {
	t.Helper()
	kit.Work(t)
	i := &intruder{known: map[string]bool{}}
	for _, form := range kit.Inbox.Fields(t) {
		for _, values := range form {
			for _, value := range values {
				i.reads(t, value)
			}
		}
	}
	require.False(t, i.opens(t, kit))
}
