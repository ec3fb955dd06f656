package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// A charge that takes effect after the declared lateness, when it is already declined, is a breach: it is
// marked and reported to the observer, and the status does not change (S6).
func TestLateEffectIsABreach(t *testing.T) {
	t.Parallel()
	var seen gatewaytest.Events
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(false, time.Minute), true, seen.Option)
	r := begun(t, kit, store.OpSale, vcard.Late(10*time.Minute))
	kit.Advance(t, 5*time.Minute)
	require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status, "definite: not found beyond the lateness")
	told := kerneltest.CallbackStatuses(t, kit)
	kit.Advance(t, 10*time.Minute)
	for range 2 { // the second time changes nothing
		kerneltest.NotifyOf(t, kit, spy, r.Transaction.ID)
		kit.Work(t)
		tr := kerneltest.TransactionOf(t, kit, r.Transaction.ID)
		require.Equal(t, store.Fail, tr.Outcome)
		require.Contains(t, tr.Review, "later reported as approved")
		heard := gatewaytest.Heard[observe.ReviewNeeded](&seen)
		require.Len(t, heard, 1, "it is told once")
		require.Equal(t, tr.Review, heard[0].Why)
		require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
		require.Equal(t, told, kerneltest.CallbackStatuses(t, kit))
	}
	ctx, id := t.Context(), r.Transaction.ID
	review := kerneltest.ReviewOf(t, kit, id, "refunded by hand")
	unsigned, elsewhere, another := review, review, review
	unsigned.By, elsewhere.PaymentID, another.TransactionID = "", "none", "none"
	require.ErrorIs(t, kit.Operator().CloseBreach(ctx, unsigned), gateway.ErrInvalid)
	require.ErrorIs(t, kit.Operator().CloseBreach(ctx, elsewhere), gateway.ErrNoReview)
	require.ErrorIs(t, kit.Operator().CloseBreach(ctx, another), gateway.ErrNoReview)
	breach := kerneltest.TransactionOf(t, kit, id)
	asCalled := breach.Transaction
	breaches, err := kit.Operator().Breaches(ctx, 10)
	require.NoError(t, err)
	require.Equal(t, []store.Transaction{asCalled}, breaches)
	kerneltest.PutRaw(t, kit.Store, "", "br", "gone", "1")
	kerneltest.PutRaw(t, kit.Store, "", "br", review.PaymentID, "gone")
	breaches, err = kit.Operator().Breaches(ctx, 10)
	require.ErrorIs(t, err, store.ErrNotFound)
	require.ErrorContains(t, err, "payment gone, transaction 1")
	require.ErrorContains(t, err, "payment "+review.PaymentID+", transaction gone")
	require.Equal(t, []store.Transaction{asCalled}, breaches, "the others can be seen to")
	require.NoError(t, kit.Store.Update(ctx, func(tx store.Tx) error {
		return errors.Join(tx.Delete(store.Key("br", "gone", "1")), tx.Delete(store.Key("br", review.PaymentID, "gone")))
	}))
	require.NoError(t, kit.Operator().CloseBreach(ctx, review))
	require.ErrorIs(t, kit.Operator().CloseBreach(ctx, review), gateway.ErrNoReview)
	kerneltest.NotifyOf(t, kit, spy, id)
	breaches, err = kit.Operator().Breaches(ctx, 10)
	require.NoError(t, err)
	require.Empty(t, breaches, "seen to is seen to")
	require.Equal(t, "ann", kerneltest.TransactionOf(t, kit, id).ReviewedBy.By)
	kerneltest.Audit(t, kit)
}

// The lateness counts from the deadline of the call, even if the caller gave up earlier.
func TestLatenessCountsFromTheDeadline(t *testing.T) {
	t.Parallel()
	can := kerneltest.Powers(false, 10*time.Second)
	can.Timeout = 5 * time.Minute
	kit, _ := kerneltest.Spied(t, can, true)
	r := begun(t, kit, store.OpSale, vcard.Late(5*time.Minute+10*time.Second))
	kit.Advance(t, 5*time.Minute+10*time.Second)
	require.Equal(t, store.InDoubt, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome)
	kit.Advance(t, time.Minute)
	require.Equal(t, store.Success, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome)
	kerneltest.Quiet(t, kit)
}

// Evidence against a person's decision is a breach as well, although the transaction was under review before.
func TestDecisionThatIsContradicted(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(false, 0), false)
	r := begun(t, kit, store.OpSale, vcard.UnknownAfter())
	kit.Advance(t, 2*time.Minute)
	require.NotEmpty(t, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Review)
	_, err := kit.Operator().ResolveDoubt(t.Context(), kerneltest.ReviewOf(t, kit, r.Transaction.ID,
		"not on the statement"), false)
	require.NoError(t, err)
	kerneltest.NotifyOf(t, kit, spy, r.Transaction.ID)
	tr := kerneltest.TransactionOf(t, kit, r.Transaction.ID)
	require.Equal(t, store.Fail, tr.Outcome)
	require.Contains(t, tr.Review, "later reported as approved")
	require.Equal(t, "ann", tr.Decision.By)
}

// A notification older than the current state changes nothing.
func TestStaleNotice(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	r := begun(t, kit, store.OpSale, vcard.Pending())
	op := spy.Sends(r.Transaction.ID)[0]
	stale, err := kit.Vcard.Notify(t.Context(), op.Key)
	require.NoError(t, err)
	require.NoError(t, kit.Vcard.Resolve(t.Context(), op.Key, vcard.Approve()))
	kerneltest.NotifyOf(t, kit, spy, r.Transaction.ID)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	_, err = kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(r.Payment, "4.00"))
	require.NoError(t, err)
	before := kit.Payment(t, "ORD-1")
	kerneltest.Report(t, kit, op, stale)
	kerneltest.Report(t, kit, op, methods.Note{Method: "POST", Body: []byte(`{}`)})
	kerneltest.NotifyOf(t, kit, spy, r.Transaction.ID)
	require.Equal(t, before, kit.Payment(t, "ORD-1"))
	kit.Work(t)
	kerneltest.Quiet(t, kit)
}

// A live answer that arrives after recovery closed the operation does not reopen it.
func TestAnswerAfterRecovery(t *testing.T) {
	t.Parallel()
	kit, _ := kerneltest.Spied(t, kerneltest.Powers(false, time.Minute), true)
	release := make(chan struct{})
	kit.Vcard.Next(vcard.Block(release))
	answers := make(chan *gateway.Result, 1)
	go func() {
		r, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
		if err != nil {
			t.Error(err)
		}
		answers <- r
	}()
	require.Eventually(t, func() bool { return kit.Vcard.Scripted() == 0 }, kerneltest.Patience, time.Millisecond)
	kit.Advance(t, time.Hour)
	require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
	close(release)
	r := <-answers
	require.Equal(t, store.Declined, r.Payment.Status, "the caller gets what is stored")
	require.Contains(t, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Review, "later reported as approved")
	kerneltest.Audit(t, kit)
}

// If a resend was not sent, this says nothing about the first request.
func TestResendThatIsNotSent(t *testing.T) {
	t.Parallel()
	for _, op := range allOperations {
		t.Run(string(op), func(t *testing.T) {
			t.Parallel()
			kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, 0), false)
			r := begun(t, kit, op, vcard.UnknownAfter(), vcard.NotSent(), vcard.NotSent())
			kit.Advance(t, 7*time.Minute)
			require.Equal(t, store.InDoubt, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome)
			kit.Advance(t, time.Hour)
			require.Equal(t, store.Success, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome)
			requireSends(t, spy, r.Transaction.ID, 4)
			kerneltest.Quiet(t, kit)
		})
	}
}

// A first request that certainly was not sent is declined softly, at once.
func TestNotSent(t *testing.T) {
	t.Parallel()
	for _, op := range allOperations {
		t.Run(string(op), func(t *testing.T) {
			t.Parallel()
			kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
			r := begun(t, kit, op, vcard.NotSent())
			require.Equal(t, store.Fail, r.Transaction.Outcome)
			require.True(t, r.Transaction.Soft)
			kit.Advance(t, 72*time.Hour)
			requireSends(t, spy, r.Transaction.ID, 1)
			kerneltest.Quiet(t, kit)
		})
	}
}

// A person's decision ends a doubt and is stored with it.
func TestSettle(t *testing.T) {
	t.Parallel()
	for _, op := range allOperations {
		for _, approved := range []bool{true, false} {
			t.Run(string(op), func(t *testing.T) {
				t.Parallel()
				kit, spy := kerneltest.Spied(t, kerneltest.Powers(false, 0), false)
				r := begun(t, kit, op, vcard.UnknownBefore())
				id := r.Transaction.ID
				for _, missing := range []gateway.Review{{Why: "why"}, {By: "by"}} {
					missing.PaymentID, missing.TransactionID = r.Payment.ID, id
					_, err := kit.Operator().ResolveDoubt(t.Context(), missing, approved)
					require.ErrorIs(t, err, gateway.ErrInvalid)
				}
				kit.Advance(t, 2*time.Minute)
				done, err := kit.Operator().ResolveDoubt(t.Context(), kerneltest.ReviewOf(t, kit, id,
					"the acquirer's statement"), approved)
				require.NoError(t, err)
				want := map[bool]store.Outcome{true: store.Success, false: store.Fail}[approved]
				require.Equal(t, want, done.Transaction.Outcome)
				require.Equal(t, &store.Decision{Outcome: want, By: "ann", Why: "the acquirer's statement", At: kit.Clock.Now()},
					done.Transaction.Decision)
				_, err = kit.Operator().ResolveDoubt(t.Context(), kerneltest.ReviewOf(t, kit, id, "no"), !approved)
				require.ErrorIs(t, err, gateway.ErrNoReview)
				doubts, err := kit.Operator().Doubts(t.Context(), 10)
				require.NoError(t, err)
				require.Empty(t, doubts)
				kit.Advance(t, 72*time.Hour)
				requireSends(t, spy, id, 1)
				require.Equal(t, "ann", kerneltest.TransactionOf(t, kit, id).Decision.By)
				kerneltest.Quiet(t, kit)
			})
		}
	}
}

func TestSettleOfNothing(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles)
	for _, of := range [][2]string{{"", ""}, {p.ID, ""}, {p.ID, "nothing"}, {"nothing", p.Transactions[0].ID},
		{p.ID, p.Transactions[0].ID}} {
		review := gateway.Review{PaymentID: of[0], TransactionID: of[1], By: "ann", Why: "why"}
		_, err := kit.Operator().ResolveDoubt(t.Context(), review, true)
		require.ErrorIs(t, err, gateway.ErrNoReview)
	}
}

var pages = map[string]methods.Card{"3-D Secure": gatewaytest.ThreeDSPasses, "bank": gatewaytest.BankPasses}

// Whatever fails meanwhile, a payer who returns has paid.
func TestPayerComesBackAfterFailures(t *testing.T) {
	t.Parallel()
	for where, card := range pages {
		for _, c := range []struct {
			name    string
			between func(t *testing.T, kit *gatewaytest.Kit, link string)
		}{
			{"a question that failed", func(t *testing.T, kit *gatewaytest.Kit, _ string) {
				kit.Vcard.Script(vcard.Script{Call: vcard.CallFind,
					Outcomes: []vcard.Outcome{vcard.UnknownBefore(), vcard.Panic()}})
				kit.Advance(t, 7*time.Minute)
			}},
			{"a question that was not sent", func(t *testing.T, kit *gatewaytest.Kit, _ string) {
				kit.Vcard.Script(vcard.Script{Call: vcard.CallFind, Outcomes: []vcard.Outcome{vcard.NotSent(), vcard.NotSent()}})
				kit.Advance(t, 7*time.Minute)
			}},
			{"an acquirer that forgot", func(t *testing.T, kit *gatewaytest.Kit, _ string) {
				kit.Vcard.Script(vcard.Script{Call: vcard.CallFind, Outcomes: []vcard.Outcome{vcard.Absent(), vcard.Absent()}})
				kit.Advance(t, 7*time.Minute)
			}},
			{"a return that is forged", func(t *testing.T, kit *gatewaytest.Kit, link string) {
				_, err := kit.Return(t.Context(), link, methods.Return{Method: "GET"})
				require.NoError(t, err)
			}},
			{"a completion that was lost", func(t *testing.T, kit *gatewaytest.Kit, link string) {
				kit.Vcard.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{vcard.UnknownBefore()}})
				_, err := kit.Return(t.Context(), link, methods.Return{Method: "GET"})
				require.NoError(t, err)
			}},
			{"a completion that was not sent", func(t *testing.T, kit *gatewaytest.Kit, link string) {
				kit.Vcard.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{vcard.NotSent()}})
				_, err := kit.Return(t.Context(), link, methods.Return{Method: "GET"})
				require.NoError(t, err)
			}},
			{"lost, and then not found for long", func(t *testing.T, kit *gatewaytest.Kit, link string) {
				kit.Vcard.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{vcard.UnknownBefore()}})
				_, err := kit.Return(t.Context(), link, methods.Return{Method: "GET"})
				require.NoError(t, err)
				kit.Vcard.Script(vcard.Script{Call: vcard.CallFind, Outcomes: slices.Repeat([]vcard.Outcome{vcard.Absent()}, 2)})
				kit.Advance(t, 10*time.Minute)
			}},
		} {
			for _, idempotent := range []bool{true, false} {
				t.Run(where+", "+c.name, func(t *testing.T) {
					t.Parallel()
					kit, spy := kerneltest.Spied(t, kerneltest.Powers(idempotent, time.Minute), true)
					_, next := kerneltest.SendAway(t, kit, card)
					id := kit.Payment(t, "ORD-1").Transactions[0].ID
					c.between(t, kit, strings.TrimPrefix(spy.Sends(id)[0].ReturnURL, gatewaytest.PublicURL+"/return/"))
					require.False(t, kerneltest.TransactionOf(t, kit, id).Outcome.Final(), "nothing is known yet")
					kit.ComeBack(t, next)
					require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
					requireSends(t, spy, id, 1)
					kit.Work(t)
					kerneltest.Quiet(t, kit)
				})
			}
		}
	}
}

// If the answer to a completion is lost, the acquirer is asked; "not found" never declines it (4.4).
func TestCompletionThatIsLost(t *testing.T) {
	t.Parallel()
	for where, card := range pages {
		for _, o := range []vcard.Outcome{
			vcard.UnknownAfter(), vcard.PanicAfter(), vcard.WrongAmount(store.MustAmount("1.00")), vcard.WrongKey("tg-other"),
		} {
			t.Run(where+", "+o.String(), func(t *testing.T) {
				t.Parallel()
				kit, spy := kerneltest.Spied(t, kerneltest.Powers(false, time.Minute), true)
				token, next := kerneltest.SendAway(t, kit, card)
				kit.Vcard.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{o}})
				require.Equal(t, gatewaytest.PublicURL+"/auth/"+token, kit.ComeBack(t, next))
				p := kit.Payment(t, "ORD-1")
				require.Equal(t, store.InDoubt, kerneltest.TransactionOf(t, kit, p.Transactions[0].ID).Outcome)
				action, err := kit.NextAction(t.Context(), token)
				require.NoError(t, err)
				require.Equal(t, gateway.ReturnUndefined, action.Status, "the payer is not kept waiting")
				kit.Advance(t, time.Hour)
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
				requireSends(t, spy, p.Transactions[0].ID, 1)
				kerneltest.Quiet(t, kit)
			})
		}
	}
}

// A payer who returns after recovery closed the payment gets the closed result (killbill#660).
func TestPayerComesBackTooLate(t *testing.T) {
	t.Parallel()
	for where, card := range pages {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			_, next := kerneltest.SendAway(t, kit, card)
			target, back := kit.Away(t, next, "confirm")
			if where != "bank" { // a bank books when the payer confirms; an issuer only allows the acquirer to book
				kit.Advance(t, vcard.PayerTime+48*time.Hour)
				require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
			} else {
				kit.Advance(t, time.Hour)
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			}
			before := kit.Payment(t, "ORD-1")
			link := strings.TrimPrefix(strings.SplitN(target, "?", 2)[0], gatewaytest.PublicURL+"/return/")
			kit.Vcard.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{vcard.Normal()}})
			for range 3 {
				_, err := kit.Return(t.Context(), link, back)
				require.NoError(t, err)
			}
			require.Equal(t, 1, kit.Vcard.Scripted(), "the acquirer is not asked any more")
			require.Equal(t, before, kit.Payment(t, "ORD-1"))
			require.Len(t, kit.Charges(t), 1)
			kit.Work(t)
			kerneltest.Quiet(t, kit)
		})
	}
}

// If the connector is no longer configured, the acquirer cannot be asked and a person has to decide.
func TestDoubtWithoutConnector(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kit.Vcard.Next(vcard.UnknownAfter())
	r, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
	require.NoError(t, err)
	other := kit.Twin(t, func(c *gateway.Config) { c.Connectors = map[string]methods.Connector{"other": kit.Vcard} })
	other.Advance(t, 23*time.Hour)
	tr := kerneltest.TransactionOf(t, kit, r.Transaction.ID)
	require.Equal(t, store.InDoubt, tr.Outcome)
	require.Contains(t, tr.Review, "not configured")
	require.Equal(t, 4, tr.RecoveryAttempts, "1 m, 6 m, 21 m, 81 m")
	kit.Advance(t, 24*time.Hour)
	require.Equal(t, store.Success, kerneltest.TransactionOf(t, kit, tr.ID).Outcome, "it is back")
	kerneltest.Quiet(t, kit)
}
