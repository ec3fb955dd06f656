package store_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// moment is when the records of the fuzz targets are made.
var moment = time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)

// soundDocuments are records as tables write them.
func soundDocuments(t testing.TB) [][]byte {
	t.Helper()
	order := store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Important gift"}
	ten := store.MustAmount("10.00")
	p := store.PaymentRecord{Payment: store.Payment{ID: "1", MerchantID: "m", Kind: store.Purchase, Status: store.Settled,
		Order: order, Amount: ten, Authorized: ten, Captured: ten,
		Refunded: store.MustAmount("3.33"), Reserved: store.MustAmount("0.01"), Running: "t",
		CustomData: json.RawMessage(`{"a":[1,2.50]}`)}}
	p.SetTransaction(&store.TransactionRecord{Transaction: store.Transaction{ID: "t", Operation: store.OpSale, Amount: ten,
		Due: moment, CreatedAt: moment}})
	return [][]byte{
		documentOf(t, p),
		documentOf(t, store.Session{ID: "1", MerchantID: "m", TokenHash: "h", Order: order, ExpiresAt: moment,
			CreatedAt: moment}),
		documentOf(t, store.Schedule{ID: "1", MerchantID: "m", IntervalLength: 1, IntervalUnit: store.Month,
			DayOfMonth: 31, PaymentsCount: 3, CreatedAt: moment}),
		documentOf(t, store.CallbackRecord{Callback: store.Callback{ID: "p.0001", PaymentID: "p", Number: 1,
			URL: "https://shop.example/", Body: "a=b", State: store.CallbackDue, Due: moment, CreatedAt: moment}}),
	}
}

// documentOf returns the document that a table stores.
func documentOf[T any](t testing.TB, record T) (document []byte) {
	t.Helper()
	s := memory.New()
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) (err error) {
		table := store.Table[T]{Prefix: "x", Version: 1}
		require.NoError(t, table.Put(tx, record, "1"))
		document, err = tx.Get(store.Key("x", "1"))
		return err
	}))
	return document
}

// FuzzCorrupt cuts a stored record short or changes one byte of it. A record that is cut is never read. A changed
// record is read only if a table could have written it: its amounts keep their grammar, and it passes its own
// check and comes back the same after it is written and read again.
func FuzzCorrupt(f *testing.F) {
	documents := soundDocuments(f)
	for i, document := range documents {
		f.Add(uint8(i), uint16(len(document)-1), byte(0), true)
		f.Add(uint8(i), uint16(0), byte(0), true)
		f.Add(uint8(i), uint16(5), byte(3), false)
		f.Add(uint8(i), uint16(bytes.Index(document, []byte("10.00"))), byte('1'^'-'), false)
		f.Add(uint8(i), uint16(bytes.Index(document, []byte(`"}`))), byte(0x80), false)
		f.Add(uint8(i), uint16(len(document)-1), byte(0x20), false)
	}
	f.Fuzz(func(t *testing.T, n uint8, at uint16, mask byte, cut bool) {
		n %= uint8(len(documents))
		document := bytes.Clone(documents[n])
		place := int(at) % len(document)
		if cut {
			document = document[:place]
		} else {
			document[place] ^= mask
		}
		update(t, func(tx store.Tx) {
			switch n {
			case 0:
				reread(t, tx, store.Table[store.PaymentRecord]{Prefix: "x", Version: 1}, document, cut,
					func(p store.PaymentRecord) []store.Amount {
						list := []store.Amount{p.Amount, p.Authorized, p.Captured, p.Refunded, p.Reserved}
						for _, tr := range p.Transactions {
							list = append(list, tr.Amount)
						}
						return list
					})
			case 1:
				reread(t, tx, store.Table[store.Session]{Prefix: "x", Version: 1}, document, cut, nil)
			case 2:
				reread(t, tx, store.Table[store.Schedule]{Prefix: "x", Version: 1}, document, cut, nil)
			default:
				reread(t, tx, store.Table[store.CallbackRecord]{Prefix: "x", Version: 1}, document, cut, nil)
			}
		})
	})
}

// TestSoundDocuments: FuzzCorrupt begins with records that can be read.
func TestSoundDocuments(t *testing.T) {
	t.Parallel()
	update(t, func(tx store.Tx) {
		require.NoError(t, tx.Put(store.Key("x", "1"), soundDocuments(t)[0]))
		p, err := store.Table[store.PaymentRecord]{Prefix: "x", Version: 1}.Get(tx, "1")
		require.NoError(t, err)
		require.NoError(t, p.Check())
		require.Equal(t, "3.33", p.Refunded.String())
	})
}

func reread[T any, P checked[T]](t *testing.T, tx store.Tx, table store.Table[T], document []byte, cut bool,
	amounts func(T) []store.Amount) {
	t.Helper()
	require.NoError(t, tx.Put(store.Key("x", "1"), document))
	got, err := table.Get(tx, "1")
	if cut {
		require.Error(t, err)
	}
	if err != nil {
		return
	}
	if amounts != nil {
		for _, amount := range amounts(got) {
			require.Regexp(t, grammar, amount.String())
		}
	}
	err = table.Put(tx, got, "2")
	require.Equal(t, P(&got).Check() == nil, err == nil, "a record that breaks its own rules is never written")
	if err == nil {
		same, err := table.Get(tx, "2")
		require.NoError(t, err)
		want, err := json.Marshal(got)
		require.NoError(t, err)
		text, err := json.Marshal(same)
		require.NoError(t, err)
		require.Equal(t, string(want), string(text))
	}
}

// FuzzExpired checks the expiry of a card against a clock in any zone: the card is good until the last moment of
// its month in UTC, and never more than 50 years ahead. Two digits of a year are of this century.
func FuzzExpired(f *testing.F) {
	f.Add(uint8(2), uint8(38), int64(2150323199), int8(0))
	f.Add(uint8(1), uint8(27), int64(1801439999), int8(0))
	f.Add(uint8(1), uint8(27), int64(1801440000), int8(-12))
	f.Add(uint8(12), uint8(99), int64(2493072000), int8(14))
	f.Add(uint8(12), uint8(77), int64(1798761600), int8(0))
	f.Add(uint8(1), uint8(78), int64(1798761600), int8(0))
	f.Fuzz(func(t *testing.T, month, year uint8, seconds int64, zone int8) {
		month, year = 1+month%12, year%100
		clock := time.Unix(seconds%4102444800, 0).In(time.FixedZone("", int(zone)*3600))
		two := string([]byte{'0' + month/10, '0' + month%10})
		short := string([]byte{'0' + year/10, '0' + year%10})
		e, err := store.ParseExpiry(two + "/" + short)
		require.NoError(t, err)
		whole, err := store.ParseExpiry(two + "/20" + short)
		require.NoError(t, err)
		require.Equal(t, e, whole)
		require.Equal(t, store.Expiry{Year: 2000 + int(year), Month: int(month)}, e)
		text := clock.UTC().Format("2006-01")
		past := "20"+short+"-"+two < text
		require.Equal(t, past, e.Expired(clock), "%s at %s", e, clock)
		require.Equal(t, !past && e.Year-clock.UTC().Year() <= 50, e.Check(clock) == nil, "%s at %s", e, clock)
	})
}
