package gateway_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// backOn is something of the page that the payer comes back to from the issuer.
func backOn(of func(*gateway.Turn) any) func(testing.TB, *front, payDoor, wish) any {
	return fact(func(t testing.TB, f *front, _ store.Payment) any {
		t.Helper()
		page := f.ComeBack(t, f.next)
		token, ours := strings.CutPrefix(page, gatewaytest.PublicURL+"/auth/")
		require.True(t, ours, page)
		return of(kerneltest.TurnOf(t, f.Kit, token))
	})
}

// broughtBack is a parameter with which the payer comes to the merchant.
func broughtBack(name string) func(testing.TB, *front, payDoor, wish) any {
	return fact(func(t testing.TB, f *front, _ store.Payment) any {
		t.Helper()
		if f.result != nil {
			params, err := f.ReturnParams(t.Context(), f.result)
			require.NoError(t, err)
			for _, p := range params {
				if p.Name == name {
					return p.Value
				}
			}
			return ""
		}
		u, err := url.Parse(kerneltest.TurnOf(t, f.Kit, f.token).URL)
		require.NoError(t, err)
		return u.Query().Get(name)
	})
}
