package gatewaytest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/storetest"
)

// recorder is a testing.TB that remembers what failed it.
type recorder struct {
	testing.TB
	faults []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

// TestNestedTransaction: a call of the gateway from inside a transaction of its own store fails the test.
func TestNestedTransaction(t *testing.T) {
	t.Parallel()
	r := &recorder{TB: t}
	kit := gatewaytest.New(r)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // ends the call if the check does not find it
	defer cancel()
	err := kit.Store.Update(ctx, func(store.Tx) error {
		return kit.SaveMID(ctx, store.MID{ID: "more", MerchantID: gatewaytest.MerchantID, Connector: "vcard"})
	})
	require.ErrorIs(t, err, storetest.ErrNested)
	require.NotEmpty(t, r.faults)
	require.Contains(t, r.faults[0], "inside a running Update")
	require.Contains(t, r.faults[0], "SaveMID", "the stack names the caller")
}
