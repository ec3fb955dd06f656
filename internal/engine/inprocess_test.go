package engine_test

import (
	"context"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// declared is a connector that says whether it answers in process.
type declared struct {
	inProcess bool
	perform   func(context.Context, methods.Operation) methods.Answer
}

func (c declared) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return c.perform(ctx, op)
}

func (c declared) Capabilities() methods.Capabilities {
	return methods.Capabilities{InProcess: c.inProcess}
}

// TestInProcess: only a connector that declares it is called on the goroutine of its caller. Its calls have a deadline
// and a panic is an unknown outcome, as for any other.
func TestInProcess(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		inProcess bool
		panics    bool
		outcome   store.Outcome
	}{
		{"declared", true, false, store.Success},
		{"declared, and panics", true, true, store.InDoubt},
		{"not declared", false, false, store.Success},
		{"not declared, and panics", false, true, store.InDoubt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var stack string
			bank := declared{tt.inProcess, func(ctx context.Context, op methods.Operation) methods.Answer {
				stack = string(debug.Stack())
				_, limited := ctx.Deadline()
				require.True(t, limited)
				if tt.panics {
					panic("a mistake of the connector")
				}
				return approves(op)
			}}
			a := newAlone(t, map[string]methods.Connector{"bank": bank})
			r, err := a.Charge(t.Context(), a.sale(t, "bank"))
			require.NoError(t, err)
			require.Equal(t, tt.outcome, r.Transaction.Outcome)
			require.Equal(t, tt.inProcess, strings.Contains(stack, "testing.tRunner("), stack)
		})
	}
}
