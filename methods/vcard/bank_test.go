package vcard_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

func TestBankNote(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		status, other string
		want          methods.Result
		state         vcard.BankState
		effects       int
	}{
		{vcard.BankACSC, vcard.BankRJCT, methods.ResultApproved, vcard.BankExecuted, 1},
		{vcard.BankRJCT, vcard.BankACSC, methods.ResultDeclined, vcard.BankRejected, 0},
	} {
		for name, op := range displayOps() {
			t.Run(row.status+" "+name, func(t *testing.T) {
				t.Parallel()
				a, ctx := newAcquirer(t), context.Background()
				a.Perform(ctx, op)
				require.Equal(t, vcard.BankPending, a.entry("k").BankState())
				note, err := a.BankNote(ctx, "k", row.status)
				require.NoError(t, err)
				require.Equal(t, row.state, a.entry("k").BankState())
				again, err := a.BankNote(ctx, "k", row.status)
				require.NoError(t, err)
				require.Equal(t, note, again)
				_, err = a.BankNote(ctx, "k", row.other)
				require.ErrorIs(t, err, vcard.ErrDecided)
				require.Equal(t, row.effects, a.entry("k").Effects)

				got := a.Notification(ctx, op, note)
				require.Equal(t, row.want, got.Result, got.Cause)
				require.True(t, got.Repeats(op))
				require.Equal(t, got, a.Find(ctx, op), "the notification reports what the ledger has")
				foreign := op
				foreign.Key = "another"
				require.Equal(t, methods.ResultUnverified, a.Notification(ctx, foreign, note).Result)
				forged := note
				forged.Body = append([]byte(" "), note.Body...)
				require.Equal(t, methods.ResultUnverified, a.Notification(ctx, op, forged).Result)
			})
		}
	}
}

func TestBankNoteNeeds(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	_, err := a.BankNote(ctx, "k", vcard.BankACSC)
	require.ErrorIs(t, err, store.ErrNotFound)
	a.Perform(ctx, apm(methods.KindQR, "ips", ""))
	_, err = a.BankNote(ctx, "k", "PDNG")
	require.ErrorContains(t, err, "ACSC or RJCT")
	require.Equal(t, vcard.BankPending, a.entry("k").BankState())
	a.clock.Advance(vcard.QRTime)
	_, err = a.BankNote(ctx, "k", vcard.BankACSC)
	require.ErrorIs(t, err, vcard.ErrDecided, "paid too late")
}

// TestBankNotePayer: the acquirer's own notification does not have the national id.
func TestBankNotePayer(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	a.Perform(ctx, apm(methods.KindDetails, "bank-transfer-cuil", `{"bank_cuil":"20123456789"}`))
	require.Equal(t, "20123456789", a.entry("k").PayerID)
	note, err := a.Notify(ctx, "k")
	require.NoError(t, err)
	require.NotContains(t, string(note.Body), "20123456789")
}

// TestPaidAtOnce: however many report a payment at the same moment, money moves once.
func TestPaidAtOnce(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := apm(methods.KindQR, "ips", "")
	a.Perform(ctx, op)
	errs := make([]error, 20)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = a.BankNote(ctx, "k", vcard.BankACSC) })
		all.Go(func() { a.Perform(ctx, op) })
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, 1, a.entry("k").Effects)
}
