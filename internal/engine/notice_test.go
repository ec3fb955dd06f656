package engine_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// A genuine notification to a link whose transaction does not exist creates no record.
func TestNoticeOfNobodyCreatesNothing(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	kit.Work(t)
	op := spy.Sends(kit.Payment(t, "ORD-1").Transactions[0].ID)[0]
	note, err := kit.Vcard.Notify(t.Context(), op.Key)
	require.NoError(t, err)
	link, ok := strings.CutPrefix(op.NotificationURL, gatewaytest.PublicURL+"/notify/")
	require.True(t, ok)
	raw, err := base64.RawURLEncoding.DecodeString(link)
	require.NoError(t, err)
	records := func() (all []string) {
		require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
			all = nil
			for e := range r.Scan(store.Range{Limit: kerneltest.Everything}) {
				require.NoError(t, e.Err)
				all = append(all, string(e.Key)+" "+string(e.Value))
			}
			return nil
		}))
		return all
	}
	before := records()
	for i := range raw { // its secret, its transaction: every byte of it
		other := append([]byte(nil), raw...)
		other[i] ^= 1
		require.ErrorIs(t, kit.Notify(t.Context(), base64.RawURLEncoding.EncodeToString(other), note), gateway.ErrNoSession)
	}
	require.Equal(t, before, records())
}
