package vcard_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
)

// talk plays the gateway and a payer who is asked: each answer is passed on with its continuation.
type talk struct {
	*acquirer
	op methods.Operation
}

func (t *talk) continues(a methods.Answer) methods.Answer {
	t.op.Continuation = a.Continuation
	return a
}

func answerOf(name, value string) methods.Return {
	return methods.Return{Method: methods.Answered, Params: map[string][]string{name: {value}}}
}

func (t *talk) says(name, value string) methods.Answer {
	t.restart()
	return t.continues(t.Complete(context.Background(), t.op, answerOf(name, value)))
}

func newTalk(t *testing.T, op methods.Operation) *talk {
	k := &talk{newAcquirer(t), op}
	k.continues(k.Perform(context.Background(), op))
	return k
}

func collection(parameters string) methods.Operation {
	return apm(methods.KindConfirmation, "mobile-collection", parameters)
}

const phone, code = "bankDetails.phoneNumber", "bankDetails.otp"

func names(a methods.Answer) (names []string) {
	for _, ask := range a.Prompts {
		names = append(names, ask.Name)
	}
	return names
}

func TestCollection(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		op   methods.Operation
		said [][2]string
		want []methods.Result // after each answer
	}{
		{"right", collection(""), [][2]string{{phone, "1"}, {code, "123456"}}, []methods.Result{methods.ResultPrompt, methods.ResultApproved}},
		{"phone sent", collection(`{"bankDetails":{"phoneNumber":"1"}}`), [][2]string{{code, "1"}}, []methods.Result{methods.ResultApproved}},
		{"another code of that shape", apm(methods.KindConfirmation, "own", `{"type":"PULL"}`), [][2]string{{phone, "1"}, {code, "1"}},
			[]methods.Result{methods.ResultPrompt, methods.ResultApproved}},
		{"wrong, then right", collection(`{"bankDetails":{"phoneNumber":"1"}}`), [][2]string{{code, vcard.WrongCode}, {code, "1"}},
			[]methods.Result{methods.ResultPrompt, methods.ResultApproved}},
		{"wrong twice", collection(`{"bankDetails":{"phoneNumber":"1"}}`), [][2]string{{code, vcard.WrongCode}, {code, vcard.WrongCode}},
			[]methods.Result{methods.ResultPrompt, methods.ResultDeclined}},
		{"a wrong code that was sent is asked for", collection(`{"bankDetails":{"phoneNumber":"1","otp":"000000"}}`), [][2]string{{code, "1"}},
			[]methods.Result{methods.ResultApproved}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			k := newTalk(t, row.op)
			var got methods.Answer
			for i, said := range row.said {
				require.Equal(t, vcard.StateAsked, k.entry("k").State)
				require.Equal(t, methods.ResultPending, k.Find(context.Background(), k.op).Result)
				got = k.says(said[0], said[1])
				require.Equal(t, row.want[i], got.Result, got.Cause)
				require.True(t, got.Repeats(k.op))
			}
			require.Equal(t, got.Result, k.says(code, "999999").Result, "one more answer changes nothing")
			require.Equal(t, map[bool]int{true: 1}[got.Result == methods.ResultApproved], k.entry("k").Effects)
			if got.Result == methods.ResultDeclined {
				require.Equal(t, "One-time code is wrong", got.Reason)
			}
		})
	}
}

// TestAnswerTwice: a repeated answer is not taken for the next one.
func TestAnswerTwice(t *testing.T) {
	t.Parallel()
	k, ctx := newTalk(t, collection(`{"bankDetails":{"phoneNumber":"1"}}`)), context.Background()
	first := k.Complete(ctx, k.op, answerOf(code, vcard.WrongCode))
	require.Equal(t, methods.ResultPrompt, first.Result)
	require.Equal(t, first, k.Complete(ctx, k.op, answerOf(code, vcard.WrongCode)))
	require.Equal(t, 1, k.entry("k").Wrong)
	k.continues(first)
	require.Equal(t, methods.ResultDeclined, k.says(code, vcard.WrongCode).Result)
}

func TestNationalID(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"cuil", "curp"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			op := apm(methods.KindDetails, "bank-transfer-"+name, "")
			op.Window = 300 * time.Second
			a, ctx := newAcquirer(t), context.Background()
			asked := a.Perform(ctx, op)
			require.Equal(t, methods.ResultPrompt, asked.Result)
			require.Equal(t, []string{"bank_" + name}, names(asked))
			require.Equal(t, asked, a.Perform(ctx, op))
			a.clock.Advance(time.Minute)

			k := &talk{a, op}
			k.continues(asked)
			shown := k.says("bank_"+name, "20123456789")
			require.Equal(t, methods.ResultDisplay, shown.Result, shown.Cause)
			require.Equal(t, vcard.TestAccount, details(shown.Display)["Account"])
			require.Equal(t, a.clock.Now().Add(300*time.Second), shown.Display.Until, "the time to pay begins with the details")
			require.Equal(t, "20123456789", a.entry("k").PayerID)
			require.Equal(t, shown, k.says("bank_"+name, "again"))
			browser{a}.payHere(shown, "confirm")
			require.Equal(t, methods.ResultApproved, a.Find(ctx, op).Result)
			require.Equal(t, 1, a.entry("k").Effects)
		})
	}
}

func TestPayerDoesNotAnswer(t *testing.T) {
	t.Parallel()
	k := newTalk(t, collection(""))
	k.clock.Advance(vcard.PayerTime)
	require.Equal(t, "Not paid in time", k.Find(context.Background(), k.op).Reason)
	require.Equal(t, methods.ResultDeclined, k.says(phone, "1").Result)
}

func TestBadAnswers(t *testing.T) {
	t.Parallel()
	k, ctx := newTalk(t, collection("")), context.Background()
	for _, params := range []map[string][]string{
		nil, {phone: nil}, {phone: {""}}, {phone: {"1", "2"}}, {code: {"123456"}}, {phone: {string(make([]byte, 256))}},
	} {
		got := k.Complete(ctx, k.op, methods.Return{Method: methods.Answered, Params: params})
		require.Equal(t, methods.ResultPrompt, got.Result)
		require.Equal(t, []string{phone}, names(got), "it is asked again")
	}
	for _, method := range []string{"GET", "POST", ""} {
		back := answerOf(phone, "1")
		back.Method = method
		require.Equal(t, methods.ResultUnverified, k.Complete(ctx, k.op, back).Result)
	}
	foreign := k.op
	foreign.Continuation = []byte("another#0")
	require.Equal(t, methods.ResultUnverified, k.Complete(ctx, foreign, answerOf(phone, "1")).Result)
	require.Zero(t, k.entry("k").Answers)

	never := newTalk(t, apm(methods.KindQR, "ips", ""))
	require.Equal(t, methods.ResultUnverified, never.says(phone, "1").Result, "nothing was asked")
}

// TestScriptedAnswer: a scripted refusal of Complete declines.
func TestScriptedAnswer(t *testing.T) {
	t.Parallel()
	k := newTalk(t, collection(`{"bankDetails":{"phoneNumber":"1"}}`))
	k.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{vcard.Decline("scripted")}})
	got := k.Complete(context.Background(), k.op, answerOf(code, "1"))
	require.Equal(t, methods.ResultDeclined, got.Result)
	require.Equal(t, "scripted", got.Reason)
}
