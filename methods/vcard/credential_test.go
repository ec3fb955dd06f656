package vcard_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// stores returns a charge at a MID that stores its card.
func stores(key, mid string, year, month int) methods.Operation {
	op := charge(store.OpSale, key, year, month)
	op.MID = methods.MID{ID: mid, COF: true}
	op.COF = store.COF{Initiator: store.ByCardholder, Source: store.Recurring, Sequence: store.FirstUse}
	return op
}

// uses returns a later charge by a reference.
func uses(key, mid, credential string) methods.Operation {
	op := stores(key, mid, 2038, 1)
	op.COF = store.COF{Initiator: store.ByMerchant, Source: store.Recurring, Sequence: store.SubsequentUse}
	op.Authentication, op.Credential = methods.AuthOff, credential
	return op
}

func TestStoredCards(t *testing.T) {
	t.Parallel()
	a := newAcquirer(t)
	first := a.Perform(context.Background(), stores("first", "one", 2038, 1))
	require.Equal(t, methods.ResultApproved, first.Result)
	known := first.Facts.Credential
	require.NotEmpty(t, known)
	require.Equal(t, known, a.Find(context.Background(), stores("first", "one", 2038, 1)).Facts.Credential,
		"Find returns the same")
	require.Empty(t, a.Perform(context.Background(), stores("declined", "one", 2038, 2)).Facts.Credential)
	declined := "SC-" + a.entry("declined").Reference
	plain := charge(store.OpSale, "plain", 2038, 1)
	plain.MID = methods.MID{ID: "one", COF: true}
	require.Empty(t, a.Perform(context.Background(), plain).Facts.Credential,
		"a card that is not stored is not registered")

	for _, c := range []struct {
		name, mid, credential string
		state                 vcard.State
	}{
		{"as returned", "one", known, vcard.StateApproved},
		{"at another MID", "two", known, vcard.StateDeclined},
		{"unknown", "one", "SC-nothing", vcard.StateDeclined},
		{"without its mark", "one", a.entry("first").Reference, vcard.StateDeclined},
		{"of a declined charge", "one", declined, vcard.StateDeclined},
		{"of a charge that stored nothing", "one", "SC-" + a.entry("plain").Reference, vcard.StateDeclined},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := a.Perform(context.Background(), uses(c.name, c.mid, c.credential))
			e := a.entry(c.name)
			require.Equal(t, c.state, e.State)
			require.Equal(t, []any{c.mid, c.credential, false}, []any{e.MID, e.Credential, e.Registers})
			if c.state == vcard.StateApproved {
				require.Equal(t, known, answer.Facts.Credential)
			} else {
				require.Equal(t, "Stored card is not known", answer.Reason)
			}
		})
	}
}
