package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// stored returns a payment that a caller got as it is stored.
func stored(t *testing.T, kit *gatewaytest.Kit, p store.Payment) records.Payment {
	return kerneltest.ReadBooks(t, kit).Payment(t, p.ID)
}

// manyRefunds fills a payment with refunds of nothing, up to a number of transactions.
func manyRefunds(number int) func(*records.Payment) {
	return func(p *records.Payment) {
		for n := len(p.Transactions); n < number; n++ {
			t := *p.Transactions[0]
			t.ID, t.Operation, t.ParentID = fmt.Sprintf("refund-%d", n), store.OpRefund, p.Transactions[0].ID
			t.Amount = store.Amount{}
			p.SetTransaction(&t)
		}
	}
}

// longReason makes the record of a payment longer.
func longReason(size int) func(*records.Payment) {
	return func(p *records.Payment) { p.Transactions[0].Reason = strings.Repeat("x", size) }
}

func charged(change ...func(*gateway.ChargeRequest)) func(*testing.T, *gatewaytest.Kit) store.Payment {
	return func(t *testing.T, kit *gatewaytest.Kit) store.Payment {
		return kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, change...).Payment
	}
}

// declinedLater is a later payment of an agreement that may be retried.
func declinedLater(t *testing.T, kit *gatewaytest.Kit) store.Payment {
	first := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
	return kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-2")).Payment
}

// calculated is a debit whose commission is reported.
func calculated(t *testing.T, kit *gatewaytest.Kit) store.Payment {
	return kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, func(r *gateway.ChargeRequest) {
		r.Action, r.Kind, r.Calc = "DEBIT2VIRTUAL_CALC", store.Debit, true
	}).Payment
}

// A record has an end. An operation on a payment that is full is refused like one that its status does not allow, and
// changes nothing; what is under way still gets its outcome.
func TestFullPayment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		fill func(*records.Payment)
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
			begin func(*testing.T, *gatewaytest.Kit) store.Payment
		}{
			{"refund", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(*p, "1.00"))
				return err
			}, refusal.ErrRefund, charged()},
			{"void", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.Shop().Void(t.Context(), kerneltest.FollowUpOf(*p, ""))
				return err
			}, refusal.ErrVoid, charged()},
			{"capture", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(*p, "1.00"))
				return err
			}, refusal.ErrCaptureStatus, charged(kerneltest.Held)},
			{"reversal", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(*p, ""))
				return err
			}, refusal.ErrRefund, charged(kerneltest.Held)},
			{"retry", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.Shop().Retry(t.Context(), kerneltest.RetryOf(*p))
				return err
			}, refusal.ErrRetry, declinedLater},
			{"completion of a debit", func(kit *gatewaytest.Kit, p *store.Payment) error {
				_, err := kit.Shop().CompleteDebit(t.Context(), kerneltest.RetryOf(*p))
				return err
			}, refusal.ErrComplete, calculated},
		} {
			t.Run(c.name+", "+door.name, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				p := stored(t, kit, door.begin(t, kit))
				calls := len(kit.Charges(t))
				require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
					c.fill(&p)
					return kerneltest.Payments.Put(tx, p, p.ID)
				}))
				err := door.ask(kit, &p.Payment)
				if !c.full {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, door.error)
				after := kit.Payment(t, p.Order.Number)
				require.Equal(t, p.Version, after.Version)
				require.Len(t, after.Transactions, len(p.Transactions))
				require.Len(t, kit.Charges(t), calls, "the acquirer is not called")
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
			refund, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(paid, "4.00"))
			require.NoError(t, err)
			require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
				full, err := kerneltest.Payments.Get(tx, refund.Payment.ID)
				require.NoError(t, err)
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

// A dispute has happened already, so it needs no room for an answer. But there is no place for it beside 500 others.
func TestDisputeOfAFullPayment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		fill func(*records.Payment)
		err  error
	}{
		{"one transaction is left", manyRefunds(store.MaxTransactions - 1), nil},
		{"no transaction is left", manyRefunds(store.MaxTransactions), refusal.ErrChargeback},
		{"half of the largest value", longReason(store.MaxValue / 2), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			p := stored(t, kit, charged()(t, kit))
			require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
				c.fill(&p)
				return kerneltest.Payments.Put(tx, p, p.ID)
			}))
			_, err := kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID})
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.err == nil, kit.Payment(t, "ORD-1").Status == store.Disputed)
		})
	}
}

// The largest payment that is accepted has room for its redirect, for another attempt of its cascade and for refunds,
// whatever characters its request has.
func TestLargestPaymentIsRefunded(t *testing.T) {
	t.Parallel()
	const most = 256<<10 - len(`{"card":{"free":""}}`)
	for _, door := range []struct {
		name string
		pay  func(t *testing.T, kit *gatewaytest.Kit, parameters string) error
	}{
		{"charge", func(t *testing.T, kit *gatewaytest.Kit, parameters string) error {
			_, err := kit.Shop().Charge(t.Context(),
				kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) {
					r.Parameters = json.RawMessage(parameters)
					r.CustomData = json.RawMessage(`{"a":"` + strings.Repeat("<", 60<<10) + `"}`)
				}))
			return err
		}},
		{"session", func(t *testing.T, kit *gatewaytest.Kit, parameters string) error {
			r := gatewaytest.Request("ORD-1", "10.00")
			r.Parameters = json.RawMessage(parameters)
			session, err := kit.Shop().CreateSession(t.Context(), r)
			if err == nil {
				kit.Pay(t, strings.TrimPrefix(session.RedirectURL, gatewaytest.PublicURL+"/auth/"), gatewaytest.Settles)
			}
			return err
		}},
	} {
		for _, c := range []struct {
			name, text string
			size       int // of the text in the request, in bytes
			refused    bool
		}{
			{"letters", "x", most, false},
			{"one letter more", "x", most + 1, true},
			{"characters that pages escape", "<", most, false},
			{"quotation marks", `\"`, most, false},
			{"line separators", "\u2028", most / 2, false},
			{"line separators that are too long in a record", "\u2028", most, true},
			{"paragraph separators that are too long in a record", "\u2029", most, true},
		} {
			t.Run(door.name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer,
					OnComplete: func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }}
				kit := gatewaytest.New(t, p.Option)
				kerneltest.SwitchCascading(t, kit, store.Checkout)
				require.NoError(t, kit.SaveMID(t.Context(),
					store.MID{ID: "spare", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}))
				err := door.pay(t, kit, `{"card":{"free":"`+strings.Repeat(c.text, c.size/len(c.text))+`"}}`)
				if c.refused {
					require.ErrorIs(t, err, gateway.ErrInvalid)
					require.Contains(t, gateway.AsError(err).Faults()[0].Path, "parameters")
					return
				}
				require.NoError(t, err)
				require.Contains(t, string(p.Operation(0).Parameters), `"free":"`)
				_, err = kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), methods.Return{Method: "GET"})
				require.NoError(t, err)
				paid := kit.Payment(t, "ORD-1")
				require.Equal(t, store.Settled, paid.Status)
				p.OnPerform = kerneltest.Approves
				_, err = kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(paid, "1.00"))
				require.NoError(t, err)
			})
		}
	}
}
