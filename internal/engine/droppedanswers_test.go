package engine_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// A return waits for the answer to a question, and then the store cannot tell whether the payment is still open: the
// acquirer does not get that return, which counts as never sent.
func TestQuestionWithoutTheStore(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"before", "after"} {
		for _, closed := range []bool{false, true} {
			t.Run(mode+map[bool]string{false: ", open", true: ", closed meanwhile"}[closed], func(t *testing.T) {
				t.Parallel()
				by := &kerneltest.Fault{Port: "view", Mode: mode, N: 1}
				y := &payer{T: t, p: &kerneltest.ScriptedConnector{OnPerform: toStep("0")}}
				y.note = func(op methods.Operation) methods.Answer { return methods.Declined(op, "Stolen card") }
				s := kerneltest.FaultyStore{Store: memory.New(), By: by}
				y.kit = gatewaytest.On(t, s, tells{actsTwice{y.p, &y.sent}, &y.note}.option)
				y.pays()
				y.brings("A", lost)
				link := kerneltest.NotifyToken(t, y.p.Operation(0))
				y.p.OnFind = func(op methods.Operation) methods.Answer {
					if closed && y.kit.Notify(context.Background(), link, methods.Note{}) != nil {
						t.Error("not read")
					}
					by.Armed = true
					return stillWaits(op)
				}
				y.brings("B", kerneltest.Approves)
				require.True(t, by.Fired)
				require.Equal(t, "A", y.sent)
				if closed {
					require.Equal(t, store.Declined, y.kit.Payment(t, "ORD-1").Status)
					return
				}
				y.brings("B", kerneltest.Approves)
				require.Equal(t, "AB", y.sent, "it is new")
				require.Equal(t, store.Settled, y.kit.Payment(t, "ORD-1").Status)
			})
		}
	}
}

// A question, or a notification, that began while the answer to a prompt was under way says nothing of what became of
// that answer, which is answered Pending meanwhile: the payer is not asked for the same again.
func TestQuestionBegunDuringAnAnswer(t *testing.T) {
	t.Parallel()
	for way, begins := range map[string]func(*payer){"question": (*payer).asks, "notification": (*payer).hears} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPrompted(t)
				y.pays()
				y.kit.Clock.Set(y.kit.Clock.Now().Add(2 * time.Minute))
				let, code := make(chan struct{}), map[string]string{"otp": "123456"}
				y.completes(held(let, stillWaits))
				go func() { _, _ = y.kit.AnswerSession(context.Background(), y.link, code) }()
				synctest.Wait()
				y.p.OnFind, y.note = held(y.let, asksIn("0")), held(y.let, asksIn("0"))
				begins(y)
				close(let)
				synctest.Wait()
				y.answers()
				require.Equal(t, gateway.ActionPoll, kerneltest.NextActionOf(t, y.kit, y.link).Kind)
				y.keys(stillWaits)
				require.Equal(t, 1, y.p.Calls())
			})
		})
	}
}

// A late decline of a return counts at an acquirer that acts once, however often it gets the payer's return: it is not
// of that return alone.
func TestLateDeclineByAnIdempotentAcquirer(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]func(methods.Operation) methods.Answer{
		"waits": stillWaits, "lost": lost, "led on": toStep("1"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := &payer{T: t, let: make(chan struct{})}
				y.p = &kerneltest.ScriptedConnector{OnPerform: toStep("0"), OnFind: stillWaits}
				y.kit = gatewaytest.New(t, y.p.Option)
				y.pays()
				y.brings("A", held(y.let, func(op methods.Operation) methods.Answer {
					return methods.Declined(op, "Stolen card")
				}))
				y.brings("B", second)
				require.Equal(t, 2, y.p.Calls())
				y.answers()
				require.Equal(t, store.Declined, y.kit.Payment(t, "ORD-1").Status)
			})
		})
	}
}

// inStep is an answer with the Continuation of a step.
func inStep(name string, answer func(methods.Operation) methods.Answer) func(methods.Operation) methods.Answer {
	return func(op methods.Operation) methods.Answer {
		a := answer(op)
		a.Continuation = []byte(name)
		return a
	}
}

// An acquirer may have one Continuation for all steps. What the payer brought has led them to a new step all the same,
// and an older answer does not lead them back.
func TestNextStepWithTheSameContinuation(t *testing.T) {
	t.Parallel()
	for way, begins := range map[string]func(*payer, func(methods.Operation) methods.Answer){
		"a notification": func(y *payer, old func(methods.Operation) methods.Answer) {
			y.pays()
			y.note = held(y.let, old)
			y.hears()
		},
		"recovery's question": func(y *payer, old func(methods.Operation) methods.Answer) {
			y.pays()
			y.p.OnFind = held(y.let, old)
			y.kit.Clock.Set(y.kit.Clock.Now().Add(5 * time.Minute))
			y.asks()
		},
		"the first call's late answer": func(y *payer, old func(methods.Operation) methods.Answer) {
			y.p.OnPerform, y.p.OnFind = held(y.let, old), toStep("0")
			y.pays()
			y.kit.Advance(y.T, 5*time.Minute)
		},
		"a notification before a question that sends": func(y *payer, old func(methods.Operation) methods.Answer) {
			y.pays()
			y.keys(lost)
			y.note = held(y.let, old)
			y.hears()
		},
	} {
		for older, old := range map[string]func(methods.Operation) methods.Answer{
			"a redirect": toStep("0"), "a prompt": asksIn("0"),
		} {
			t.Run(way+", "+older, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					y := newPrompted(t)
					begins(y, old)
					y.brings("A", inStep("0", toStep("2")))
					y.answers()
					next := kerneltest.NextActionOf(t, y.kit, y.link)
					require.Equal(t, gateway.ActionRedirect, next.Kind)
					require.Equal(t, "https://issuer.example/2", next.Redirect.URL)
				})
			})
		}
	}
}

// A caller who still waits for the first answer when a notification has led the payer on gets no redirect to an older
// step. One to the step where the payer is they do get.
func TestCallerOfAFirstCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, step string
		next       *store.Redirect
	}{
		{"an older step", "0", nil},
		{"the same step", "1", &store.Redirect{URL: "https://issuer.example/1", Method: "GET"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPayer(t)
				y.p.OnPerform = held(y.let, toStep(c.step))
				var r *gateway.Result
				go func() { r = kerneltest.Charged(t, y.kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard) }()
				synctest.Wait()
				y.notified(toStep("1"))
				y.answers()
				require.Equal(t, store.Redirected, r.Payment.Status)
				require.Equal(t, c.next, r.Redirect)
				require.Equal(t, "1", string(y.record().Continuation))
			})
		})
	}
}

// What was heard beside a question, without a next step for the payer, does not make its answer older: not that the
// acquirer waits still, after a return that was answered before the question, and not the step where the payer is.
func TestQuestionIsNotOvertaken(t *testing.T) {
	t.Parallel()
	for name, plays := range map[string]func(y *payer, begins func(*payer)){
		"after a return": func(y *payer, begins func(*payer)) {
			y.pays()
			y.brings("A", stillWaits)
			begins(y)
			y.notified(stillWaits)
		},
		"after an answer": func(y *payer, begins func(*payer)) {
			y.pays()
			y.keys(stillWaits)
			begins(y)
			y.notified(stillWaits)
		},
		"before the first answer": func(y *payer, begins func(*payer)) {
			let := make(chan struct{})
			y.p.OnPerform = held(let, asksIn("0"))
			y.link = y.kit.Session(y.T, "ORD-1", "10.00")
			go y.kit.Pay(y.T, y.link, gatewaytest.Settles)
			synctest.Wait()
			y.notified(asksIn("0"))
			begins(y)
			close(let)
			synctest.Wait()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPrompted(t)
				plays(y, func(y *payer) {
					y.p.OnFind = held(y.let, asksIn("1"))
					y.kit.Clock.Set(y.kit.Clock.Now().Add(5 * time.Minute))
					y.asks()
				})
				y.answers()
				next := kerneltest.NextActionOf(t, y.kit, y.link)
				require.Equal(t, gateway.ActionPrompt, next.Kind)
				require.Equal(t, "1", next.Prompts[0].Label)
			})
		})
	}
}
