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
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// tells is actsTwice that also sends notifications.
type tells struct {
	actsTwice
	note *func(methods.Operation) methods.Answer
}

func (s tells) option(c *gateway.Config) { c.Connectors["vcard"] = s }

func (s tells) Notification(_ context.Context, op methods.Operation, _ methods.Note) methods.Answer {
	return (*s.note)(op)
}

// toStep leads the payer to a step.
func toStep(name string) func(methods.Operation) methods.Answer {
	return func(op methods.Operation) methods.Answer {
		return methods.Redirected(op, store.Redirect{URL: "https://issuer.example/" + name, Method: "GET"}, []byte(name))
	}
}

// asksIn asks the payer for a code in a step.
func asksIn(name string) func(methods.Operation) methods.Answer {
	return func(op methods.Operation) methods.Answer {
		return methods.Prompted(op, []methods.Prompt{{Name: "otp", Label: name}}, []byte(name))
	}
}

// without is an answer of an acquirer that needs no Continuation.
func without(answer func(methods.Operation) methods.Answer) func(methods.Operation) methods.Answer {
	return func(op methods.Operation) methods.Answer {
		a := answer(op)
		a.Continuation = nil
		return a
	}
}

// held is an answer that comes when let is closed.
func held(let chan struct{}, answer func(methods.Operation) methods.Answer) func(methods.Operation) methods.Answer {
	return func(op methods.Operation) methods.Answer {
		<-let
		return answer(op)
	}
}

// payer is a payer at an acquirer that holds one answer back.
type payer struct {
	*testing.T
	kit  *gatewaytest.Kit
	p    *kerneltest.ScriptedConnector
	note func(methods.Operation) methods.Answer
	let  chan struct{}
	sent string
	link string
}

func newPayer(t *testing.T) *payer {
	t.Helper()
	y := &payer{T: t, let: make(chan struct{})}
	y.p = &kerneltest.ScriptedConnector{OnPerform: toStep("0"), OnFind: stillWaits}
	y.kit = gatewaytest.New(t, tells{actsTwice{y.p, &y.sent}, &y.note}.option)
	return y
}

// pays pays on the page, and keeps its link.
func (y *payer) pays() {
	y.Helper()
	y.link = y.kit.Session(y.T, "ORD-1", "10.00")
	y.kit.Pay(y.T, y.link, gatewaytest.Settles)
}

// brings comes back, and the acquirer answers so.
func (y *payer) brings(name string, answer func(methods.Operation) methods.Answer) {
	y.Helper()
	y.completes(answer)
	_, err := y.kit.Return(y.Context(), kerneltest.ReturnToken(y.T, y.p.Operation(0)), named(name))
	require.NoError(y.T, err)
}

// completes sets what the acquirer answers to returns and answers from now on. An earlier call may be under way.
func (y *payer) completes(answer func(methods.Operation) methods.Answer) {
	y.p.Mu.Lock()
	defer y.p.Mu.Unlock()
	y.p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return answer(op) }
}

// hears starts a notification, which is not read while its answer is held back.
func (y *payer) hears() {
	y.Helper()
	token := kerneltest.NotifyToken(y.T, y.p.Operation(0))
	go func() { _ = y.kit.Notify(context.Background(), token, methods.Note{}) }()
	synctest.Wait()
}

func (y *payer) record() records.Transaction {
	y.Helper()
	return kerneltest.TransactionOf(y.T, y.kit, y.kit.Payment(y.T, "ORD-1").Transactions[0].ID)
}

// answers lets the answer come that was held back.
func (y *payer) answers() {
	close(y.let)
	synctest.Wait()
}

// An answer without an end is dropped if the payer was led on, or brought something, since the question or the call
// began: the step stays, and what was sent is not new.
func TestOvertakenAnswer(t *testing.T) {
	t.Parallel()
	type reply = func(methods.Operation) methods.Answer
	ways := map[string]func(y *payer, old, now reply){
		"a return's late answer": func(y *payer, old, now reply) {
			y.pays()
			y.brings("A", held(y.let, old))
			y.p.OnFind = toStep("1")
			y.kit.Advance(y.T, 5*time.Minute)
			y.brings("B", now)
		},
		"the first call's late answer": func(y *payer, old, now reply) {
			y.p.OnPerform, y.p.OnFind = held(y.let, old), toStep("1")
			y.pays()
			y.kit.Advance(y.T, 5*time.Minute)
			y.brings("B", now)
		},
		"recovery's question": func(y *payer, old, now reply) {
			y.pays()
			y.p.OnFind = held(y.let, old)
			y.kit.Clock.Set(y.kit.Clock.Now().Add(5 * time.Minute))
			y.asks()
			y.brings("B", now)
		},
		"a notification": func(y *payer, old, now reply) {
			y.pays()
			y.note = held(y.let, old)
			y.hears()
			y.brings("B", now)
		},
	}
	olds := map[string]reply{"a redirect": toStep("0"), "a prompt": asksIn("0"), "pending": stillWaits,
		"unknown": lost, "a redirect without a Continuation": without(toStep("0"))}
	nows := map[string]reply{"led on": toStep("2"), "waits": stillWaits,
		"led on without a Continuation": without(toStep("2"))}
	for way, plays := range ways {
		for older, old := range olds {
			for newer, now := range nows {
				t.Run(way+", "+older+", "+newer, func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						y := newPayer(t)
						plays(y, old, now)
						was := y.record()
						y.answers()
						is := y.record()
						is.Due, is.Version, is.RecoveryAttempts = was.Due, was.Version, was.RecoveryAttempts
						require.Equal(t, was, is)
					})
				})
			}
		}
	}
}

// A late answer about the step in which the payer still is counts: it is the only one that says where they have to go.
func TestLateAnswerForTheSameStep(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{true, false} {
		t.Run(map[bool]string{true: "first call", false: "return"}[first], func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPayer(t)
				y.p.OnFind = toStep("1")
				if first {
					y.p.OnPerform = held(y.let, toStep("1"))
				}
				y.pays()
				if !first {
					y.brings("A", held(y.let, toStep("1")))
				}
				y.kit.Advance(t, 5*time.Minute)
				require.Equal(t, "1", string(y.record().Continuation))
				y.answers()
				next, err := y.kit.NextAction(t.Context(), y.link)
				require.NoError(t, err)
				require.Equal(t, gateway.ActionRedirect, next.Kind)
				require.Equal(t, "https://issuer.example/1", next.Redirect.URL)
				if !first {
					y.brings("A", stillWaits)
					require.Equal(t, "A", y.sent, "what was sent is not new")
				}
			})
		})
	}
}

// While a return waits for the answer to a question, the payment is closed by somebody else: the acquirer does not get
// that return any more, also if the question is answered after its deadline.
func TestQuestionAboutAClosedPayment(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		t.Run(map[bool]string{false: "in time", true: "late"}[late], func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPayer(t)
				y.note = func(op methods.Operation) methods.Answer { return methods.Declined(op, "Stolen card") }
				y.pays()
				y.brings("A", lost)
				link := kerneltest.NotifyToken(t, y.p.Operation(0))
				y.p.OnFind = func(op methods.Operation) methods.Answer {
					if err := y.kit.Notify(context.Background(), link, methods.Note{}); err != nil {
						t.Error(err)
					}
					if late {
						<-y.let
					}
					return stillWaits(op)
				}
				y.brings("B", stillWaits)
				y.answers()
				require.Equal(t, "A", y.sent)
				require.Equal(t, store.Declined, y.kit.Payment(t, "ORD-1").Status)
			})
		})
	}
}
