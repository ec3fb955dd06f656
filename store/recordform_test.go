package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// TestRecordForms: documents with every field of a record, as they were written when the stored form and the public one
// were one type, are read, and written again as they were. The order of a schedule's fields is free.
func TestRecordForms(t *testing.T) {
	t.Parallel()
	t.Run("payment", func(t *testing.T) { requireForm[store.PaymentRecord](t, "payment", "ID 2", require.Equal) })
	t.Run("callback", func(t *testing.T) { requireForm[store.CallbackRecord](t, "callback", "p.0001", require.Equal) })
	t.Run("schedule", func(t *testing.T) {
		requireForm[store.ScheduleRecord](t, "schedule", "ID 514", func(t require.TestingT, was, is any, _ ...any) {
			require.JSONEq(t, was.(string), is.(string))
		})
	})
}

func requireForm[T any](t *testing.T, name, id string, same require.ComparisonAssertionFunc) {
	t.Helper()
	document, err := os.ReadFile(filepath.Join("testdata", "records", name+".json"))
	require.NoError(t, err)
	document = bytes.TrimSpace(document)
	table := store.Table[T]{Prefix: name, Version: 1}
	update(t, func(tx store.Tx) {
		require.NoError(t, tx.Put(store.Key(name, id), document))
		record, err := table.Get(tx, id)
		require.NoError(t, err)
		require.NoError(t, table.Put(tx, record, id))
		again, err := tx.Get(store.Key(name, id))
		require.NoError(t, err)
		same(t, string(document), string(again))
	})
}
