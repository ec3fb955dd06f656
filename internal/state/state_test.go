package state

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// No two rules overlap, so spreading them loses none.
func TestRulesAreUnique(t *testing.T) {
	t.Parallel()
	n := 0
	for _, r := range rules() {
		n += len(r.kinds) * len(r.from)
	}
	require.Len(t, transitions, n)
}

// Rows is complete, agrees with Next, and returns a new list each time.
func TestRowsAreTheTable(t *testing.T) {
	t.Parallel()
	listed := map[Key]Row{}
	for _, r := range Rows() {
		require.NotContains(t, listed, r.Key, "listed twice")
		listed[r.Key] = r.Row
		row, ok := Next(r.Key)
		require.True(t, ok)
		require.Equal(t, row, r.Row)
	}
	require.Equal(t, transitions, listed)
	first := Rows()
	first[0] = Rule{}
	require.NotEqual(t, first[0], Rows()[0])
}

func TestEveryRowUsesKnownWords(t *testing.T) {
	t.Parallel()
	statuses := append(store.Statuses(), store.New)
	for key, row := range transitions {
		require.Contains(t, store.Kinds(), key.Kind)
		require.Contains(t, statuses, key.From)
		require.Contains(t, store.Operations(), key.Op)
		require.Contains(t, Events(), key.Event)
		require.Contains(t, store.Statuses(), row.To, "%v", key)
		require.Contains(t, []string{"", success, fail, waiting, undefined}, row.Status)
		require.Equal(t, row.Type == "", row.Status == "", "%v", key)
		require.Equal(t, key.Event == Start, row.Type == "", "every event but a start is reported: %v", key)
	}
}

// Every allowed request can start, and has a row for every answer.
func TestEveryStartIsAnswered(t *testing.T) {
	t.Parallel()
	for key, op := range follows {
		if op == store.OpChargeback {
			continue // reported by the acquirer, never requested from it
		}
		start, ok := Next(Key{key.kind, key.status, op, Start, Always})
		require.True(t, ok, "%v", key)
		require.Equal(t, key.status, start.To)
	}
	for key, row := range transitions {
		if key.Event != Start {
			continue
		}
		for _, event := range []Event{Approved, Refused, Waiting, Unknown} {
			_, ok := Next(Key{key.Kind, row.To, key.Op, event, Always})
			require.True(t, ok, "%v has no row for %s", key, event)
		}
	}
}

// Final statuses stay: no row leaves REVERSAL, VOID or CHARGEBACK, and only a retry leaves DECLINED.
func TestFinalStatusesStay(t *testing.T) {
	t.Parallel()
	for key, row := range transitions {
		switch key.From {
		case store.Declined:
			if row.Type == "recurring" {
				continue // RETRY may settle it
			}
			require.Equal(t, key.From, row.To, "%v", key)
		case store.Reversed, store.Voided, store.Disputed:
			require.Equal(t, key.From, row.To, "%v", key)
		}
	}
}

func TestClausesOfTheSpecification(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		kind store.Kind
		from store.Status
		ask  Request
		op   store.Operation
		to   store.Status
	}{
		{"PENDING, capture", store.Purchase, store.Pending, Capture, store.OpCapture, store.Settled},
		{"PENDING (held authorization), CREDITVOID", store.Purchase, store.Pending, CreditVoid, store.OpReversal, store.Reversed},
		{"SETTLED, CREDITVOID", store.Purchase, store.Settled, CreditVoid, store.OpRefund, store.Refunded},
		{"REFUND, CREDITVOID of what is left", store.Purchase, store.Refunded, CreditVoid, store.OpRefund, store.Refunded},
		{"any debit payment, CREDITVOID", store.Debit, store.Settled, CreditVoid, store.OpReversal, store.Reversed},
		{"SETTLED, VOID", store.Purchase, store.Settled, Void, store.OpVoid, store.Voided},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			op, ok := Follow(c.kind, c.from, c.ask)
			require.True(t, ok)
			require.Equal(t, c.op, op)
			row, ok := Next(Key{c.kind, c.from, op, Approved, Always})
			require.True(t, ok)
			require.Equal(t, c.to, row.To)
		})
	}
}

func TestWhatIsNotAllowed(t *testing.T) {
	t.Parallel()
	for _, status := range store.Statuses() {
		if _, ok := Follow(store.Purchase, status, Void); ok {
			require.Equal(t, store.Settled, status, "VOID is for SETTLED only")
		}
		for _, kind := range []store.Kind{store.Transfer, store.Credit} {
			for _, ask := range Requests() {
				_, ok := Follow(kind, status, ask)
				require.False(t, ok, "%s %s %s", kind, status, ask)
			}
		}
	}
}

func TestPartialRefundByTheOption(t *testing.T) {
	t.Parallel()
	row, ok := Next(Key{store.Purchase, store.Settled, store.OpRefund, Approved, Kept})
	require.True(t, ok)
	require.Equal(t, Row{store.Settled, "refund", success}, row)
	row, ok = Next(Key{store.Purchase, store.Settled, store.OpRefund, Refused, Kept})
	require.True(t, ok, "a guard without a row of its own falls back")
	require.Equal(t, Row{store.Settled, "refund", fail}, row)
}

// A hold whose outcome was not known may still send the payer on, wherever that has left the payment.
func TestUnsureHoldGoesOn(t *testing.T) {
	t.Parallel()
	for key, row := range transitions {
		if key.Op != store.OpAuth || row.Type == "recurring" || key.Event != Waiting && key.Event != Unknown {
			continue
		}
		for event, to := range map[Event]store.Status{ThreeDS: store.ThreeDS, Redirect: store.Redirected} {
			next, ok := Next(Key{key.Kind, row.To, key.Op, event, Always})
			require.True(t, ok, "%v: no row for %s", key, event)
			require.Equal(t, to, next.To)
		}
	}
}

// On S2S CARD a hold that waits is PENDING, as one whose outcome is unknown; elsewhere it is PREPARE.
func TestWaitingHold(t *testing.T) {
	t.Parallel()
	for guard, want := range map[Guard]store.Status{Always: store.Prepare, OnCard: store.Pending} {
		for _, from := range openHold {
			row, ok := Next(Key{store.Purchase, from, store.OpAuth, Waiting, guard})
			require.True(t, ok)
			require.Equal(t, Row{want, "sale", waiting}, row, "%s from %s", guard, from)
		}
	}
}
