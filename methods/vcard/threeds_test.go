package vcard_test

import (
	"context"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

const uuidForm = `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`

// wellFormed requires the attributes that every 3-D Secure has.
func wellFormed(t *testing.T, f store.ThreeDSFacts) {
	ids := map[string]bool{}
	for _, id := range []string{f.ServerTransID, f.DSTransID, f.ACSTransID} {
		require.Regexp(t, uuidForm, id)
		ids[id] = true
	}
	require.Len(t, ids, 3, "every party has a name of its own")
	xid, err := base64.StdEncoding.DecodeString(f.XID)
	require.NoError(t, err)
	require.Len(t, xid, 20)
	require.Len(t, f.XID, 28)
	require.Equal(t, "2.2.0", f.ProtocolVersion)
}

func TestThreeDSFacts(t *testing.T) {
	t.Parallel()
	const visa, mastercard, maestro = testPAN, "5555555555554444", "6759649826438453"
	for _, row := range []struct {
		name, pan                 string
		month                     int
		button                    string
		status, reason, eci, flow string
	}{
		{"05 confirm", visa, 5, "confirm", "Y", "", "05", "challenge"},
		{"05 fail", visa, 5, "fail", "N", "01", "07", "challenge"},
		{"05 payer absent", visa, 5, "", "N", "14", "07", "challenge"},
		{"06 confirm is declined by the acquirer", visa, 6, "confirm", "Y", "", "05", "challenge"},
		{"06 fail", visa, 6, "fail", "N", "01", "07", "challenge"},
		{"Mastercard confirm", mastercard, 5, "confirm", "Y", "", "02", "challenge"},
		{"Mastercard fail", mastercard, 5, "fail", "N", "01", "00", "challenge"},
		{"Maestro confirm", maestro, 5, "confirm", "Y", "", "02", "challenge"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a, ctx := newAcquirer(t), context.Background()
			op := charge(store.OpSale, "k", 2038, row.month)
			op.Card.PAN = number(row.pan)
			sent := a.Perform(ctx, op)
			require.Empty(t, sent.Facts, "no outcome yet")
			if row.button != "" {
				_, back := browser{a}.press(sent.Redirect, row.button)
				a.Complete(ctx, op, back)
			}
			a.clock.Advance(vcard.PayerTime)
			a.restart()
			got := a.Find(ctx, op).Facts.ThreeDS
			wellFormed(t, got)
			require.Equal(t, []string{row.status, row.reason, row.eci, row.flow},
				[]string{got.TransStatus, got.TransStatusReason, got.ECI, got.Flow})
			require.Equal(t, got, a.Perform(ctx, op).Facts.ThreeDS, "the same each time")
			note, err := a.Notify(ctx, "k")
			require.NoError(t, err)
			require.Equal(t, got, a.Notification(ctx, op, note).Facts.ThreeDS)
		})
	}
}

func TestFrictionless(t *testing.T) {
	t.Parallel()
	got := newAcquirer(t).Perform(context.Background(), charge(store.OpSale, "k", 2039, 1)).Facts.ThreeDS
	wellFormed(t, got)
	require.Equal(t, []string{"Y", "", "05", "frictionless"},
		[]string{got.TransStatus, got.TransStatusReason, got.ECI, got.Flow})
}

// TestNoThreeDS: without a 3-D Secure of its own this acquirer reports none.
func TestNoThreeDS(t *testing.T) {
	t.Parallel()
	payout, bank, nowhere := charge(store.OpCredit, "k", 2039, 1), charge(store.OpSale, "k", 2038, 12),
		charge(store.OpSale, "k", 2038, 5)
	nowhere.ReturnURL = ""
	for name, op := range map[string]methods.Operation{
		"plain": charge(store.OpSale, "k", 2038, 1), "payout": payout, "bank": bank, "no return URL": nowhere,
	} {
		a := newAcquirer(t)
		a.Perform(context.Background(), op)
		a.clock.Advance(vcard.PayerTime)
		got := a.Find(context.Background(), op).Facts
		require.NotEmpty(t, got.RRN, name)
		require.Empty(t, got.ThreeDS, name)
	}
}

// TestExternal: with mpi_data no 3-D Secure starts, and its content declines nothing.
func TestExternal(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"", "Y", "A", "N", "U", "R", "C"} {
		for month, want := range map[int]methods.Result{5: methods.ResultApproved, 6: methods.ResultDeclined} {
			a := newAcquirer(t)
			op := charge(store.OpSale, "k", 2038, month)
			op.Authentication, op.MPI = methods.AuthExternal, &methods.MPI{ECI: "05", TransStatus: status, Version: "2.1.0"}
			op.ReturnURL = "" // no payer comes back
			got := a.Perform(context.Background(), op)
			require.Equal(t, want, got.Result, "%d %s", month, status)
			require.Nil(t, got.Redirect)
			require.Empty(t, got.Facts.ThreeDS, "the gateway reports what was sent")
		}
	}
}
