package vcard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// TestCards runs every row of the table in the package comment.
func TestCards(t *testing.T) {
	t.Parallel()
	const approved, declined, pending, unknown, notFound = methods.ResultApproved, methods.ResultDeclined,
		methods.ResultPending, methods.ResultUnknown, methods.ResultNotFound
	for _, row := range []struct {
		name        string
		kind        store.Operation
		year, month int
		auth        methods.Authentication
		result      methods.Result
		soft        bool
		found       methods.Result
		wait        time.Duration
		later       methods.Result
	}{
		{"01 sale", store.OpSale, 2038, 1, "", approved, false, approved, time.Hour, approved},
		{"01 authorization", store.OpAuth, 2038, 1, "", approved, false, approved, time.Hour, approved},
		{"01 debit", store.OpDebit, 2038, 1, "", approved, false, approved, time.Hour, approved},
		{"01 transfer", store.OpTransfer, 2038, 1, "", approved, false, approved, time.Hour, approved},
		{"01 credit", store.OpCredit, 2038, 1, "", approved, false, approved, time.Hour, approved},
		{"02 sale", store.OpSale, 2038, 2, "", declined, false, declined, time.Hour, declined},
		{"02 authorization", store.OpAuth, 2038, 2, "", declined, false, declined, time.Hour, declined},
		{"03 authorization", store.OpAuth, 2038, 3, "", approved, false, approved, time.Hour, approved},
		{"04 soft", store.OpSale, 2038, 4, "", declined, true, declined, time.Hour, declined},
		{"05 3-D Secure, payer absent", store.OpSale, 2038, 5, "", methods.ResultRedirect, false, pending, vcard.PayerTime, declined},
		{"05 external", store.OpSale, 2038, 5, methods.AuthExternal, approved, false, approved, time.Hour, approved},
		{"06 external", store.OpSale, 2038, 6, methods.AuthExternal, declined, false, declined, time.Hour, declined},
		{"05 transfer", store.OpTransfer, 2038, 5, "", methods.ResultRedirect, false, pending, vcard.PayerTime, declined},
		{"12/2038 transfer", store.OpTransfer, 2038, 12, "", methods.ResultRedirect, false, pending, vcard.PayerTime, declined},
		{"02 transfer", store.OpTransfer, 2038, 2, "", declined, false, declined, time.Hour, declined},
		{"02 credit", store.OpCredit, 2038, 2, "", declined, false, declined, time.Hour, declined},
		{"01/2039 frictionless", store.OpSale, 2039, 1, "", approved, false, approved, time.Hour, approved},
		{"05 off", store.OpSale, 2038, 5, methods.AuthOff, approved, false, approved, time.Hour, approved},
		{"05 credit", store.OpCredit, 2038, 5, "", approved, false, approved, time.Hour, approved},
		{"06 3-D Secure, payer absent", store.OpAuth, 2038, 6, "", methods.ResultRedirect, false, pending, vcard.PayerTime, declined},
		{"06 off", store.OpSale, 2038, 6, methods.AuthOff, declined, false, declined, time.Hour, declined},
		{"07 pending", store.OpSale, 2038, 7, "", pending, false, pending, vcard.PendingFor, approved},
		{"08 pending", store.OpSale, 2038, 8, "", pending, false, pending, vcard.PendingFor, declined},
		{"09 never arrived", store.OpSale, 2038, 9, "", unknown, false, notFound, 24 * time.Hour, notFound},
		{"10 answer lost", store.OpSale, 2038, 10, "", unknown, false, approved, time.Hour, approved},
		{"11 late", store.OpSale, 2038, 11, "", unknown, false, notFound, vcard.LateBy, approved},
		{"12/2038 bank, payer absent", store.OpSale, 2038, 12, "", methods.ResultRedirect, false, pending, vcard.PayerTime, declined},
		{"12/2039 bank, payer absent", store.OpSale, 2039, 12, "", methods.ResultRedirect, false, pending, vcard.PayerTime, declined},
		{"12/2039 off", store.OpSale, 2039, 12, methods.AuthOff, declined, false, declined, time.Hour, declined},
		{"another", store.OpSale, 2031, 7, "", approved, false, approved, time.Hour, approved},
		{"a chargeback cannot be requested", store.OpChargeback, 2038, 1, "", declined, false, declined, time.Hour, declined},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a, ctx := newAcquirer(t), context.Background()
			op := charge(row.kind, "k", row.year, row.month)
			op.Authentication = row.auth
			got := a.Perform(ctx, op)
			require.Equal(t, row.result, got.Result, got.Reason)
			require.Equal(t, row.soft, got.Soft)
			require.True(t, got.Repeats(op))
			a.restart()
			require.Equal(t, row.found, a.Find(ctx, op).Result)
			a.clock.Advance(row.wait - time.Nanosecond)
			require.Equal(t, row.found, a.Find(ctx, op).Result)
			a.clock.Advance(time.Nanosecond)
			later := a.Find(ctx, op)
			require.Equal(t, row.later, later.Result)
			require.Equal(t, map[bool]int{true: 1}[row.later == approved], a.entry("k").Effects)
		})
	}
}

func TestResendOfALostRequest(t *testing.T) {
	t.Parallel()
	for _, month := range []int{9, 10, 11} {
		a, ctx := newAcquirer(t), context.Background()
		op := charge(store.OpSale, "k", 2038, month)
		require.Equal(t, methods.ResultUnknown, a.Perform(ctx, op).Result)
		op.Card = nil // a resend may have none
		require.Equal(t, methods.ResultApproved, a.Perform(ctx, op).Result)
		a.clock.Advance(time.Hour)
		require.Equal(t, 1, a.entry("k").Effects, "month %d", month)
	}
}

// The expiry of a chain whose later payments are short of money at first.
func TestShortOnce(t *testing.T) {
	t.Parallel()
	later := store.COF{Initiator: store.ByMerchant, Source: store.Recurring, Sequence: store.SubsequentUse}
	for _, row := range []struct {
		name string
		cof  store.COF
		want []methods.Result
	}{
		{"the first payment", store.COF{Initiator: store.ByCardholder, Source: store.Recurring, Sequence: store.FirstUse},
			[]methods.Result{methods.ResultApproved}},
		{"no chain", store.COF{Initiator: store.ByMerchant, Source: store.Unscheduled, Sequence: store.SubsequentUse},
			[]methods.Result{methods.ResultApproved}},
		{"a later one", later, []methods.Result{methods.ResultDeclined, methods.ResultApproved, methods.ResultApproved}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := newAcquirer(t)
			for i, want := range row.want {
				op := charge(store.OpSale, fmt.Sprint(i), 2039, 2)
				op.PaymentID, op.COF = "p", row.cof
				got := a.Perform(t.Context(), op)
				require.Equal(t, want, got.Result, i)
				require.Equal(t, want == methods.ResultDeclined, got.Soft)
				require.Equal(t, want, a.Perform(t.Context(), op).Result, "the same key again")
			}
			other := charge(store.OpSale, "other", 2039, 2)
			other.COF = later
			require.Equal(t, "Insufficient funds", a.Perform(t.Context(), other).Reason, "each payment for itself")
		})
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	none := charge(store.OpSale, "0", 2038, 1)
	none.Card = &methods.Card{}
	require.Equal(t, "Card number is missing", a.Perform(ctx, none).Reason)
	require.Equal(t, "Declined by processing", a.Perform(ctx, charge(store.OpSale, "2", 2038, 2)).Reason)
	away := charge(store.OpSale, "5", 2038, 5)
	a.Perform(ctx, away)
	a.clock.Advance(vcard.PayerTime)
	require.Equal(t, "Payer did not finish", a.Find(ctx, away).Reason)
}

func number(digits string) store.PAN {
	pan, err := store.ParsePAN(digits)
	if err != nil {
		panic(err)
	}
	return pan
}

// TestPayoutCard: the documented payout card has no expiry, and any other may have none.
func TestPayoutCard(t *testing.T) {
	t.Parallel()
	for _, digits := range []string{"4601541833776519", testPAN, "5555555555554444"} {
		op := charge(store.OpCredit, "k", 0, 0)
		op.Card, op.ReturnURL = &methods.Card{PAN: number(digits)}, ""
		require.Equal(t, methods.ResultApproved, newAcquirer(t).Perform(context.Background(), op).Result, digits)
		a := newAcquirer(t)
		a.Next(vcard.Decline("scripted"))
		require.Equal(t, "scripted", a.Perform(context.Background(), op).Reason)
	}
}

// TestCardToCard: the card that pays decides; the other one is required, and is not stored.
func TestCardToCard(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	op := charge(store.OpTransfer, "k", 2038, 5)
	op.PayeeCard = &methods.Card{PAN: number("5555555555554444"), Expiry: store.Expiry{Year: 2038, Month: 2}}
	sent := a.Perform(ctx, op)
	require.Equal(t, methods.ResultRedirect, sent.Result)
	_, back := browser{a}.press(sent.Redirect, "confirm")
	require.Equal(t, methods.ResultApproved, a.Complete(ctx, op, back).Result)
	require.NoError(t, a.cfg.Store.View(ctx, func(r store.Reader) error {
		for row := range r.Scan(store.Range{Limit: 100}) {
			require.NotContains(t, string(row.Value), "5555555555554444")
		}
		return nil
	}))
	none := charge(store.OpTransfer, "none", 2038, 1)
	none.PayeeCard = &methods.Card{}
	require.Equal(t, "Card number of the payee is missing", a.Perform(ctx, none).Reason)
}

// TestSoft: 04/2038 makes a cascade go on, to the MID that approves it.
func TestSoft(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]methods.Result{"": methods.ResultDeclined, "on": methods.ResultDeclined,
		"off": methods.ResultApproved} {
		op := charge(store.OpSale, "k", 2038, 4)
		op.MID.Settings = map[string]string{vcard.SoftSetting: setting}
		got := newAcquirer(t).Perform(context.Background(), op)
		require.Equal(t, want, got.Result, setting)
		require.Equal(t, want == methods.ResultDeclined, got.Soft)
		require.Equal(t, map[bool]string{true: "Try another MID"}[got.Soft], got.Reason)
		hard := charge(store.OpSale, "hard", 2038, 2)
		hard.MID = op.MID
		require.Equal(t, methods.ResultDeclined, newAcquirer(t).Perform(context.Background(), hard).Result)
	}
}

// TestNothing: authorizations of amount zero, and first payments of a chain.
func TestNothing(t *testing.T) {
	t.Parallel()
	for _, kind := range []store.Operation{store.OpAuth, store.OpSale} {
		for month, want := range map[int]methods.Result{1: methods.ResultApproved, 2: methods.ResultDeclined,
			5: methods.ResultRedirect} {
			op := charge(kind, "k", 2038, month)
			op.Amount = store.MustAmount("0.00")
			a := newAcquirer(t)
			require.True(t, a.Capabilities().ZeroAmount)
			got := a.Perform(context.Background(), op)
			require.Equal(t, want, got.Result, got.Reason)
			require.True(t, got.Repeats(op))
			a = newAcquirer(t, func(c *vcard.Config) { c.Capabilities = &methods.Capabilities{Holds: true} })
			require.Equal(t, "Zero amounts are not supported", a.Perform(context.Background(), op).Reason)
		}
	}
}

func TestIdentifier(t *testing.T) {
	t.Parallel()
	const success, fail = "success@gmail.com", "fail@gmail.com"
	for _, row := range []struct {
		name, identifier, parameters, email string
		want                                methods.Result
	}{
		{"success", success, ``, "", methods.ResultApproved},
		{"fail", fail, ``, "", methods.ResultDeclined},
		{"another", "+3810001", ``, "", methods.ResultApproved},
		{"identifier wins over the email", success, ``, fail, methods.ResultApproved},
		{"another identifier wins over the email", "+3810001", ``, fail, methods.ResultApproved},
		{"identifier wins over the parameter", success, `{"identifier":"fail@gmail.com"}`, "", methods.ResultApproved},
		{"parameter success", "", `{"identifier":"success@gmail.com"}`, "", methods.ResultApproved},
		{"parameter fail", "", `{"identifier":"fail@gmail.com"}`, "", methods.ResultDeclined},
		{"parameter wins over the email", "", `{"identifier":"success@gmail.com"}`, fail, methods.ResultApproved},
		{"email", "", ``, fail, methods.ResultDeclined},
		{"neither", "", `not JSON`, "", methods.ResultApproved},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, code := range []string{"", "vcard"} {
				op := charge(store.OpSale, "k", 0, 0)
				op.Card, op.Method, op.Parameters = nil, code, []byte(row.parameters)
				op.Identifier, op.Payer.Email = row.identifier, row.email
				require.Equal(t, row.want, newAcquirer(t).Perform(context.Background(), op).Result)
			}
		})
	}
}

// TestLedgerIsClean: no card number, security code or return URL is stored.
func TestLedgerIsClean(t *testing.T) {
	t.Parallel()
	a, ctx := newAcquirer(t), context.Background()
	code, err := store.ParseSecurityCode("918") // digits that no reference has
	require.NoError(t, err)
	for i, month := range []int{1, 2, 5, 12} {
		op := charge(store.OpSale, string(rune('a'+i)), 2038, month)
		op.ReturnURL, op.Card.Code = "https://gateway.example/return/hush", code
		a.Perform(ctx, op)
	}
	require.NoError(t, a.cfg.Store.View(ctx, func(r store.Reader) error {
		for row := range r.Scan(store.Range{Limit: 100}) {
			require.NoError(t, row.Err)
			require.NotContains(t, string(row.Value), testPAN)
			require.NotContains(t, string(row.Value), "hush")
		}
		return nil
	}))
	entries, err := a.Ledger(ctx)
	require.NoError(t, err)
	require.Len(t, entries, 4)
	text, err := json.Marshal(entries)
	require.NoError(t, err)
	require.NotContains(t, string(text), "918")
}
