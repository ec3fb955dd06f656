package kerneltest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// Everything is a limit of a scan that no store of a test reaches.
const Everything = 100_000

// The tables of the records, read directly from the store.
var (
	Payments  = store.Table[records.Payment]{Prefix: "p", Version: 1}
	Sessions  = store.Table[store.Session]{Prefix: "s", Version: 1}
	Callbacks = store.Table[records.Callback]{Prefix: "cb", Version: 1}
)

// Books is all records of a store, and the acquirer's ledger.
type Books struct {
	Payments     []records.Payment
	Transactions map[string]records.Transaction
	Sessions     []store.Session
	Callbacks    []records.Callback
	Ledger       map[string]vcard.Entry // by transaction id
}

// Ends lists every operation and its outcome.
func (b *Books) Ends() (list []string) {
	for _, tr := range b.Transactions {
		list = append(list, string(tr.Operation)+" "+string(tr.Outcome))
	}
	return list
}

// AuditSchedules requires that each of the two dates of a chain's schedule is charged once (S10), because every
// chain's first payment was taken; at most once if off, because it may have been taken off.
func (b *Books) AuditSchedules(t *testing.T, off bool) {
	t.Helper()
	paid := map[string]map[int]int{}
	for _, p := range b.Payments {
		if p.ScheduleID != "" && p.Occurrence == 0 && p.Status == store.Settled {
			paid[p.ID] = map[int]int{}
		}
	}
	for _, p := range b.Payments {
		if p.Occurrence > 0 {
			paid[p.RecurringInitID][p.Occurrence]++
		}
	}
	for first, occurrences := range paid {
		for n, times := range occurrences {
			require.True(t, times == 1 && slices.Contains([]int{1, 2}, n), "S10: occurrence %d of the chain %s, %d times", n,
				first, times)
		}
		require.True(t, off || len(occurrences) == 2, "S10: of the chain %s", first)
	}
}

// ReadBooks reads the whole store, and the ledger of the acquirer.
func ReadBooks(t testing.TB, kit *gatewaytest.Kit) *Books {
	t.Helper()
	b := &Books{Transactions: map[string]records.Transaction{}, Ledger: map[string]vcard.Entry{}}
	require.NoError(t, kit.Store.View(context.Background(), func(r store.Reader) error {
		b.Payments, b.Sessions, b.Callbacks = nil, nil, nil
		for p, err := range Payments.Scan(r, Everything) {
			require.NoError(t, err)
			b.Payments = append(b.Payments, p)
			for _, tr := range p.Transactions {
				b.Transactions[tr.ID] = *tr
			}
		}
		for s, err := range Sessions.Scan(r, Everything) {
			require.NoError(t, err)
			b.Sessions = append(b.Sessions, s)
		}
		for c, err := range Callbacks.Scan(r, Everything) {
			require.NoError(t, err)
			b.Callbacks = append(b.Callbacks, c)
		}
		return nil
	}))
	for _, e := range kit.Charges(t) {
		id, ours := strings.CutPrefix(e.Key, "tg-")
		require.True(t, ours, "a key that is no function of a transaction id: %s", e.Key)
		b.Ledger[id] = e
	}
	return b
}

// TransactionOf returns a transaction as it is stored.
func TransactionOf(t testing.TB, kit *gatewaytest.Kit, id string) records.Transaction {
	t.Helper()
	tr, ok := ReadBooks(t, kit).Transactions[id]
	require.True(t, ok)
	return tr
}

// ReviewOf is what a person says of a transaction that they reviewed.
func ReviewOf(t testing.TB, kit *gatewaytest.Kit, id, why string) gateway.Review {
	t.Helper()
	return gateway.Review{PaymentID: TransactionOf(t, kit, id).PaymentID, TransactionID: id, By: "ann", Why: why}
}

// PutTransaction stores a transaction with another in its place, as a step of the engine does.
func PutTransaction(tx store.Tx, tr *records.Transaction) error {
	p, err := Payments.Get(tx, tr.PaymentID)
	if err != nil {
		return err
	}
	p.SetTransaction(tr)
	return Payments.Put(tx, p, p.ID)
}

// OnlySession returns the record of the only session in the store.
func OnlySession(t testing.TB, kit *gatewaytest.Kit) store.Session {
	t.Helper()
	all := ReadBooks(t, kit).Sessions
	require.Len(t, all, 1)
	return all[0]
}

// Payment returns a payment by its id.
func (b *Books) Payment(t testing.TB, id string) records.Payment {
	t.Helper()
	i := slices.IndexFunc(b.Payments, func(p records.Payment) bool { return p.ID == id })
	require.GreaterOrEqual(t, i, 0)
	return b.Payments[i]
}
