package kerneltest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// Haystack is everything that left the kernel: all that was written, logged, sent or answered.
type Haystack struct {
	mu   sync.Mutex
	Bits map[string][]byte // by where it was found
}

// Add keeps bytes under the name of the place where they were found.
func (h *Haystack) Add(where string, bits []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Bits[where] = append(append(h.Bits[where], bits...), '\n')
}

// Find names every place that contains a secret.
func (h *Haystack) Find(secret string) (where []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, bits := range h.Bits {
		if slices.ContainsFunc(Spellings(secret), func(s []byte) bool { return bytes.Contains(bits, s) }) {
			where = append(where, name)
		}
	}
	return where
}

// FindCode names every place that contains the security code as a separate word.
func (h *Haystack) FindCode() (where []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, bits := range h.Bits {
		if CanaryCodeAlone.Match(bits) {
			where = append(where, name)
		}
	}
	return where
}

// Write adds lines of the log.
func (h *Haystack) Write(line []byte) (int, error) {
	h.Add("log", line)
	return len(line), nil
}

// Gather adds what was sent and what is in the store now.
func Gather(t testing.TB, kit *gatewaytest.Kit, h *Haystack) {
	t.Helper()
	for _, d := range kit.Inbox.All() {
		h.Add("callbacks", fmt.Appendf(nil, "%s %s %s %s", d.ID, d.URL, d.ContentType, d.Body))
	}
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Limit: Everything}) {
			require.NoError(t, entry.Err)
			h.Add("store in the end", append(append(entry.Key, ' '), entry.Value...))
		}
		return nil
	}))
	require.Greater(t, len(h.Bits["store"]), 1000)
	require.Greater(t, len(h.Bits["store in the end"]), 1000)
	require.NotEmpty(t, h.Bits["log"])
	require.NotEmpty(t, h.Bits["events"])
}

// NotedStore is a store that adds every written key and value to the haystack.
type NotedStore struct {
	store.Store
	Hay *Haystack
}

// Update implements store.Store.
func (n NotedStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	return n.Store.Update(ctx, func(tx store.Tx) error { return fn(notedTx{tx, n.Hay}) })
}

type notedTx struct {
	store.Tx
	hay *Haystack
}

func (tx notedTx) Put(key, value []byte) error {
	tx.hay.Add("store", append(append(bytes.Clone(key), ' '), value...))
	return tx.Tx.Put(key, value)
}

func (tx notedTx) Insert(key, value []byte) error {
	tx.hay.Add("store", append(append(bytes.Clone(key), ' '), value...))
	return tx.Tx.Insert(key, value)
}

// Searched is a kit whose haystack collects everything. Its acquirer has its own store.
func Searched(t testing.TB, options ...gatewaytest.Option) (*gatewaytest.Kit, *Spy, *Haystack) {
	t.Helper()
	h := &Haystack{Bits: map[string][]byte{}}
	kit, spy := Spied(t, Powers(true, time.Minute), true, append([]gatewaytest.Option{func(c *gateway.Config) {
		c.Store = NotedStore{c.Store, h}
		c.Log = slog.New(slog.NewJSONHandler(h, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))
		c.Observers = append(c.Observers, h)
	}}, options...)...)
	return kit, spy, h
}

// Observe adds an event: as a Go value, and as a line of a log.
func (h *Haystack) Observe(_ context.Context, e observe.Event) {
	h.Add("events", fmt.Appendf(nil, "%+v %+v", e, observe.LineOf(e)))
}
