package charge

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// declared is a connector that says whether it answers in process.
type declared struct{ inProcess bool }

func (declared) Perform(context.Context, methods.Operation) methods.Answer { return methods.Answer{} }

func (c declared) Capabilities() methods.Capabilities {
	return methods.Capabilities{InProcess: c.inProcess}
}

// TestRelease: the memory of a draft goes to another only when no call can be under way that still uses it.
func TestRelease(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		connector methods.Connector
		outcome   store.Outcome
		released  bool
	}{
		{"approved in process", declared{true}, store.Success, true},
		{"declined in process", declared{true}, store.Fail, true},
		{"in doubt in process", declared{true}, store.InDoubt, false},
		{"waiting in process", declared{true}, store.Waiting, false},
		{"approved, and a call may be late", declared{false}, store.Success, false},
		{"declined, and a call may be late", declared{false}, store.Fail, false},
		{"no connector was asked", nil, store.Success, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pan, err := store.ParsePAN("4111111111111111")
			require.NoError(t, err)
			c := &Draft{connector: tt.connector, PayCard: &methods.Card{PAN: pan}, Window: true}
			c.Payment.ID = "payment"
			result := &engine.Result{}
			result.Transaction.Outcome = tt.outcome
			require.Equal(t, tt.released, c.ended(result))
			c.Release(result)
			if tt.released { // not read again: it may be another's by now
				return
			}
			require.Equal(t, "payment", c.Payment.ID, "what a late answer needs is still there")
			require.NotNil(t, c.PayCard)
		})
	}
}

// TestNewDraft: a draft that has the memory of another has nothing else of it.
func TestNewDraft(t *testing.T) {
	t.Parallel()
	result := &engine.Result{}
	result.Transaction.Outcome = store.Success
	for range 100 {
		c := NewDraft()
		require.Zero(t, *c)
		c.connector, c.PayCard, c.Payment.ID, c.Window = declared{true}, &methods.Card{}, "payment", true
		c.Release(result)
	}
}
