package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// overtaken is an acquirer whose notification arrives before its answer: the notification says that it has
// the operation, the answer that it does not.
type overtaken struct {
	kerneltest.Finder
	notify func(op methods.Operation)
}

func (o *overtaken) Find(ctx context.Context, op methods.Operation) methods.Answer {
	answer := o.Finder.Find(ctx, op)
	if answer.Result == methods.ResultNotFound {
		o.notify(op)
	}
	return answer
}

func (o *overtaken) Notification(_ context.Context, op methods.Operation, _ methods.Note) methods.Answer {
	return methods.Pending(op, []byte("case 1"))
}

// The answer "not found" declines an operation only while there is no other evidence. If the acquirer has
// accepted the operation meanwhile, a person has to review it (S5).
func TestAbsenceIsOvertaken(t *testing.T) {
	t.Parallel()
	late := &overtaken{}
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(false, time.Minute), true, func(c *gateway.Config) {
		late.Finder = c.Connectors["vcard"].(kerneltest.Finder)
		c.Connectors["vcard"] = late
	})
	heard := 0
	late.notify = func(op methods.Operation) {
		if !kit.Clock.Now().After(kerneltest.TransactionOf(t, kit, op.TransactionID).DeadlineAt.Add(time.Minute)) {
			return // too early to decline it
		}
		heard++
		kerneltest.Report(t, kit, spy.Sends(op.TransactionID)[0], methods.Note{Method: "POST"})
	}
	r := begun(t, kit, store.OpSale, vcard.UnknownBefore())
	kit.Advance(t, 24*time.Hour)
	require.NotZero(t, heard)
	tr := kerneltest.TransactionOf(t, kit, r.Transaction.ID)
	require.False(t, tr.Outcome.Final())
	require.Contains(t, tr.Review, "no longer finds")
	require.NotEqual(t, store.Declined, kit.Payment(t, "ORD-1").Status)
}

// slowFinder answers late: what it found is older than its answer.
type slowFinder struct {
	kerneltest.Finder
	asked func()
}

func (s *slowFinder) Find(ctx context.Context, op methods.Operation) methods.Answer {
	answer := s.Finder.Find(ctx, op)
	s.asked()
	return answer
}

// An operation that the acquirer does not know has failed only if it was asked after the last moment at which the
// request could take effect. An answer that arrives after that moment to a question from before says nothing.
func TestAbsenceIsOfTheQuestion(t *testing.T) {
	t.Parallel()
	slow := &slowFinder{}
	kit, _ := kerneltest.Spied(t, kerneltest.Powers(false, time.Minute), true, func(c *gateway.Config) {
		slow.Finder = c.Connectors["vcard"].(kerneltest.Finder)
		c.Connectors["vcard"] = slow
	})
	questions := 0
	slow.asked = func() {
		if questions++; questions == 1 {
			kit.Clock.Set(kit.Clock.Now().Add(time.Hour))
		}
	}
	r := begun(t, kit, store.OpSale, vcard.Late(80*time.Second))
	kit.Advance(t, 61*time.Second)
	require.Equal(t, 1, questions)
	require.False(t, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome.Final())
	kit.Advance(t, 24*time.Hour)
	require.Equal(t, store.Success, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome)
	kerneltest.Quiet(t, kit)
}

// After a day of outage recovery sends a charge once more, and then its card is gone. That request too may take effect
// late, so the acquirer's not knowing it proves nothing until then.
func TestAbsenceOfTheLastResend(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, 10*time.Minute), true)
	r := begun(t, kit, store.OpSale, vcard.UnknownBefore())
	kit.Vcard.On("ORD-1", vcard.Late(8*time.Minute))
	kit.Clock.Set(kit.Clock.Now().Add(25 * time.Hour)) // while no instance worked
	kit.Work(t)
	requireSends(t, spy, r.Transaction.ID, 2)
	require.False(t, kerneltest.TransactionOf(t, kit, r.Transaction.ID).ErasedAt.IsZero())
	kit.Advance(t, 24*time.Hour)
	requireSends(t, spy, r.Transaction.ID, 2)
	require.Equal(t, store.Success, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome)
	kerneltest.Quiet(t, kit)
}
