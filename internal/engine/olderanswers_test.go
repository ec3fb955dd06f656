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
)

// answered is tells whose returns and answers have no names.
type answered struct{ tells }

func (s answered) option(c *gateway.Config) { c.Connectors["vcard"] = s }

func (s answered) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return s.p.Complete(ctx, op, back)
}

// newPrompted is newPayer at an acquirer that also prompts.
func newPrompted(t *testing.T) *payer {
	t.Helper()
	y := &payer{T: t, let: make(chan struct{})}
	y.p = &kerneltest.ScriptedConnector{OnPerform: asksIn("0"), OnFind: stillWaits}
	y.kit = gatewaytest.New(t, answered{tells{actsTwice{y.p, &y.sent}, &y.note}}.option)
	return y
}

// notified is told something by a notification.
func (y *payer) notified(answer func(methods.Operation) methods.Answer) {
	y.Helper()
	y.note = answer
	require.NoError(y.T, y.kit.Notify(y.Context(), kerneltest.NotifyToken(y.T, y.p.Operation(0)), methods.Note{}))
}

// keys answers a prompt.
func (y *payer) keys(answer func(methods.Operation) methods.Answer) {
	y.Helper()
	y.completes(answer)
	_, err := y.kit.AnswerSession(y.Context(), y.link, map[string]string{"otp": "123456"})
	require.NoError(y.T, err)
}

// asks starts recovery, which does not end while its question is held back.
func (y *payer) asks() {
	go func() { _, _, _ = y.kit.Tick(context.Background(), 1) }()
	synctest.Wait()
}

// A decline of an earlier return that comes when the acquirer has got another may be of that call alone: the acquirer
// is asked.
func TestLateDeclineOfAnEarlierReturn(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]func(methods.Operation) methods.Answer{
		"waits": stillWaits, "lost": lost, "led on": toStep("1"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPayer(t)
				y.pays()
				y.brings("A", held(y.let, func(op methods.Operation) methods.Answer {
					return methods.Declined(op, "Completed before")
				}))
				y.brings("B", second)
				require.Equal(t, "AB", y.sent)
				y.answers()
				require.False(t, y.record().Outcome.Final(), "the decline is not believed")
				y.p.OnFind = kerneltest.Approves
				y.kit.Advance(t, time.Hour)
				require.Equal(t, store.Settled, y.kit.Payment(t, "ORD-1").Status)
			})
		})
	}
}

// A question that began while a return was under way says nothing of what became of it: the return, which is answered
// Pending meanwhile, is not sent again. The same holds of a notification.
func TestQuestionBegunDuringAReturn(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"question", "notification"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPayer(t)
				y.pays()
				y.kit.Clock.Set(y.kit.Clock.Now().Add(2 * time.Minute))
				let, link := make(chan struct{}), kerneltest.ReturnToken(t, y.p.Operation(0))
				y.completes(held(let, stillWaits))
				go func() { _, _ = y.kit.Return(context.Background(), link, named("A")) }()
				synctest.Wait()
				y.p.OnFind, y.note = held(y.let, toStep("0")), held(y.let, toStep("0"))
				if way == "question" {
					y.asks()
				} else {
					y.hears()
				}
				close(let)
				synctest.Wait()
				y.answers()
				y.p.OnFind = stillWaits
				y.brings("A", stillWaits)
				require.Equal(t, "A", y.sent)
			})
		})
	}
}

// A late answer to a prompt's answer is as good as one to a return: it says where the payer has to go.
func TestLateAnswerToAPrompt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := newPrompted(t)
		y.pays()
		y.p.OnFind = toStep("1")
		y.keys(held(y.let, toStep("1")))
		y.kit.Advance(t, 5*time.Minute)
		require.Equal(t, "1", string(y.record().Continuation))
		y.answers()
		require.Equal(t, gateway.ActionRedirect, kerneltest.NextActionOf(t, y.kit, y.link).Kind)
	})
}

// However often recovery hears of the same step, a late answer still says where the payer has to go.
func TestLateAnswerAfterTwoQuestions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := newPayer(t)
		y.p.OnPerform, y.p.OnFind = held(y.let, toStep("1")), toStep("1")
		y.pays()
		y.kit.Advance(t, 5*time.Minute)
		y.kit.Advance(t, 15*time.Minute)
		y.answers()
		require.Equal(t, gateway.ActionRedirect, kerneltest.NextActionOf(t, y.kit, y.link).Kind)
	})
}

// A late answer that says nothing of the next step, at an acquirer without Continuations, does not end that step.
func TestLateUnknownWithoutContinuation(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{true, false} {
		t.Run(map[bool]string{true: "first call", false: "return"}[first], func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPayer(t)
				y.p.OnPerform, y.p.OnFind = without(toStep("0")), without(toStep("1"))
				if first {
					y.p.OnPerform = held(y.let, lost)
				}
				y.pays()
				if !first {
					y.brings("A", held(y.let, lost))
				}
				y.kit.Advance(t, 5*time.Minute)
				require.Equal(t, store.Waiting, y.record().Outcome)
				y.answers()
				require.Equal(t, store.Waiting, y.record().Outcome)
			})
		})
	}
}

// A question for whose answer a person would have to decide is as old as any other: a payer who was led on meanwhile
// stays there.
func TestReviewIsOvertaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := newPayer(t)
		y.p.OnPerform, y.p.OnFind = lost, held(y.let, methods.NotFound)
		y.pays()
		y.kit.Clock.Set(y.kit.Clock.Now().Add(5 * time.Minute))
		y.asks()
		y.notified(asksIn("1"))
		y.answers()
		require.Equal(t, store.Waiting, y.record().Outcome)
		require.Equal(t, gateway.ActionPrompt, kerneltest.NextActionOf(t, y.kit, y.link).Kind)
		require.False(t, y.record().Due.IsZero())
	})
}

// What was closed, or accepted, while recovery asked for it is not sent again.
func TestClosedIsNotResent(t *testing.T) {
	t.Parallel()
	p := &kerneltest.ScriptedConnector{OnPerform: lost}
	kit := gatewaytest.New(t, p.Option)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
	id := kit.Payment(t, "ORD-1").Transactions[0].ID
	p.OnFind = func(op methods.Operation) methods.Answer {
		_, err := kit.Operator().ResolveDoubt(context.Background(), kerneltest.ReviewOf(t, kit, id, "not there"), false)
		if err != nil {
			t.Error(err)
		}
		return methods.NotFound(op)
	}
	p.OnPerform = kerneltest.Approves
	kit.Clock.Set(kit.Clock.Now().Add(time.Hour))
	_, _, err := kit.Tick(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, p.Sent, 1)
	require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
}

// A redirect that is kept in memory is replaced only by an answer that counts.
func TestOvertakenRedirectInMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := newPayer(t)
		in := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, MemoryRedirect: true}
		require.NoError(t, y.kit.SaveMapping(t.Context(), in))
		y.pays()
		y.brings("A", held(y.let, toStep("1")))
		y.brings("B", toStep("2"))
		y.answers()
		next := kerneltest.NextActionOf(t, y.kit, y.link)
		require.NotNil(t, next.Redirect)
		require.Equal(t, "https://issuer.example/2", next.Redirect.URL)
	})
}

// A redirect of another operation is not kept: the payer is not sent there later.
func TestRedirectOfAnother(t *testing.T) {
	t.Parallel()
	for _, memory := range []bool{false, true} {
		t.Run(map[bool]string{false: "sealed", true: "in memory"}[memory], func(t *testing.T) {
			t.Parallel()
			p := &kerneltest.ScriptedConnector{OnFind: toStep("1")}
			p.OnPerform = func(op methods.Operation) methods.Answer { op.Key += "x"; return toStep("another")(op) }
			kit := gatewaytest.New(t, p.Option)
			in := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, MemoryRedirect: memory}
			require.NoError(t, kit.SaveMapping(t.Context(), in))
			link := kit.Session(t, "ORD-1", "10.00")
			kit.Pay(t, link, gatewaytest.Settles)
			kit.Advance(t, 10*time.Minute)
			require.Equal(t, store.Redirected, kit.Payment(t, "ORD-1").Status)
			require.Nil(t, kerneltest.NextActionOf(t, kit, link).Redirect)
		})
	}
}

// A notification leads the payer on, and they answer, before the first call is answered: its answer is dropped. It
// counts if it says where that same step is.
func TestFirstCallIsOvertaken(t *testing.T) {
	t.Parallel()
	for name, old := range map[string]func(methods.Operation) methods.Answer{
		"unknown": lost, "pending": stillWaits, "the same prompt": asksIn("1"), "an older step": toStep("0"),
		"not sent": func(op methods.Operation) methods.Answer { return methods.NotSent(op, "no route") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPrompted(t)
				y.p.OnPerform = held(y.let, old)
				y.link = y.kit.Session(t, "ORD-1", "10.00")
				go y.kit.Pay(t, y.link, gatewaytest.Settles)
				synctest.Wait()
				y.notified(asksIn("1"))
				y.keys(stillWaits)
				was := y.record()
				y.answers()
				require.Equal(t, was, y.record())
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		y := newPrompted(t)
		y.p.OnPerform = held(y.let, toStep("1"))
		y.link = y.kit.Session(t, "ORD-1", "10.00")
		go y.kit.Pay(t, y.link, gatewaytest.Settles)
		synctest.Wait()
		y.notified(toStep("1"))
		y.answers()
		require.Equal(t, gateway.ActionRedirect, kerneltest.NextActionOf(t, y.kit, y.link).Kind)
	})
}

// busy is tells that takes all the time of a call before it.
type busy struct {
	tells
	wait *func()
}

func (s busy) option(c *gateway.Config) { c.Connectors["vcard"] = s }

func (s busy) Capabilities() methods.Capabilities {
	(*s.wait)()
	return methods.Capabilities{}
}

// A notification for which there was no time was not read: the acquirer has to send it again.
func TestNotificationWithoutTime(t *testing.T) {
	t.Parallel()
	wait := func() {}
	y := &payer{T: t, note: kerneltest.Approves}
	y.p = &kerneltest.ScriptedConnector{OnPerform: toStep("0"), OnFind: stillWaits}
	y.kit = gatewaytest.New(t, busy{tells{actsTwice{y.p, &y.sent}, &y.note}, &wait}.option)
	y.pays()
	wait = func() { y.kit.Clock.Set(y.kit.Clock.Now().Add(time.Hour)) }
	err := y.kit.Notify(t.Context(), kerneltest.NotifyToken(t, y.p.Operation(0)), methods.Note{})
	wait = func() {}
	require.Error(t, err)
	require.Equal(t, store.Waiting, y.record().Outcome)
	y.notified(kerneltest.Approves)
	require.Equal(t, store.Settled, y.kit.Payment(t, "ORD-1").Status)
}

// A payer's question that fails changes nothing, however it fails.
func TestQuestionThatFails(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"unknown", "panic", "no answer"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPayer(t)
				y.pays()
				y.brings("A", lost)
				y.kit.Advance(t, 10*time.Minute)
				require.Equal(t, store.Waiting, y.record().Outcome)
				y.p.OnFind = map[string]func(methods.Operation) methods.Answer{
					"unknown": lost, "no answer": held(y.let, lost),
					"panic": func(methods.Operation) methods.Answer { panic("out of order") },
				}[how]
				y.brings("B", stillWaits)
				require.Equal(t, store.Waiting, y.record().Outcome)
				y.answers()
				require.Equal(t, store.Waiting, y.record().Outcome)
				require.Equal(t, "A", y.sent)
			})
		})
	}
}

// An end counts whenever it comes: also one that is late, or of a question or a notification that began before the
// payer's last step.
func TestOvertakenEnd(t *testing.T) {
	t.Parallel()
	refuses := func(op methods.Operation) methods.Answer { return methods.Declined(op, "Stolen card") }
	for name, end := range map[store.Status]func(methods.Operation) methods.Answer{
		store.Settled: kerneltest.Approves, store.Declined: refuses,
	} {
		for _, way := range []string{"question", "notification"} {
			t.Run(string(name)+" by a "+way, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					y := newPayer(t)
					y.pays()
					y.kit.Clock.Set(y.kit.Clock.Now().Add(5 * time.Minute))
					y.p.OnFind, y.note = held(y.let, end), held(y.let, end)
					if way == "question" {
						y.asks()
					} else {
						y.hears()
					}
					y.brings("A", toStep("1"))
					y.answers()
					require.Equal(t, name, y.kit.Payment(t, "ORD-1").Status)
				})
			})
		}
	}
	t.Run("a late approval", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			y := newPayer(t)
			y.pays()
			y.brings("A", held(y.let, kerneltest.Approves))
			y.brings("B", stillWaits)
			y.answers()
			require.Equal(t, store.Settled, y.kit.Payment(t, "ORD-1").Status)
		})
	})
}

// A payer who was led on twice is not led back by what is about the first of the two steps, though an acquirer that
// gives no new Continuation looks the same.
func TestLateAnswerTwoStepsBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := newPayer(t)
		y.p.OnPerform, y.p.OnFind = held(y.let, toStep("1")), toStep("1")
		y.pays()
		y.kit.Advance(t, 5*time.Minute)
		y.brings("A", without(toStep("2")))
		was := y.record()
		y.answers()
		require.Equal(t, was, y.record())
	})
}

// An answer without a Continuation keeps the one that there is.
func TestContinuationStays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := newPayer(t)
		y.pays()
		y.brings("A", stillWaits)
		require.Equal(t, "0", string(y.record().Continuation))
	})
}

// While a return waits for the answer to a question its mark ends, and another return is sent: the first is not.
func TestQuestionWithoutItsMark(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		y := newPayer(t)
		y.pays()
		y.brings("A", lost)
		y.p.OnFind = held(y.let, stillWaits)
		token := kerneltest.ReturnToken(t, y.p.Operation(0))
		go func() { _, _ = y.kit.Return(context.Background(), token, named("B")) }()
		synctest.Wait()
		y.kit.Clock.Set(y.kit.Clock.Now().Add(time.Hour))
		y.p.OnFind = stillWaits
		y.brings("C", stillWaits)
		y.answers()
		require.Equal(t, "AC", y.sent)
	})
}
