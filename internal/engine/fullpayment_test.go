package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
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
