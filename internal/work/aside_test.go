package work_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// Due work of two merchants: the records of the first cannot be read, the work of the second is done.

// Unreadable work of one merchant is set aside, reported and listed, whatever kind it is; another merchant's work
// is done. Once it is repaired, it is done too.
func TestUnreadableIsSetAside(t *testing.T) {
	t.Parallel()
	for _, s := range kerneltest.DueWorks {
		for _, d := range kerneltest.Damages {
			table := d.Table(&s)
			if table == "" || s.Work == gateway.WorkPurge && d.Name == "missing" || s.Work == gateway.WorkExpiry &&
				d.Name == "payment" {
				continue // nothing is opened; a deleted record needs no purge; nothing was paid
			}
			t.Run(fmt.Sprintf("%s, %s", s.Work, d.Name), func(t *testing.T) {
				t.Parallel()
				var l kerneltest.AsideListener
				kit := gatewaytest.New(t, l.Option)
				kerneltest.SaveOtherMerchant(t, kit)
				known := kerneltest.KeysUnder(t, kit.Store, table)
				s.Leave(t, kit, gatewaytest.MerchantKey, "VICTIM")
				spoilt := kerneltest.KeysUnder(t, kit.Store, table)
				s.Leave(t, kit, kerneltest.OtherKey, "HEALTHY")
				mend := kerneltest.DamageTable(t, kit, table, append(known, newIn(t, kit, table, spoilt)...), d.Damage)
				cold := kit.Twin(t) // its cache is empty

				spend(t, cold, &s)
				others(t, kit, table, spoilt, func() { require.True(t, s.Done(t, kit, "HEALTHY"), "the rest goes on") })
				list := kerneltest.AsideOf(t, kit, s.Work)
				if !slices.Contains(s.Aside, d.Name) {
					require.Empty(t, list)
					others(t, kit, table, spoilt, func() { require.True(t, s.Done(t, kit, "VICTIM")) })
					return
				}
				require.NotEmpty(t, list)
				if s.Work != gateway.WorkPurge { // a purge reads the related records too
					require.Len(t, list, 1)
				}
				require.NotEmpty(t, list[0].Reason)
				require.Contains(t, l.Heard, list[0])
				require.Contains(t, l.Logged.String(), "set aside")
				before := len(l.Heard)
				cold.Work(t)
				require.Len(t, l.Heard, before, "it is told once")

				mend()
				for _, a := range list {
					require.NoError(t, cold.Operator().Resume(t.Context(), a.Work, a.ID))
				}
				spend(t, kit.Twin(t), &s)
				require.True(t, s.Done(t, kit, "VICTIM"), "mended, it is done")
				require.Empty(t, kerneltest.AsideOf(t, kit, s.Work))
				require.ErrorIs(t, cold.Operator().Resume(t.Context(), s.Work, "VICTIM"), gateway.ErrNoAside)
			})
		}
	}
}

// newIn returns the keys of a table that are new.
func newIn(t *testing.T, kit *gatewaytest.Kit, table string, before []string) []string {
	return slices.DeleteFunc(kerneltest.KeysUnder(t, kit.Store, table),
		func(key string) bool { return slices.Contains(before, key) })
}

// others runs check while the damaged records are removed, because the audits read every record.
func others(t *testing.T, kit *gatewaytest.Kit, table string, victims []string, check func()) {
	t.Helper()
	was := map[string][]byte{}
	for _, key := range victims {
		if slices.Contains(kerneltest.KeysUnder(t, kit.Store, table), key) {
			was[key] = kerneltest.RawOf(t, kit, key)
		}
	}
	set := func(put bool) {
		require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
			for key, value := range was {
				var fault error
				if put {
					fault = tx.Put([]byte(key), value)
				} else {
					fault = tx.Delete([]byte(key))
				}
				if fault != nil {
					return fault
				}
			}
			return nil
		}))
	}
	if table == "m" || table == "md" || table == "ch" {
		check()
		return
	}
	var document map[string]any
	for _, value := range was {
		if json.Unmarshal(value, &document) == nil && fmt.Sprint(document["v"]) == "1" {
			check()
			return
		}
	}
	set(false)
	check()
	set(true)
}

// spend advances the clock until the work of a scene is due, and does it.
func spend(t *testing.T, kit *gatewaytest.Kit, s *kerneltest.DueWork) {
	t.Helper()
	kit.Work(t)
	kit.Advance(t, s.Due)
	if s.Work == gateway.WorkPurge {
		kerneltest.LapDue(t, kit)
		kit.Work(t)
	}
}

// A failing store is no unreadable record: the work stays in its queue, and is done when the store works again.
func TestStoreThatFailsSetsNothingAside(t *testing.T) {
	t.Parallel()
	for _, s := range kerneltest.DueWorks {
		t.Run(string(s.Work), func(t *testing.T) {
			t.Parallel()
			var l kerneltest.AsideListener
			kit := gatewaytest.New(t, l.Option)
			s.Leave(t, kit, gatewaytest.MerchantKey, "ORD-1")
			failing := &failingReads{Store: kit.Store, table: s.Table}
			broken := kit.Twin(t, func(c *gateway.Config) { c.Store = failing })
			kit.Clock.Set(kit.Clock.Now().Add(s.Due))
			if s.Work == gateway.WorkPurge {
				kerneltest.LapDue(t, kit)
			}
			for range 5 {
				_, _, _ = broken.Tick(t.Context(), 100)
			}
			require.Positive(t, failing.failed)
			list, err := kit.Operator().SetAside(t.Context(), 10)
			require.NoError(t, err)
			require.Empty(t, list)
			require.Empty(t, l.Heard)
			spend(t, kit, &s)
			kit.Advance(t, kerneltest.Day)
			require.True(t, s.Done(t, kit, "ORD-1"))
		})
	}
}

// failingReads fails every read of a record of one table.
type failingReads struct {
	store.Store
	table  string
	failed int
}

var errDisk = errors.New("the disk does not answer")

func (s *failingReads) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.Store.View(ctx, func(r store.Reader) error { return fn(failingReader{r, s}) })
}

func (s *failingReads) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.Store.Update(ctx, func(tx store.Tx) error { return fn(failingTx{tx, s}) })
}

type failingReader struct {
	store.Reader
	s *failingReads
}

func (r failingReader) Get(key []byte) ([]byte, error) {
	if bytes.HasPrefix(key, store.Key(r.s.table)) {
		r.s.failed++
		return nil, errDisk
	}
	return r.Reader.Get(key)
}

type failingTx struct {
	store.Tx
	s *failingReads
}

func (tx failingTx) Get(key []byte) ([]byte, error) { return failingReader{tx.Tx, tx.s}.Get(key) }

// An unreadable MID is left out and reported. The merchant's other MIDs accept payments, and payments of the MID
// are not processed. An unreadable merchant gets an internal error; other merchants are not affected.
func TestUnreadableConfiguration(t *testing.T) {
	t.Parallel()
	var l kerneltest.AsideListener
	kit := gatewaytest.New(t, l.Option)
	kerneltest.SaveOtherMerchant(t, kit)
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "spare", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}))
	paid := map[string]store.Payment{}
	for _, order := range []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4"} {
		p := kerneltest.Charged(t, kit, order, gatewaytest.Settles).Payment
		paid[p.MIDID] = p
	}
	mend := kerneltest.DamageTable(t, kit, "md", nil, func(value []byte) []byte {
		if bytes.Contains(value, []byte(`"spare"`)) {
			return append(value, ' ')
		}
		return value[:len(value)/2]
	})
	cold := kit.Twin(t)
	r := kerneltest.Charged(t, cold, "ORD-9", gatewaytest.Settles)
	require.Equal(t, "spare", r.Payment.MIDID)
	require.Len(t, l.Heard, 2)
	require.Equal(t, []gateway.Work{gateway.WorkMID, gateway.WorkMID}, []gateway.Work{l.Heard[0].Work, l.Heard[1].Work})
	require.Equal(t, gatewaytest.MerchantID+"/live", l.Heard[0].ID)
	kerneltest.Charged(t, cold, "ORD-10", gatewaytest.Settles)
	require.Len(t, l.Heard, 2, "once for each revision")
	if p, ok := paid["live"]; ok {
		asked := len(kit.Charges(t))
		_, err := cold.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "1.00"))
		require.Error(t, err)
		require.Nil(t, gateway.AsError(err).Faults())
		require.Equal(t, 500, gateway.AsError(err).Status())
		require.Len(t, kit.Charges(t), asked)
	}
	mend()

	mend = kerneltest.DamageTable(t, kit, "m", nil, func([]byte) []byte { return []byte("{}") })
	cold = kit.Twin(t)
	for range 2 {
		_, err := cold.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-11", gatewaytest.Settles))
		require.Equal(t, 500, gateway.AsError(err).Status())
	}
	require.Len(t, l.Heard, 3)
	require.Equal(t, gateway.WorkMerchant, l.Heard[2].Work)
	kerneltest.Charged(t, cold.As(kerneltest.OtherKey), "OTHER-1", gatewaytest.Settles)
	require.NoError(t, cold.SaveMerchant(t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password),
	}), "saving it mends it")
	kerneltest.Charged(t, cold, "ORD-11", gatewaytest.Settles)
	mend()
}
