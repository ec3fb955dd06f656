package sdk_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/hpf/sdk"
)

// Decision au: when the payer may leave the code out, the frame of the code has that mark and no other frame does,
// and Collect decides about a card without one.
func TestCodeOptional(t *testing.T) {
	t.Parallel()
	for _, optional := range []bool{true, false} {
		f := &fake{origins: []string{shop}, optional: optional}
		h := sdk.Handler(f, sdk.Options{})
		for _, field := range []string{"card", "expiry", "cvv"} {
			body := get(t, h, "/sdk/frame/"+field+".html?session="+knownSession).Body.String()
			require.Equal(t, optional && field == "cvv", strings.Contains(body, `data-optional="true"`), field)
			require.Equal(t, optional && field == "cvv", strings.Contains(body, `aria-required="false"`), field)
		}
		require.Equal(t, http.StatusOK, serve(h, post(strings.Replace(good, `"123"`, `""`, 1))).Code)
		require.Len(t, f.cards, 1)
		require.Empty(t, f.cards[0].Code.Digits())
	}
	require.Equal(t, http.StatusForbidden,
		get(t, sdk.Handler(&fake{origins: []string{shop}}, sdk.Options{}), "/sdk/frame/cvv.html?session=nobody").Code)
}
