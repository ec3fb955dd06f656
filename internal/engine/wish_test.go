package engine_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// wishes is an answer with a date for the next question.
func wishes(answer func(methods.Operation) methods.Answer, in time.Duration) func(methods.Operation) methods.Answer {
	return func(op methods.Operation) methods.Answer {
		a := answer(op)
		a.Again = in
		return a
	}
}

// tooMuch approves another amount than the one that was asked for.
func tooMuch(op methods.Operation) methods.Answer {
	a := kerneltest.Approves(op)
	a.Amount = a.Amount.Add(a.Amount)
	return a
}

// answersAt are the doors through which an acquirer answers.
var answersAt = []struct {
	name string
	// The usual time to the next question, and the longest: until the security code is erased, or the longest wish.
	usual, longest time.Duration
	through        func(*payer, func(methods.Operation) methods.Answer)
}{
	{"first call", time.Minute, time.Hour, func(y *payer, a func(methods.Operation) methods.Answer) {
		y.p.OnPerform = a
		y.pays()
	}},
	{"return", time.Minute, time.Hour, func(y *payer, a func(methods.Operation) methods.Answer) {
		y.pays()
		y.brings("A", a)
	}},
	{"notification", 5 * time.Minute, time.Hour, func(y *payer, a func(methods.Operation) methods.Answer) {
		y.p.OnPerform = stillWaits
		y.pays()
		y.notified(a)
	}},
	{"recovery", 24 * time.Hour, 30 * 24 * time.Hour, func(y *payer, a func(methods.Operation) methods.Answer) {
		y.p.OnPerform = stillWaits
		y.pays()
		y.kit.Advance(y.T, 100*time.Hour)
		y.p.OnFind = a
		y.kit.Clock.Set(y.record().Due)
		_, _, err := y.kit.Tick(y.Context(), 1)
		require.NoError(y.T, err)
	}},
}

// An acquirer chooses when it is asked again, within bounds and where its answer is believed.
func TestWish(t *testing.T) {
	t.Parallel()
	const usual, longest = -1, -2
	for _, door := range answersAt {
		for _, c := range []struct {
			name       string
			answer     func(methods.Operation) methods.Answer
			wish, want time.Duration
		}{
			{"none", stillWaits, 0, usual},
			{"of the past", stillWaits, -time.Hour, usual},
			{"at once", stillWaits, time.Nanosecond, time.Second},
			{"soon", stillWaits, 7 * time.Second, 7 * time.Second},
			{"in ten years", stillWaits, 87600 * time.Hour, longest},
			{"of what is not believed", tooMuch, 7 * time.Second, usual},
		} {
			t.Run(door.name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				y := newPayer(t)
				door.through(y, wishes(c.answer, c.wish))
				want := c.want
				switch c.want {
				case usual:
					want = door.usual
				case longest:
					want = door.longest
				}
				require.Equal(t, y.kit.Clock.Now().Add(want).UTC(), y.record().Due.UTC())
			})
		}
	}
}

// A call that came to nothing gives recovery the date back that it had; one that it got during the call stays.
func TestDateOfACallThatCameToNothing(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]func(*payer) time.Duration{
		"as before": func(*payer) time.Duration { return time.Minute },
		"told meanwhile": func(y *payer) time.Duration {
			y.notified(wishes(stillWaits, 2*time.Second))
			return 2 * time.Second
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				y := newPrompted(t)
				y.pays()
				notSent := func(op methods.Operation) methods.Answer { return methods.NotSent(op, "not connected") }
				y.completes(held(y.let, notSent))
				go func() { _, _ = y.kit.AnswerSession(t.Context(), y.link, map[string]string{"otp": "123456"}) }()
				synctest.Wait()
				want := during(y)
				y.answers()
				require.Equal(t, store.Waiting, y.record().Outcome)
				require.Equal(t, y.kit.Clock.Now().Add(want).UTC(), y.record().Due.UTC())
			})
		})
	}
}
