package store_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// paid is a payment with its charge and a refund.
func paid() store.PaymentRecord {
	p := store.PaymentRecord{Payment: store.Payment{ID: "p", MerchantID: "m", Kind: store.Purchase, Status: store.Settled,
		Order: store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD"}}}
	for _, id := range []string{"charge", "refund"} {
		p.SetTransaction(&store.TransactionRecord{Transaction: store.Transaction{ID: id, Outcome: store.Success}})
	}
	return p
}

func recordOf(id string) *store.TransactionRecord {
	return &store.TransactionRecord{Transaction: store.Transaction{ID: id}}
}

// Every transaction of a payment is one of its own, and those that it names are there. A payment for which that does
// not hold is neither written nor read.
func TestTransactionsOfAPayment(t *testing.T) {
	t.Parallel()
	changed := func(change func(*store.TransactionRecord)) func(*store.PaymentRecord) {
		return func(p *store.PaymentRecord) { change(p.Transactions[1]) }
	}
	for _, c := range []struct {
		name, err string
		change    func(*store.PaymentRecord)
	}{
		{"none", "payment: no transactions, or too many", func(p *store.PaymentRecord) {
			p.Transactions, p.Payment.Transactions = nil, nil
		}},
		{"not in the list for callers", "payment: its two lists of transactions are not the same",
			func(p *store.PaymentRecord) {
				p.Payment.Transactions = p.Payment.Transactions[:1]
			}},
		{"another one in the list for callers", "payment: its two lists of transactions are not the same",
			func(p *store.PaymentRecord) { p.Payment.Transactions[1] = p.Payment.Transactions[0] }},
		{"more than there may be", "payment: no transactions, or too many", func(p *store.PaymentRecord) {
			for range store.MaxTransactions - 1 {
				p.Transactions = append(p.Transactions, p.Transactions[1])
				p.Payment.Transactions = append(p.Payment.Transactions, p.Payment.Transactions[1])
			}
		}},
		{"a missing one", "transaction: an id is required", func(p *store.PaymentRecord) { p.Transactions[1] = nil }},
		{"two of one id", "transaction: another one of the payment has its id",
			changed(func(t *store.TransactionRecord) { t.ID = "charge" })},
		{"no id", "transaction: an id is required", changed(func(t *store.TransactionRecord) { t.ID = "" })},
		{"another payment", "transaction: payment, merchant, currency and MID are not those of its payment",
			changed(func(t *store.TransactionRecord) { t.PaymentID = "q" })},
		{"another merchant", "transaction: payment, merchant, currency and MID are not those of its payment",
			changed(func(t *store.TransactionRecord) { t.MerchantID = "n" })},
		{"another currency", "transaction: payment, merchant, currency and MID are not those of its payment",
			changed(func(t *store.TransactionRecord) { t.Currency = "EUR" })},
		{"closed with card data", "transaction: it is closed but still has card data or due work",
			changed(func(t *store.TransactionRecord) { t.SealedCode = []byte("123") })},
		{"a charge that is not there", "payment: its charge or its running transaction is missing",
			func(p *store.PaymentRecord) { p.Charge = "other" }},
		{"a running one that is not there", "payment: its charge or its running transaction is missing",
			func(p *store.PaymentRecord) { p.Running = "other" }},
		{"nothing wrong", "", func(p *store.PaymentRecord) { p.Charge, p.Running = "charge", "refund" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, table := memory.New(), store.Table[store.PaymentRecord]{Prefix: "p", Version: 1}
			p := paid()
			c.change(&p)
			err := s.Update(t.Context(), func(tx store.Tx) error { return table.Insert(tx, p, p.ID) })
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.NoError(t, s.View(t.Context(), func(r store.Reader) error {
				read, err := table.Get(r, p.ID)
				require.NoError(t, err)
				for i, tr := range read.Transactions {
					was := p.Transactions[i]
					require.Equal(t, []string{was.ID, "p", "m", "USD"}, []string{tr.ID, tr.PaymentID, tr.MerchantID, tr.Currency},
						"what all transactions have in common is stored once, and read into each")
				}
				return nil
			}))
		})
	}
}

// A payment that is not stored yet has no charge, which is no reason to panic.
func TestPaymentWithoutTransactions(t *testing.T) {
	t.Parallel()
	for _, p := range []store.Payment{
		{}, {Status: store.Pending}, {Status: store.Pending, Hold: true, RecurringToken: "r"},
	} {
		require.Empty(t, p.ChargeID())
		require.Nil(t, p.ChargeTransaction())
		require.False(t, p.Taken())
		require.Empty(t, p.ChainToken())
	}
}

// TestSetTransaction: copies of a payment share their transactions, so a change of one is not seen in the other.
func TestSetTransaction(t *testing.T) {
	t.Parallel()
	before := paid()
	after, third := before, *before.Transactions[1]
	third.ID = "third"
	changed := *before.Transactions[0]
	changed.Reason = "changed"
	after.SetTransaction(&changed)
	after.SetTransaction(&third)
	another := before
	another.SetTransaction(recordOf("fourth"))

	require.Equal(t, paid(), before)
	require.Len(t, after.Transactions, 3)
	require.Equal(t, "changed", after.Transaction("charge").Reason)
	require.Equal(t, "third", after.Transactions[2].ID, "a new one is the last")
	require.Nil(t, after.Transaction("fourth"))
	require.Equal(t, "charge", after.ChargeTransaction().ID, "the first, if no other is named")
	after.Charge = "third"
	require.Equal(t, "third", after.ChargeTransaction().ID)
}

// Two copies of a payment that each get one more transaction share no room for it, however long the list has grown.
func TestSetTransactionOfTwoCopies(t *testing.T) {
	t.Parallel()
	grown := paid()
	for n := range 6 {
		one, other := grown, grown
		one.SetTransaction(recordOf("one"))
		other.SetTransaction(recordOf("other"))
		require.NotNil(t, one.Transaction("one"), n)
		require.Nil(t, one.Transaction("other"), n)
		require.NotNil(t, other.Transaction("other"), n)
		next := recordOf(fmt.Sprint(n)) // as a reader appends
		grown.Transactions = append(grown.Transactions, next)
		grown.Payment.Transactions = append(grown.Payment.Transactions, &next.Transaction)
	}
}
