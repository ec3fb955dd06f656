package store_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// recordSeeds are documents, some of which are records.
func recordSeeds() []string {
	return []string{
		`{"v":1}`, `{"v":2,"id":"1"}`, `{}`, `null`, `[]`, `{"v":1,"v":2}`,
		`{"v":1,"m":"m","k":"purchase","o":{"n":"O","a":"10.00","c":"USD"},"s":"SETTLED","ca":"10.00","rf":"1e9"}`,
		`{"v":1,"m":"m","o":{"n":"O","a":"10.00","c":"USD"},"t":[{"id":"t","op":"SALE","a":"10.00","out":"success","at":1804680000000000}]}`,
		`{"v":1,"m":"m","o":{"n":"O","c":"USD"},"t":[{"id":"t"},{"id":"u","op":"REFUND"},{"id":"t"}]}`,
		`{"v":1,"m":"m","o":{"n":"O","c":"USD"},"t":[{"id":"t","a":"-1.00"}]}`,
		`{"v":1,"m":"m","o":{"n":"O"},"t":[null]}`,
		`{"v":1,"m":"m","o":{"n":"O"},"t":[]}`,
		`{"v":1,"m":"m","o":{"n":"O"},"charge":"u","t":[{"id":"t"}]}`,
		`{"v":1,"m":"m","merchant":"n","o":{"n":"O","N":"P"},"t":[{"id":"t","n":1e400}]}`,
		`{"v":1,"merchant":"m","token_hash":"h","order":{"n":"O","a":"05.00","c":"USD"},"expires_at":1804680000000000}`,
	}
}

// TestRecordSeeds: FuzzRecord begins with records of each table that can be read, and with those that break a rule.
func TestRecordSeeds(t *testing.T) {
	t.Parallel()
	read, broken := map[string]int{}, 0
	update(t, func(tx store.Tx) {
		for _, seed := range recordSeeds() {
			require.NoError(t, tx.Put(store.Key("p", "1"), []byte(seed)))
			require.NoError(t, tx.Put(store.Key("s", "1"), []byte(seed)))
			_, err := store.Table[store.PaymentRecord]{Prefix: "p", Version: 1}.Get(tx, "1")
			if err == nil {
				read["payment"]++
			} else {
				require.True(t, store.IsUnreadable(err), err)
				broken++
			}
			if _, err := (store.Table[store.Session]{Prefix: "s", Version: 1}).Get(tx, "1"); err == nil {
				read["session"]++
			}
		}
	})
	require.Equal(t, 1, read["payment"])
	require.Positive(t, read["session"])
	require.Greater(t, broken, 8)
}

// FuzzRecord reads any bytes as each of the records with amounts. Either that is an error, or the record passes
// its own check, is the same after it is written and read again, and its amounts keep their form.
func FuzzRecord(f *testing.F) {
	for _, seed := range recordSeeds() {
		f.Add([]byte(seed))
	}
	payments := store.Table[store.PaymentRecord]{Prefix: "p", Version: 1}
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
