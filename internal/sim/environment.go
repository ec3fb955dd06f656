package sim

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"

	"github.com/tollgatepay/gateway"
)

var errKeys = errors.New("sim: the key provider does not answer")

// keys is a key provider that may fail. It never blocks its caller, because the kernel holds a lock meanwhile.
type keys struct {
	w       *World
	wrapped map[string][]byte
	current int // which of the provider's keys wraps now; all of them are kept
}

func (k *keys) rotate() {
	k.w.mu.Lock()
	defer k.w.mu.Unlock()
	k.current++
}

func (k *keys) id() string { return "sim-" + strconv.Itoa(k.current) }

// Wrap implements gateway.KeyProvider.
func (k *keys) Wrap(_ context.Context, dataKey []byte) (gateway.WrappedKey, error) {
	k.w.mu.Lock()
	defer k.w.mu.Unlock()
	if k.w.chance(keysFail) {
		return gateway.WrappedKey{}, errKeys
	}
	name := "key " + strconv.Itoa(len(k.wrapped))
	k.wrapped[k.id()+name] = append([]byte(nil), dataKey...)
	return gateway.WrappedKey{KeyID: k.id(), Bytes: []byte(name)}, nil
}

// Unwrap implements gateway.KeyProvider.
func (k *keys) Unwrap(_ context.Context, wrapped gateway.WrappedKey) ([]byte, error) {
	k.w.mu.Lock()
	defer k.w.mu.Unlock()
	if k.w.chance(keysFail) {
		return nil, errKeys
	}
	key, ok := k.wrapped[wrapped.KeyID+string(wrapped.Bytes)]
	if !ok {
		k.w.fail("K1: data key %q of key %q is asked for, which was never wrapped", wrapped.Bytes, wrapped.KeyID)
		return nil, gateway.ErrKeyGone
	}
	return append([]byte(nil), key...), nil
}

// LookupKey implements gateway.KeyProvider.
func (k *keys) LookupKey(context.Context) ([]byte, error) {
	return []byte("a lookup key of thirty-two bytes"), nil
}

// source is the random source of all instances.
type source struct{ w *World }

var errRandom = errors.New("sim: no random bytes")

// Read implements io.Reader.
func (s source) Read(p []byte) (int, error) {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	if s.w.chance(noRandom) {
		return 0, errRandom
	}
	for i := range p {
		p[i] = byte(s.w.rng.Uint32())
	}
	return len(p), nil
}

// logger writes the kernel's log to the trace.
func (w *World) logger() *slog.Logger {
	if !w.verbose {
		return nil
	}
	return slog.New(handler{w: w})
}

type handler struct{ w *World }

// Enabled leaves out what needs no person: a connector's answer is told before its goroutine has its turn again, and a
// trace has to be the same each time.
func (h handler) Enabled(_ context.Context, level slog.Level) bool { return level > slog.LevelDebug }

func (h handler) Handle(_ context.Context, r slog.Record) error {
	line := "    kernel: " + r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		return true
	})
	h.w.log("%s", line)
	return nil
}

func (h handler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h handler) WithGroup(string) slog.Handler      { return h }
