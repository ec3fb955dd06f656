package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

type coin struct {
	Name  string `json:"name"`
	Cents int    `json:"cents"`
}

var errWorthless = errors.New("worth nothing")

func (c *coin) Check() error {
	if c.Cents <= 0 {
		return errWorthless
	}
	return nil
}

var coins = store.Table[coin]{Prefix: "coin", Version: 3}

// update runs fn on a store of its own.
func update(t *testing.T, fn func(tx store.Tx)) {
	t.Helper()
	s := memory.New()
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error { fn(tx); return nil }))
	require.NoError(t, s.Close())
}

func TestTable(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		dime := coin{"dime", 10}
		require.NoError(t, coins.Insert(tx, dime, "1"))
		require.ErrorIs(t, coins.Insert(tx, dime, "1"), store.ErrExists)
		raw, err := tx.Get(store.Key("coin", "1"))
		require.NoError(t, err)
		require.JSONEq(t, `{"v":3,"name":"dime","cents":10}`, string(raw))
		got, err := coins.Get(tx, "1")
		require.NoError(t, err)
		require.Equal(t, dime, got)

		require.NoError(t, coins.Put(tx, coin{"cent", 1}, "1"))
		got, err = coins.Get(tx, "1")
		require.NoError(t, err)
		require.Equal(t, "cent", got.Name)

		require.NoError(t, coins.Delete(tx, "1"))
		_, err = coins.Get(tx, "1")
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

func TestTableChecksBeforeEveryWrite(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		for _, err := range []error{coins.Put(tx, coin{}, "1"), coins.Insert(tx, coin{}, "1")} {
			require.ErrorIs(t, err, errWorthless)
			require.ErrorContains(t, err, "coin")
		}
		_, err := coins.Get(tx, "1")
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

// A record is checked after it is read too, because another program may have changed it.
func TestTableChecksAfterEveryRead(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		require.NoError(t, tx.Put(store.Key("coin", "1"), []byte(`{"v":3,"name":"dime","cents":-10}`)))
		_, err := coins.Get(tx, "1")
		require.ErrorIs(t, err, errWorthless)
		for _, err := range coins.Scan(tx, 10) {
			require.ErrorIs(t, err, errWorthless)
		}
	})
}

func TestTableReads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, document, want string }{
		{name: "this version", document: `{"v":3,"name":"dime","cents":10}`},
		{name: "the previous version", document: `{"v":2,"name":"dime","cents":10}`},
		{name: "an unknown field", document: `{"v":3,"name":"dime","cents":10,"metal":"nickel"}`},
		{name: "an older version", document: `{"v":1,"name":"dime","cents":10}`, want: "schema version 1"},
		{name: "a newer version", document: `{"v":4,"name":"dime","cents":10}`, want: "schema version 4"},
		{name: "no version", document: `{"name":"dime","cents":10}`, want: "schema version 0"},
		{name: "version not first", document: `{"name":"dime","v":3,"cents":10}`, want: "schema version 0"},
		{name: "a version with a zero before it", document: `{"v":03,"name":"dime"}`, want: "schema version 0"},
		{name: "a version with a sign", document: `{"v":+3,"name":"dime"}`, want: "schema version 0"},
		{name: "negative version", document: `{"v":-3,"name":"dime"}`, want: "schema version 0"},
		{name: "cut off", document: `{"v":3,"name":"dime","cen`, want: "does not decode"},
		{name: "text after the document", document: `{"v":3,"name":"dime","cents":10}}`, want: "does not decode"},
		{name: "another type", document: `{"v":3,"name":7}`, want: "does not decode"},
		{name: "nothing", document: ``, want: "schema version 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			update(t, func(tx store.Tx) {
				require.NoError(t, tx.Put(store.Key("coin", "id-7"), []byte(c.document)))
				got, err := coins.Get(tx, "id-7")
				if c.want == "" {
					require.NoError(t, err)
					require.Equal(t, coin{"dime", 10}, got)
					return
				}
				require.ErrorContains(t, err, c.want)
				require.ErrorContains(t, err, "coin")
				require.ErrorContains(t, err, "id-7")
			})
		})
	}
}

func TestTableScan(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		for i := range 5 {
			require.NoError(t, coins.Put(tx, coin{fmt.Sprint(i), 1}, "shop", fmt.Sprint(4-i)))
		}
		require.NoError(t, coins.Put(tx, coin{"other", 1}, "shopping", "0"))
		names := func(limit int) (found []string) {
			for c, err := range coins.Scan(tx, limit, "shop") {
				require.NoError(t, err)
				found = append(found, c.Name)
			}
			return found
		}
		require.Equal(t, []string{"4", "3", "2", "1", "0"}, names(9))
		require.Equal(t, []string{"4", "3"}, names(2))
		require.Empty(t, names(0))

		require.NoError(t, tx.Put(store.Key("coin", "shop", "2"), []byte("damaged")))
		var seen int
		var faults []error
		for _, err := range coins.Scan(tx, 9, "shop") {
			if seen++; err != nil {
				faults = append(faults, err)
			}
		}
		require.Equal(t, 5, seen, "a scan goes on after a record that does not decode")
		require.Len(t, faults, 1)
		var unreadable *store.Unreadable
		require.ErrorAs(t, faults[0], &unreadable)
		require.Equal(t, []string{"shop", "2"}, unreadable.ID)
		require.ErrorContains(t, faults[0], "coin")
	})
}

// FuzzTable checks that a document either reads back as it was written or is an error.
func FuzzTable(f *testing.F) {
	f.Add([]byte(`{"v":3,"name":"dime","cents":10}`))
	f.Add([]byte(`{"v":3}`))
	f.Add([]byte(`{"v":03,"name":null}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		if len(document) > store.MaxValue {
			t.Skip()
		}
		update(t, func(tx store.Tx) {
			require.NoError(t, tx.Put(store.Key("coin", "1"), append([]byte{}, document...)))
			got, err := coins.Get(tx, "1")
			if err != nil || got.Check() != nil {
				return
			}
			require.NoError(t, coins.Put(tx, got, "1"))
			again, err := coins.Get(tx, "1")
			require.NoError(t, err)
			require.Equal(t, got, again)
		})
	})
}
