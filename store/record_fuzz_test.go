package store_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// FuzzRecord reads any bytes as each of the records with amounts. Either that is an error, or the record passes
// its own check, is the same after it is written and read again, and its amounts keep their form.
func FuzzRecord(f *testing.F) {
	for _, seed := range []string{
		`{"v":1}`, `{"v":2,"id":"1"}`, `{}`, `null`, `[]`, `{"v":1,"v":2}`,
		`{"v":1,"id":"p","merchant_id":"m","kind":"purchase","status":"SETTLED","order":{"number":"O","amount":"10.00","currency":"USD"},"captured":"10.00","refunded":"1e9"}`,
		`{"v":1,"id":"p","merchant":"m","order":{"number":"O","amount":"10.00","currency":"USD"},"transactions":[{"id":"t","operation":"SALE","amount":"10.00","outcome":"success","created_at":"2027-03-10T12:00:00Z"}]}`,
		`{"v":1,"id":"p","merchant":"m","order":{"number":"O","currency":"USD"},"transactions":[{"id":"t","amount":"-1.00"}]}`,
		`{"v":1,"id":"p","merchant":"m","order":{"number":"O"},"transactions":[null]}`,
		`{"v":1,"id":"p","merchant":"m","order":{"number":"O"},"charge":"u","transactions":[{"id":"t"}]}`,
		`{"v":1,"id":"s","merchant_id":"m","token_hash":"h","expires_at":"2027-03-10T12:00:00Z","order":{"amount":"05.00"}}`,
	} {
		f.Add([]byte(seed))
	}
	payments := store.Table[store.Payment]{Prefix: "p", Version: 1}
	sessions := store.Table[store.Session]{Prefix: "s", Version: 1}
	f.Fuzz(func(t *testing.T, document []byte) {
		if len(document) > store.MaxValue || document == nil {
			t.Skip()
		}
		update(t, func(tx store.Tx) {
			again(t, tx, payments, "p", document)
			again(t, tx, sessions, "s", document)
		})
	})
}

// checked is a record with a check of its own.
type checked[T any] interface {
	*T
	Check() error
}

func again[T any, P checked[T]](t *testing.T, tx store.Tx, table store.Table[T], prefix string, document []byte) {
	t.Helper()
	require.NoError(t, tx.Put(store.Key(prefix, "1"), bytes.Clone(document)))
	got, err := table.Get(tx, "1")
	if err != nil || P(&got).Check() != nil {
		return
	}
	require.NoError(t, table.Put(tx, got, "2"))
	same, err := table.Get(tx, "2")
	require.NoError(t, err)
	want, err := json.Marshal(got)
	require.NoError(t, err)
	text, err := json.Marshal(same)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(text))
}
