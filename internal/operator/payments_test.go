package operator_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/operator"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/memory"
)

var began = time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)

// crowd writes payments as the engine does: many of a merchant "large", some of "m0" to "m9".
type crowd struct {
	store store.Store
	rand  *rand.Rand
	dated bool // ids are UUIDs that tell the time; otherwise they are numbers
	all   []records.Payment
}

func (c *crowd) add(tb testing.TB, n int) {
	tb.Helper()
	for batch := range slices.Chunk(make([]int, n), 1000) {
		require.NoError(tb, c.store.Update(context.Background(), func(tx store.Tx) error {
			for range batch {
				p := c.payment()
				if err := records.Payments.Insert(tx, p, p.ID); err != nil {
					return err
				}
				if err := records.AddToOrder(tx, &p); err != nil {
					return err
				}
				c.all = append(c.all, p)
			}
			return nil
		}))
	}
}

func (c *crowd) payment() records.Payment {
	n := len(c.all)
	at := began.Add(time.Duration(n) * 7 * time.Second)
	id := fmt.Sprintf("payment-%08d", n)
	if c.dated {
		id = uuidAt(at, n).String()
	}
	merchant := "large"
	if c.rand.IntN(3) == 0 {
		merchant = fmt.Sprint("m", c.rand.IntN(10))
	}
	status := []store.Status{store.Settled, store.Settled, store.Declined, store.Refunded}[c.rand.IntN(4)]
	amount := store.MustAmount(fmt.Sprintf("%d.50", 1+c.rand.IntN(200)))
	currency := []string{"USD", "EUR"}[c.rand.IntN(2)]
	t := records.Transaction{Transaction: store.Transaction{ID: id + "-t", Operation: store.OpSale, Amount: amount,
		Outcome: store.Success, Connector: "vcard", CreatedAt: at, DoneAt: at}}
	if c.rand.IntN(20) == 0 {
		t.Review = "the acquirer reports something else"
	}
	p := records.Payment{Payment: store.Payment{
		ID: id, MerchantID: merchant, Protocol: store.Checkout, Kind: store.Purchase, Test: c.rand.IntN(4) == 0,
		Order: store.Order{Number: fmt.Sprint("ORD-", c.rand.IntN(n+1)), Amount: amount.String(), Currency: currency,
			Description: "A cup"},
		Amount: amount, Method: "card", MIDID: "live", Status: status, Charge: t.ID, CreatedAt: at, UpdatedAt: at,
	}}
	p.Place(&t)
	return p
}

// uuidAt returns a UUID of version 7 of a moment; n keeps those of one moment apart, and in order.
func uuidAt(at time.Time, n int) (id uuid.UUID) {
	ms := uint64(at.UnixMilli())
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6], id[8] = 0x70, 0x80
	for i := range 7 {
		id[15-i] = byte(n >> (8 * i))
	}
	return id
}

func (c *crowd) desk() *operator.Desk { return &operator.Desk{Store: c.store} }

// chosen is the model: all payments, from the newest, each asked whether the filter wants it.
func (c *crowd) chosen(f store.PaymentFilter) (ids []string) {
	for _, p := range slices.Backward(c.all) {
		inTime := (f.From.IsZero() || !p.CreatedAt.Before(f.From)) && (f.To.IsZero() || p.CreatedAt.Before(f.To))
		inAmount := p.Amount.Cmp(f.Least) >= 0 && (f.Most.IsZero() || p.Amount.Cmp(f.Most) <= 0)
		if (f.Before == "" || p.ID < f.Before) && inTime && inAmount &&
			(f.MerchantID == "" || f.MerchantID == p.MerchantID) && (f.Order == "" || f.Order == p.Order.Number) &&
			(f.Statuses == nil || slices.Contains(f.Statuses, p.Status)) &&
			(f.Currency == "" || f.Currency == p.Order.Currency) && (!f.Review || p.Transactions[0].Review != "") {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

func (c *crowd) listed(t *testing.T, f store.PaymentFilter) (ids []string) {
	t.Helper()
	for p, err := range c.desk().Payments(t.Context(), f) {
		require.NoError(t, err)
		ids = append(ids, p.ID)
	}
	return ids
}

// Every filter, alone and with others, gives what a look at all payments gives, whichever walk is the shorter one and
// whatever the ids are.
func TestPaymentsAgainstAModel(t *testing.T) {
	t.Parallel()
	for _, dated := range []bool{true, false} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("dated %v, seed %d", dated, seed), func(t *testing.T) {
				t.Parallel()
				c := &crowd{store: memory.New(), rand: rand.New(rand.NewPCG(seed, 1)), dated: dated}
				c.add(t, 1+c.rand.IntN(3000))
				for range 60 {
					f := c.filter()
					require.Equal(t, c.chosen(f), c.listed(t, f), "%+v", f)
				}
			})
		}
	}
}

// filter returns a filter in which each field is set in one of three cases.
func (c *crowd) filter() (f store.PaymentFilter) {
	some := func() bool { return c.rand.IntN(3) == 0 }
	one := func() *records.Payment { return &c.all[c.rand.IntN(len(c.all))] }
	if some() {
		f.Before = one().ID
	}
	if c.rand.IntN(9) < 5 {
		p := one()
		f.MerchantID = p.MerchantID
		if some() {
			f.Order = p.Order.Number
		}
	}
	if some() {
		f.Statuses = []store.Status{store.Declined, store.Refunded}
	}
	if some() {
		f.From = one().CreatedAt
	}
	if some() {
		if f.To = one().CreatedAt.Add(time.Second); !f.From.IsZero() && !f.From.Before(f.To) {
			f.From, f.To = f.To, f.From.Add(time.Second)
		}
	}
	if some() {
		f.Currency = "EUR"
	}
	if some() {
		f.Least, f.Most = store.MustAmount("50.50"), store.MustAmount("100.50")
	}
	f.Review = some()
	return f
}

// A caller who stops goes on with the id of the last payment that they saw.
func TestPaymentsGoOn(t *testing.T) {
	t.Parallel()
	c := &crowd{store: memory.New(), rand: rand.New(rand.NewPCG(1, 1)), dated: true}
	c.add(t, 1000)
	for _, merchant := range []string{"", "large", "m3"} {
		var ids []string
		for f := (store.PaymentFilter{MerchantID: merchant}); ; {
			seen := 0
			for p, err := range c.desk().Payments(t.Context(), f) {
				require.NoError(t, err)
				ids, f.Before = append(ids, p.ID), p.ID
				if seen++; seen == 7 {
					break
				}
			}
			if seen < 7 {
				break
			}
		}
		require.Equal(t, c.chosen(store.PaymentFilter{MerchantID: merchant}), ids)
	}
}

// A filter that makes no sense is refused, and a record that cannot be read hides no other.
func TestPaymentsOfABadFilterAndABadRecord(t *testing.T) {
	t.Parallel()
	c := &crowd{store: memory.New(), rand: rand.New(rand.NewPCG(2, 1)), dated: true}
	c.add(t, 100)
	for name, f := range map[string]store.PaymentFilter{
		"an order of nobody": {Order: "ORD-1"},
		"no time at all":     {From: began, To: began},
	} {
		var list []error
		for _, err := range c.desk().Payments(t.Context(), f) {
			list = append(list, err)
		}
		require.Len(t, list, 1, name)
		require.ErrorIs(t, list[0], refusal.ErrInvalid, name)
	}
	victim := c.all[50]
	require.NoError(t, c.store.Update(t.Context(), func(tx store.Tx) error {
		return tx.Put(store.Key(records.Payments.Prefix, victim.ID), []byte("{"))
	}))
	for _, merchant := range []string{"", victim.MerchantID} {
		f := store.PaymentFilter{MerchantID: merchant}
		want := slices.DeleteFunc(c.chosen(f), func(id string) bool { return id == victim.ID })
		require.Equal(t, want, c.listed(t, f))
	}
}

var payments = flag.Int("payments", 20_000, "payments among which BenchmarkNewestOfMerchant looks")

// BenchmarkNewestOfMerchant reads the newest 50 payments of a merchant on bolt: of one with a thousandth of all
// payments, of the one that is dearest, whose share is between, and of the one with most of them.
//
//	go test ./internal/operator -run '^$' -bench NewestOfMerchant -payments 1000000
func BenchmarkNewestOfMerchant(b *testing.B) {
	s, err := bolt.Open(filepath.Join(b.TempDir(), "payments.db"))
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	c := &crowd{store: s, rand: rand.New(rand.NewPCG(3, 1)), dated: true}
	dearest := max(1, *payments/7_000) // one of so many is of this merchant
	for made := 0; made < *payments; {
		n := min(1000, *payments-made)
		require.NoError(b, s.Update(b.Context(), func(tx store.Tx) error {
			for i := made; i < made+n; i++ {
				p := c.payment()
				p.ID, p.Order.Number = uuidAt(began.Add(time.Duration(i)*time.Second), i).String(), fmt.Sprint("ORD-", i)
				p.CreatedAt, p.Test = began.Add(time.Duration(i)*time.Second), false
				p.Transactions[0].PaymentID = p.ID
				switch {
				case i%1000 == 0:
					p.MerchantID = "small"
				case i%dearest == 1:
					p.MerchantID = "dearest"
				default:
					p.MerchantID = "large"
				}
				p.Transactions[0].MerchantID = p.MerchantID
				if err := errors.Join(records.Payments.Insert(tx, p, p.ID), records.AddToOrder(tx, &p)); err != nil {
					return err
				}
			}
			return nil
		}))
		made += n
	}
	for _, merchant := range []string{"small", "dearest", "large"} {
		b.Run(merchant, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				seen := 0
				for _, err := range c.desk().Payments(b.Context(), store.PaymentFilter{MerchantID: merchant}) {
					require.NoError(b, err)
					if seen++; seen == 50 {
						break
					}
				}
			}
		})
	}
}
