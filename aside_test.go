package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// Due work of two merchants: what belongs to the first cannot be read, what belongs to the other is done.

// scene is a kind of due work.
type scene struct {
	work gateway.Work
	// make leaves work for a merchant; table and its id name the record that the work is about.
	make  func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string)
	table string
	due   time.Duration
	done  func(t *testing.T, kit *gatewaytest.Kit, order string) bool
	// sealed is the table of the record of which the sealed value is altered; empty where none is opened.
	sealed string
	// aside are the damages that set the work aside; after any other it is done all the same.
	aside []string
}

var scenes = []scene{
	{
		work: gateway.WorkCallback, table: "cb", sealed: "cb",
		make: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			charged(t, kit, order, gatewaytest.ThreeDSPasses, viaCard, byKey(merchantKey), goesBack)
		},
		done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			return slices.ContainsFunc(kit.Inbox.Fields(t), func(form url.Values) bool { return slices.Contains(form["order_id"], order) })
		},
		aside: []string{"bad JSON", "another schema", "missing", "sealed"},
	},
	{
		work: gateway.WorkRecovery, table: "t", sealed: "m", due: time.Hour,
		make: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			kit.Vcard.On(order, vcard.UnknownAfter())
			charged(t, kit, order, gatewaytest.Settles, byKey(merchantKey))
		},
		done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			return slices.ContainsFunc(read(t, kit).payments, func(p store.Payment) bool { return p.Order.Number == order && p.Status == store.Settled })
		},
		aside: []string{"bad JSON", "another schema", "missing", "MID", "merchant", "payment", "sealed"},
	},
	{
		work: gateway.WorkSchedule, table: "ch", sealed: "ch", due: 8 * aDay,
		make: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			set, err := kit.CreateSchedule(t.Context(), merchantKey, days(7, 1))
			require.NoError(t, err)
			charged(t, kit, order, gatewaytest.Settles, on(set), byKey(merchantKey))
		},
		done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			n := 0
			for _, e := range kit.Charges(t) {
				if e.Order == order {
					n++
				}
			}
			return n == 2
		},
		aside: []string{"bad JSON", "another schema", "missing", "MID", "merchant", "payment", "sealed"},
	},
	{
		work: gateway.WorkExpiry, table: "s", due: 2 * aDay,
		make: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			r := hostedRequest(order)
			r.MerchantKey = merchantKey
			session, err := kit.CreateHosted(t.Context(), r)
			require.NoError(t, err)
			require.NoError(t, kit.CollectHosted(t.Context(), session.Token, gatewaytest.Settles))
		},
		done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			return slices.ContainsFunc(read(t, kit).sessions, func(s store.Session) bool { return s.Order.Number == order && s.HeldCard == nil })
		},
		aside: []string{"bad JSON", "another schema", "missing"},
	},
	{
		work: gateway.WorkPurge, table: "s", due: 200 * aDay,
		make: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			r := gatewaytest.Request(order, "10.00")
			r.MerchantKey = merchantKey
			kit.Pay(t, kit.SessionOf(t, r), gatewaytest.Settles)
		},
		done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			return !slices.ContainsFunc(read(t, kit).sessions, func(s store.Session) bool { return s.Order.Number == order })
		},
		aside: []string{"bad JSON", "another schema", "payment"},
	},
}

func byKey(key string) func(*gateway.ChargeRequest) {
	return func(r *gateway.ChargeRequest) { r.MerchantKey = key }
}

// damages are what may be wrong with a record: which one, and what becomes of its bytes. nil is a record that is gone.
var damages = []struct {
	name   string
	table  func(s *scene) string
	damage func(value []byte) []byte
}{
	{"bad JSON", func(s *scene) string { return s.table }, func(value []byte) []byte { return value[:len(value)/2] }},
	{"another schema", func(s *scene) string { return s.table }, func(value []byte) []byte { return bytes.Replace(value, []byte(`"v":1`), []byte(`"v":7`), 1) }},
	{"missing", func(s *scene) string { return s.table }, func([]byte) []byte { return nil }},
	{"MID", func(*scene) string { return "md" }, func(value []byte) []byte { return value[:len(value)/2] }},
	{"merchant", func(*scene) string { return "m" }, func([]byte) []byte { return []byte("{}") }},
	{"payment", func(*scene) string { return "p" }, func(value []byte) []byte { return value[:len(value)-1] }},
	{"sealed", func(s *scene) string { return s.sealed }, unsealed},
}

// unsealed alters every sealed value of a document.
func unsealed(value []byte) []byte {
	var document map[string]json.RawMessage
	if json.Unmarshal(value, &document) != nil {
		return value
	}
	for name, raw := range document {
		var sealed store.Sealed
		if strings.HasPrefix(name, "sealed_") && json.Unmarshal(raw, &sealed) == nil && len(sealed.Box) > 0 {
			sealed.Box[0] ^= 1
			altered, _ := json.Marshal(sealed)
			value = bytes.Replace(value, raw, altered, 1)
		}
	}
	return value
}

// spoil damages every record of a table that was not there before, or is the configuration of the first merchant,
// and answers how to put it right.
func spoil(t *testing.T, kit *gatewaytest.Kit, table string, known []string, damage func([]byte) []byte) (mend func()) {
	t.Helper()
	was := map[string][]byte{}
	for _, key := range keysUnder(t, kit.Store, table) {
		ours := strings.HasPrefix(key, string(store.Key(table, gatewaytest.MerchantID)))
		if configured := table == "m" || table == "md"; configured && ours || !configured && !slices.Contains(known, key) {
			was[key] = rawOf(t, kit, key)
		}
	}
	require.NotEmpty(t, was, table)
	write := func(change func([]byte) []byte) {
		require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
			for key, value := range was {
				if value = change(value); value == nil {
					if err := tx.Delete([]byte(key)); err != nil {
						return err
					}
				} else if err := tx.Put([]byte(key), value); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	write(func(value []byte) []byte {
		spoilt := damage(bytes.Clone(value))
		require.NotEqual(t, value, spoilt)
		return spoilt
	})
	return func() { write(func(value []byte) []byte { return value }) }
}

// asideHeard hears what is set aside, from the Observer and from the log.
type asideHeard struct {
	mu     sync.Mutex
	heard  []gateway.Aside
	logged bytes.Buffer
}

func (l *asideHeard) option(c *gateway.Config) {
	c.Log = slog.New(slog.NewTextHandler(&l.logged, &slog.HandlerOptions{Level: slog.LevelError}))
	c.Observer = func(e gateway.Event) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if e.Aside != nil {
			l.heard = append(l.heard, *e.Aside)
		}
	}
}

// What of one merchant cannot be read is set aside, told and listed, whatever it is; what of another can be, is
// done; and mended it is done too.
func TestUnreadableIsSetAside(t *testing.T) {
	t.Parallel()
	for _, s := range scenes {
		for _, d := range damages {
			table := d.table(&s)
			if table == "" || s.work == gateway.WorkPurge && d.name == "missing" || s.work == gateway.WorkExpiry && d.name == "payment" {
				continue // nothing is opened; what is gone needs no purge; nothing was paid
			}
			t.Run(fmt.Sprintf("%s, %s", s.work, d.name), func(t *testing.T) {
				t.Parallel()
				var l asideHeard
				kit := gatewaytest.New(t, l.option)
				otherMerchant(t, kit)
				known := keysUnder(t, kit.Store, table)
				s.make(t, kit, gatewaytest.MerchantKey, "VICTIM")
				spoilt := keysUnder(t, kit.Store, table)
				s.make(t, kit, otherKey, "HEALTHY")
				mend := spoil(t, kit, table, append(known, newIn(t, kit, table, spoilt)...), d.damage)
				cold := kit.Twin(t) // it remembers no merchant

				spend(t, cold, &s)
				others(t, kit, table, spoilt, func() { require.True(t, s.done(t, kit, "HEALTHY"), "the rest goes on") })
				list := asideOf(t, kit, s.work)
				if !slices.Contains(s.aside, d.name) {
					require.Empty(t, list)
					others(t, kit, table, spoilt, func() { require.True(t, s.done(t, kit, "VICTIM")) })
					return
				}
				require.NotEmpty(t, list)
				if s.work != gateway.WorkPurge { // which looks at all that hangs on it
					require.Len(t, list, 1)
				}
				require.NotEmpty(t, list[0].Reason)
				require.Contains(t, l.heard, list[0])
				require.Contains(t, l.logged.String(), "set aside")
				before := len(l.heard)
				cold.Work(t)
				require.Len(t, l.heard, before, "it is told once")

				mend()
				for _, a := range list {
					require.NoError(t, cold.Resume(t.Context(), a.Work, a.ID))
				}
				spend(t, kit.Twin(t), &s)
				require.True(t, s.done(t, kit, "VICTIM"), "mended, it is done")
				require.Empty(t, asideOf(t, kit, s.work))
				require.ErrorIs(t, cold.Resume(t.Context(), s.work, "VICTIM"), gateway.ErrNoAside)
			})
		}
	}
}

func asideOf(t *testing.T, kit *gatewaytest.Kit, work gateway.Work) []gateway.Aside {
	t.Helper()
	list, err := kit.SetAside(t.Context(), 100)
	require.NoError(t, err)
	return slices.DeleteFunc(list, func(a gateway.Aside) bool { return a.Work != work })
}

// newIn are the keys of a table that came after some.
func newIn(t *testing.T, kit *gatewaytest.Kit, table string, before []string) []string {
	return slices.DeleteFunc(keysUnder(t, kit.Store, table), func(key string) bool { return slices.Contains(before, key) })
}

// others runs check while the damaged records are away, since judges read every record.
func others(t *testing.T, kit *gatewaytest.Kit, table string, victims []string, check func()) {
	t.Helper()
	was := map[string][]byte{}
	for _, key := range victims {
		if slices.Contains(keysUnder(t, kit.Store, table), key) {
			was[key] = rawOf(t, kit, key)
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

// spend lets the time pass after which the work of a scene is due, and does it.
func spend(t *testing.T, kit *gatewaytest.Kit, s *scene) {
	t.Helper()
	kit.Work(t)
	kit.Advance(t, s.due)
	if s.work == gateway.WorkPurge {
		lapDue(t, kit)
		kit.Work(t)
	}
}

// A store that does not answer is no unreadable record: the work stays where it is, and is done when it answers.
func TestStoreThatFailsSetsNothingAside(t *testing.T) {
	t.Parallel()
	for _, s := range scenes {
		t.Run(string(s.work), func(t *testing.T) {
			t.Parallel()
			var l asideHeard
			kit := gatewaytest.New(t, l.option)
			s.make(t, kit, gatewaytest.MerchantKey, "ORD-1")
			failing := &failingReads{Store: kit.Store, table: s.table}
			broken := kit.Twin(t, func(c *gateway.Config) { c.Store = failing })
			kit.Clock.Set(kit.Clock.Now().Add(s.due))
			if s.work == gateway.WorkPurge {
				lapDue(t, kit)
			}
			for range 5 {
				_, _, _ = broken.Tick(t.Context(), 100)
			}
			require.Positive(t, failing.failed)
			list, err := kit.SetAside(t.Context(), 10)
			require.NoError(t, err)
			require.Empty(t, list)
			require.Empty(t, l.heard)
			spend(t, kit, &s)
			kit.Advance(t, aDay)
			require.True(t, s.done(t, kit, "ORD-1"))
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

// A MID that cannot be read is left out and told of; the merchant's others take payments, and nothing is done with
// what was paid by it. A merchant that cannot be read gets an internal error, and no other merchant does.
func TestUnreadableConfiguration(t *testing.T) {
	t.Parallel()
	var l asideHeard
	kit := gatewaytest.New(t, l.option)
	otherMerchant(t, kit)
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "spare", MerchantID: gatewaytest.MerchantID, Connector: "vcard"}))
	paid := map[string]store.Payment{}
	for _, order := range []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4"} {
		p := charged(t, kit, order, gatewaytest.Settles).Payment
		paid[p.MIDID] = p
	}
	mend := spoil(t, kit, "md", nil, func(value []byte) []byte {
		if bytes.Contains(value, []byte(`"spare"`)) {
			return append(value, ' ')
		}
		return value[:len(value)/2]
	})
	cold := kit.Twin(t)
	r := charged(t, cold, "ORD-9", gatewaytest.Settles)
	require.Equal(t, "spare", r.Payment.MIDID)
	require.Len(t, l.heard, 2)
	require.Equal(t, []gateway.Work{gateway.WorkMID, gateway.WorkMID}, []gateway.Work{l.heard[0].Work, l.heard[1].Work})
	require.Equal(t, gatewaytest.MerchantID+"/live", l.heard[0].ID)
	charged(t, cold, "ORD-10", gatewaytest.Settles)
	require.Len(t, l.heard, 2, "once for each revision")
	if p, ok := paid["live"]; ok {
		asked := len(kit.Charges(t))
		_, err := cold.CreditVoid(t.Context(), of(p, "1.00"))
		require.Error(t, err)
		require.Nil(t, gateway.AsError(err).Faults)
		require.Equal(t, 500, gateway.AsError(err).Status)
		require.Len(t, kit.Charges(t), asked)
	}
	mend()

	mend = spoil(t, kit, "m", nil, func([]byte) []byte { return []byte("{}") })
	cold = kit.Twin(t)
	for range 2 {
		_, err := cold.Charge(t.Context(), chargeOf("ORD-11", gatewaytest.Settles))
		require.Equal(t, 500, gateway.AsError(err).Status)
	}
	require.Len(t, l.heard, 3)
	require.Equal(t, gateway.WorkMerchant, l.heard[2].Work)
	charged(t, cold, "OTHER-1", gatewaytest.Settles, byOther)
	require.NoError(t, cold.SaveMerchant(t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey, Password: store.NewSecret(gatewaytest.Password),
	}), "saving it mends it")
	charged(t, cold, "ORD-11", gatewaytest.Settles)
	mend()
}
