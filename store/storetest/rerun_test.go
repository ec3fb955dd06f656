package storetest_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/store/storetest"
)

// A View runs twice on the same data and no more after an error; an Update runs once.
func TestRerun(t *testing.T) {
	t.Parallel()
	s := storetest.Rerun(memory.New())
	ctx, runs, own := t.Context(), 0, errors.New("the function's own error")
	require.NoError(t, s.Update(ctx, func(tx store.Tx) error {
		runs++
		return tx.Put([]byte("k"), []byte("v"))
	}))
	require.Equal(t, 1, runs)
	require.NoError(t, s.View(ctx, func(r store.Reader) error {
		runs++
		value, err := r.Get([]byte("k"))
		require.Equal(t, "v", string(value))
		return err
	}))
	require.Equal(t, 3, runs)
	require.ErrorIs(t, s.View(ctx, func(store.Reader) error {
		runs++
		return own
	}), own)
	require.Equal(t, 4, runs)
}
