package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// manyRefunds fills a payment with refunds of nothing, up to a number of transactions.
func manyRefunds(number int) func(*store.Payment) {
	return func(p *store.Payment) {
		for n := len(p.Transactions); n < number; n++ {
			t := *p.Transactions[0]
			t.ID, t.Operation, t.ParentID = fmt.Sprintf("refund-%d", n), store.OpRefund, p.Transactions[0].ID
			t.Amount = store.Amount{}
			p.SetTransaction(&t)
		}
	}
}

// longReason makes the record of a payment longer.
func longReason(size int) func(*store.Payment) {
	return func(p *store.Payment) { p.Transactions[0].Reason = strings.Repeat("x", size) }
}

// A record has an end. An operation on a payment that is full is refused like one that its status does not allow, and
// changes nothing; what is under way still gets its outcome.
func TestFullPayment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		fill func(*store.Payment)
		full bool
	}{
		{"one transaction is left", manyRefunds(store.MaxTransactions - 1), false},
		{"no transaction is left", manyRefunds(store.MaxTransactions), true},
		{"half of the largest value, less some", longReason(store.MaxValue/2 - 4096), false},
		{"half of the largest value", longReason(store.MaxValue / 2), true},
	} {
		for _, door := range []struct {
			name  string
			ask   func(kit *gatewaytest.Kit, p *store.Payment) error
			error error
			held  bool
		}{
			{"refund", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.CreditVoid(t.Context(), kerneltest.FollowUpOf(*p, "1.00"))
				return err
			}, refusal.ErrRefund, false},
			{"void", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.Void(t.Context(), kerneltest.FollowUpOf(*p, ""))
				return err
			}, refusal.ErrVoid, false},
			{"capture", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.Capture(t.Context(), kerneltest.FollowUpOf(*p, "1.00"))
				return err
			}, refusal.ErrCaptureStatus, true},
			{"reversal", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.CreditVoid(t.Context(), kerneltest.FollowUpOf(*p, ""))
				return err
			}, refusal.ErrRefund, true},
		} {
			t.Run(c.name+", "+door.name, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				var ways []func(*gateway.ChargeRequest)
				if door.held {
					ways = append(ways, kerneltest.Held)
				}
				p := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, ways...).Payment
				require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
					c.fill(&p)
					return kerneltest.Payments.Put(tx, p, p.ID)
				}))
				err := door.ask(kit, &p)
				if !c.full {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, door.error)
				after := kit.Payment(t, "ORD-1")
				require.Equal(t, p.Version, after.Version)
				require.Len(t, after.Transactions, len(p.Transactions))
				require.Len(t, kit.Charges(t), 1, "the acquirer is not called")
			})
		}
	}
}

// An outcome that no longer fits into the record of its payment is stored without the acquirer's facts about it.
func TestOutcomeWithoutRoom(t *testing.T) {
	t.Parallel()
	many := func(op methods.Operation) methods.Answer {
		a := kerneltest.Approves(op)
		for n := range methods.MaxExtras {
			a.Extras = append(a.Extras, store.Extra{Name: fmt.Sprint("fact-", n), Value: strings.Repeat("x", methods.MaxExtra)})
		}
		a.Facts.RRN = "700000000001"
		return a
	}
	for _, c := range []struct {
		name string
		room int
		kept bool
	}{
		{"room for all of it", 16 << 10, true},
		{"room for the outcome", 2 << 10, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.Approves}
			kit := gatewaytest.New(t, p.Option)
			paid := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles).Payment
			p.OnPerform = func(op methods.Operation) methods.Answer { return methods.Pending(op, nil) }
			refund, err := kit.CreditVoid(t.Context(), kerneltest.FollowUpOf(paid, "4.00"))
			require.NoError(t, err)
			require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
				full := refund.Payment
				size := func() int {
					value, err := tx.Get(store.Key("p", full.ID))
					require.NoError(t, err)
					return len(value)
				}
				longReason(store.MaxValue - c.room - size())(&full)
				return kerneltest.Payments.Put(tx, full, full.ID)
			}))
			p.OnFind = many
			kit.Advance(t, 2*time.Minute)

			after := kit.Payment(t, "ORD-1")
			require.Equal(t, "4.00", after.Refunded.String())
			require.True(t, after.Reserved.IsZero())
			done := after.Transaction(refund.Transaction.ID)
			require.Equal(t, store.Success, done.Outcome)
			require.Equal(t, "ref-tg-"+done.ID, done.Reference)
			require.Equal(t, c.kept, len(done.Extras) > 0)
			require.Equal(t, c.kept, done.Facts.RRN != "")
			require.Equal(t, refund.Payment.Version+2, after.Version, "the claim and the outcome")
			require.Contains(t, kerneltest.CallbackStatuses(t, kit), "refund success refund")
		})
	}
}
