package kerneltest

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// DamageRecord damages one record.
func DamageRecord(t *testing.T, kit *gatewaytest.Kit, key []byte, damage func([]byte) []byte) {
	t.Helper()
	value := RawOf(t, kit, string(key))
	require.NoError(t, kit.Store.Update(t.Context(),
		func(tx store.Tx) error { return tx.Put(key, damage(bytes.Clone(value))) }))
}

// Unseal alters every sealed value of a document.
func Unseal(value []byte) []byte {
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

// DamageTable damages every new record of a table, or the configuration of the first merchant, and returns a
// function that repairs them.
func DamageTable(t *testing.T, kit *gatewaytest.Kit, table string, known []string,
	damage func([]byte) []byte) (mend func()) {
	t.Helper()
	was := map[string][]byte{}
	for _, key := range KeysUnder(t, kit.Store, table) {
		ours := strings.HasPrefix(key, string(store.Key(table, gatewaytest.MerchantID)))
		if configured := table == "m" || table == "md"; configured && ours || !configured && !slices.Contains(known, key) {
			was[key] = RawOf(t, kit, key)
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

// Damages are the ways to damage a record: which record, and its new bytes. nil deletes it.
var Damages = []struct {
	Name   string
	Table  func(s *DueWork) string
	Damage func(value []byte) []byte
}{
	{"bad JSON", func(s *DueWork) string { return s.Table }, func(value []byte) []byte { return value[:len(value)/2] }},
	{"another schema", func(s *DueWork) string { return s.Table },
		func(value []byte) []byte { return bytes.Replace(value, []byte(`"v":1`), []byte(`"v":7`), 1) }},
	{"missing", func(s *DueWork) string { return s.Table }, func([]byte) []byte { return nil }},
	{"MID", func(*DueWork) string { return "md" }, func(value []byte) []byte { return value[:len(value)/2] }},
	{"merchant", func(*DueWork) string { return "m" }, func([]byte) []byte { return []byte("{}") }},
	{"payment", func(*DueWork) string { return "p" }, func(value []byte) []byte { return value[:len(value)-1] }},
	{"sealed", func(s *DueWork) string { return s.sealed }, Unseal},
}

// AsideListener collects what is set aside, from the Observer and from the log.
type AsideListener struct {
	mu     sync.Mutex
	Heard  []gateway.Aside
	Logged bytes.Buffer
}

// Option sets the observer and the log of a gateway.
func (l *AsideListener) Option(c *gateway.Config) {
	c.Log = slog.New(slog.NewTextHandler(&l.Logged, &slog.HandlerOptions{Level: slog.LevelError}))
	c.Observers = append(c.Observers, observe.Func(func(_ context.Context, e observe.Event) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if e, ok := e.(observe.RecordSetAside); ok {
			l.Heard = append(l.Heard, e.Aside)
		}
	}))
}

// AsideOf lists what was set aside of a kind of work.
func AsideOf(t *testing.T, kit *gatewaytest.Kit, work gateway.Work) []gateway.Aside {
	t.Helper()
	list, err := kit.Operator().SetAside(t.Context(), 100)
	require.NoError(t, err)
	return slices.DeleteFunc(list, func(a gateway.Aside) bool { return a.Work != work })
}
