package gateway_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// TestResultsStay: a result belongs to its caller. The requests that follow it, also those beside it, change nothing
// of it, although they may get the memory of its draft.
func TestResultsStay(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, withInstant)
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
