package merchant_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// A request answers by one snapshot of its merchant: a mapping that is saved, or a switch that is turned, while the
// acquirer is asked changes nothing of its answer. The next request goes by what was saved.
func TestSnapshotOfARequest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*store.Mapping)
		status int // of the next payment
		says   bool
	}{
		{"another mapping", func(m *store.Mapping) { m.ReturnExtras = []string{"currency"} }, http.StatusOK, true},
		{"switched off", func(m *store.Mapping) { m.Disabled = true }, http.StatusBadRequest, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			acquirer := &kerneltest.ScriptedConnector{}
			kit := gatewaytest.New(t, acquirer.Option)
			acquirer.OnPerform = func(op methods.Operation) methods.Answer {
				m := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout}
				c.change(&m)
				require.NoError(t, kit.SaveMapping(t.Context(), m))
				return kerneltest.Approves(op)
			}
			doors := kerneltest.EveryDoor(kit)
			first := kerneltest.HostedToken(t, kit, "ORD-1", gatewaytest.Settles)
			second := kerneltest.HostedToken(t, kit, "ORD-2", gatewaytest.Settles)
			status, answer := paysHosted(t, doors, first)
			require.Equal(t, http.StatusOK, status, answer)
			require.Contains(t, answer, "return_url_query_params")
			require.NotContains(t, answer, `"currency":`)
			status, answer = paysHosted(t, doors, second)
			require.Equal(t, c.status, status, answer)
			require.Equal(t, c.says, strings.Contains(answer, `"currency":"USD"`), answer)
		})
	}
}

// paysHosted pays a session of Hosted Payment Fields over HTTP.
func paysHosted(t testing.TB, doors http.Handler, token string) (status int, answer string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/processing/purchase/card",
		strings.NewReader(`{"name":"John Doe","with_hosted_fields":true}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Token", token)
	w := httptest.NewRecorder()
	doors.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}
