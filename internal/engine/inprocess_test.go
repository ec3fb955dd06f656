package engine_test

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/kerneltest"
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
			r, err := a.Charge(t.Context(), a.sale(t, "bank"), &engine.Room{})
			require.NoError(t, err)
			require.Equal(t, tt.outcome, r.Transaction.Outcome)
			require.Equal(t, tt.inProcess, strings.Contains(stack, "testing.tRunner("), stack)
		})
	}
}

// TestResultsStay: a result belongs to its caller. The requests that follow it, also those beside it, change nothing
// of it, although they may get the memory of its draft.
func TestResultsStay(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, func(c *gateway.Config) {
		c.Connectors["vcard"] = kerneltest.InstantConnector{}
	})
	const callers, sales = 8, 25
	var running sync.WaitGroup
	for caller := range int64(callers) {
		running.Go(func() {
			var results []any
			var texts []string
			for n := range int64(sales) {
				request := kerneltest.SaleRequest(caller*sales + n)
				request.CustomData = json.RawMessage(`{"cart":"` + request.Order.Number + `"}`)
				result, err := kit.Shop().Charge(t.Context(), request)
				if err != nil || result.Payment.Order != request.Order {
					t.Errorf("the result of order %s is %+v, %v", request.Order.Number, result, err)
					return
				}
				text, _ := json.Marshal(result)
				results, texts = append(results, result), append(texts, string(text))
			}
			for i, result := range results {
				text, _ := json.Marshal(result)
				if texts[i] != string(text) {
					t.Errorf("a result changed from\n%s\nto\n%s", texts[i], text)
				}
			}
		})
	}
	running.Wait()
	require.False(t, t.Failed())
}
