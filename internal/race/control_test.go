package race_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// naive is a gateway that is written without care: it checks whether something is allowed, does it, and then
// overwrites what it had read. It uses the store, the acquirer and the records of the real one.
type naive struct {
	spy         *kerneltest.Spy
	payment     records.Payment     // a sample of its payments
	transaction records.Transaction // and of their charges
	careful     *sync.Mutex         // held from check to write, if it is careful
	made        atomic.Int64
}

// newNaive makes one payment by the kernel, to copy it.
func newNaive(t testing.TB, s *stage, careful bool) *naive {
	t.Helper()
	s.next(t)
	paid := kerneltest.Pay(t, s.one, "ORD-0", gatewaytest.Settles)
	n := &naive{spy: s.spy, payment: kerneltest.ReadBooks(t, s.one).Payment(t, paid.ID)}
	n.transaction = kerneltest.TransactionOf(t, s.one, n.payment.Transactions[0].ID)
	if careful {
		n.careful = &sync.Mutex{}
	}
	return n
}

// begin takes the lock, if it is careful, and returns how to release it.
func (n *naive) begin() (end func()) {
	if n.careful == nil {
		return func() {}
	}
	n.careful.Lock()
	return n.careful.Unlock
}

// think is the moment between the check and the action.
func (n *naive) think() {
	for range 20 {
		runtime.Gosched()
	}
}

// perform sends an operation to the acquirer and returns its record. It assumes that the operation is allowed.
func (n *naive) perform(ctx context.Context, kit *gatewaytest.Kit, op methods.Operation,
	t records.Transaction) records.Transaction {
	t.ID = fmt.Sprintf("naive-%d", n.made.Add(1))
	op.TransactionID, op.Key = t.ID, "tg-"+t.ID
	t.Operation, t.Amount, t.Outcome, t.Version = op.Kind, op.Amount, store.Success, 1
	t.Reference = kit.Vcard.Perform(ctx, op).Reference
	return t
}

// pays charges an order and stores the payment.
func (n *naive) pays(ctx context.Context, kit *gatewaytest.Kit, order string,
	also func(tx store.Tx, p *records.Payment) error) error {
	op := n.spy.Sends(n.transaction.ID)[0]
	op.Order.Number = order
	t := n.perform(ctx, kit, op, n.transaction)
	p := n.payment
	p.ID, p.Order.Number = "of-"+t.ID, order
	t.PaymentID = p.ID
	p.Transactions, p.Payment.Transactions = nil, nil
	p.SetTransaction(&t)
	return kit.Store.Update(ctx, func(tx store.Tx) error {
		return errors.Join(also(tx, &p), kerneltest.Payments.Insert(tx, p, p.ID))
	})
}

func (n *naive) sale(ctx context.Context, kit *gatewaytest.Kit) error {
	defer n.begin()()
	taken := false
	err := kit.Store.View(ctx, func(r store.Reader) error {
		for p, err := range kerneltest.Payments.Scan(r, kerneltest.Everything) {
			if err != nil {
				return err
			}
			taken = taken || p.Order.Number == "ORD-1"
		}
		return nil
	})
	if err != nil || taken {
		return errors.Join(err, gateway.ErrDuplicate)
	}
	n.think()
	return n.pays(ctx, kit, "ORD-1", func(store.Tx, *records.Payment) error { return nil })
}

func (n *naive) submit(ctx context.Context, kit *gatewaytest.Kit, token string) error {
	defer n.begin()()
	var s store.Session
	err := kit.Store.View(ctx, func(r store.Reader) error {
		for found, err := range kerneltest.Sessions.Scan(r, kerneltest.Everything) {
			if s = found; err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || s.State != store.SessionOpen {
		return err
	}
	n.think()
	return n.pays(ctx, kit, s.Order.Number, func(tx store.Tx, p *records.Payment) error {
		p.SessionID, s.PaymentID, s.State = s.ID, p.ID, store.SessionPaid
		s.Attempts++
		s.Version++
		return kerneltest.Sessions.Put(tx, s, s.ID)
	})
}

// follow is a refund or a capture.
func (n *naive) follow(ctx context.Context, kit *gatewaytest.Kit, what, amount string,
	of store.Payment) error {
	defer n.begin()()
	var p records.Payment
	err := kit.Store.View(ctx, func(r store.Reader) (err error) {
		p, err = kerneltest.Payments.Get(r, of.ID)
		return err
	})
	if err != nil {
		return err
	}
	op := n.spy.Sends(p.Transactions[0].ID)[0]
	op.ParentKey, op.Amount, op.Card = op.Key, store.MustAmount(amount), nil
	switch {
	case what == "capture" && p.Status != store.Pending:
		return gateway.ErrCaptureStatus
	case what == "refund" && p.Refunded.Add(op.Amount).Cmp(p.Captured) > 0:
		return gateway.ErrRefundAmount
	}
	n.think()
	switch what {
	case "capture":
		op.Kind, p.Status, p.Captured = store.OpCapture, store.Settled, op.Amount
	default:
		op.Kind, p.Status, p.Refunded = store.OpRefund, store.Refunded, p.Refunded.Add(op.Amount)
	}
	t := n.transaction
	t.PaymentID, t.ParentID = p.ID, p.Transactions[0].ID
	t = n.perform(ctx, kit, op, t)
	p.SetTransaction(&t)
	p.Version++
	return kit.Store.Update(ctx, func(tx store.Tx) error { return kerneltest.Payments.Put(tx, p, p.ID) })
}

// verdict replaces a test, and records that it failed.
type verdict struct {
	testing.TB
	text atomic.Pointer[string]
}

// errVerdict ends a judged function.
var errVerdict = errors.New("judged")

func (v *verdict) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	v.text.CompareAndSwap(nil, &text)
}

func (v *verdict) Error(args ...any) { v.Errorf("%s", fmt.Sprint(args...)) }

func (v *verdict) Fatal(args ...any) {
	v.Error(args...)
	v.FailNow()
}

func (v *verdict) FailNow() { panic(errVerdict) }
func (v *verdict) Helper()  {}

// judged runs a pair once and returns what the judges of TestPairs report; empty if nothing is wrong.
func (v *verdict) judged(meet func()) (fault string) {
	defer func() {
		if caught := recover(); caught != nil && caught != any(errVerdict) {
			panic(caught)
		}
		if text := v.text.Load(); text != nil {
			fault = *text
		}
	}()
	meet()
	return ""
}

// controls are the pairs for the naive gateway, each in its first way.
var controls = []string{"sale x sale (15 s)", "capture x capture", "refund x refund",
	"payment x payment on one session"}

// TestNaiveControl checks that the judges of TestPairs find faults in a gateway that checks and then acts, and none
// in the same gateway when it holds a lock meanwhile.
func TestNaiveControl(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	played, found := map[string]int{}, map[string]int{}
	t.Cleanup(func() {
		for _, key := range slices.Sorted(maps.Keys(played)) {
			t.Logf("races: control=%q trials=%d found_wrong=%d", key, played[key], found[key])
		}
	})
	for _, backend := range backends {
		for _, name := range controls {
			for _, careful := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %s, careful %t", backend.name, name, careful), func(t *testing.T) {
					t.Parallel()
					meets := pairs[slices.IndexFunc(pairs, func(p pair) bool { return p.name == name })].ways[0].meet
					times, kind := trials(t), "a gateway without care"
					if careful { // the careful one shows that the naive gateway is otherwise correct
						times, kind = max(times/5, 5), "the same one with a lock"
					}
					faults := controlled(t, backend.open, careful, times, meets)
					if careful {
						require.Empty(t, faults)
					} else {
						require.Greater(t, len(faults), times/2, "the judges see little")
					}
					mu.Lock()
					defer mu.Unlock()
					key := fmt.Sprintf("%s, on %s", kind, backend.name)
					played[key] += times
					found[key] += len(faults)
				})
			}
		}
	}
}

// controlled races a naive gateway against itself several times, and returns the faults of each faulty time.
func controlled(t *testing.T, open func(testing.TB) store.Store, careful bool, times int,
	meets func(*duel)) (faults []string) {
	t.Helper()
	s := newStage(t, nil, func() store.Store { return open(t) })
	n := newNaive(t, s, careful)
	// The judge of commits would stop it at the first fault.
	s.one.Store, s.two.Store = &met{share{s.records, 0}, 0}, &met{share{s.records, 1}, 1}
	for round := range times {
		s.next(t)
		v := &verdict{TB: t}
		fault := v.judged(func() {
			meets(&duel{T: v, one: s.one, two: s.two, spy: s.spy, stage: s, round: round, naive: n})
			kerneltest.Audit(v, s.one)
		})
		if fault != "" {
			faults = append(faults, fault)
		}
	}
	return faults
}
