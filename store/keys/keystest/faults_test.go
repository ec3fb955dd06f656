package keystest

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
)

// TestFaults: the check that is meant for a fault of a provider finds it.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, row := range faults() {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, failing(t, subject(row.fault)), row.want)
		})
	}
}

type faultRow struct {
	name  string
	want  string
	fault func(*faulty)
}

func faults() []faultRow {
	return slices.Concat(wrapFaults(), openFaults(), errorFaults(), sliceFaults(), lookupFaults(), ringFaults(),
		callFaults())
}

func wrapFaults() []faultRow {
	const opens = "what is wrapped opens again"
	return []faultRow{
		{"wraps without encryption", opens, wrapping(func(_ *faulty, dataKey []byte, w *keys.Wrapped) {
			w.Bytes = append(w.Bytes, dataKey[:16]...)
		})},
		{"wraps in base64", opens, wrapping(func(_ *faulty, dataKey []byte, w *keys.Wrapped) {
			w.KeyID += base64.StdEncoding.EncodeToString(append([]byte("x"), dataKey...))
		})},
		{"has no id", opens, wrapping(func(_ *faulty, _ []byte, w *keys.Wrapped) { w.KeyID = "" })},
		{"has a long id", opens, wrapping(func(_ *faulty, _ []byte, w *keys.Wrapped) {
			w.KeyID = string(bytes.Repeat([]byte("k"), 129))
		})},
		{"wraps to nothing", opens, wrapping(func(_ *faulty, _ []byte, w *keys.Wrapped) { w.Bytes = nil })},
		{"wraps to much", opens, wrapping(func(_ *faulty, _ []byte, w *keys.Wrapped) {
			w.Bytes = append(w.Bytes, make([]byte, 4096)...)
		})},
		{"opens to made-up bytes", opens, func(f *faulty) {
			f.unwrap = func(context.Context, keys.Wrapped) ([]byte, error) { return random(), nil }
		}},
		{"opens to half a key", opens, unwrapping(func(a *opened) {
			if a.dataKey != nil {
				a.dataKey = a.dataKey[:16]
			}
		})},
		{"remembers the last data key only", opens, func(f *faulty) {
			f.serial = true
			var last []byte
			wrapping(func(_ *faulty, dataKey []byte, _ *keys.Wrapped) { last = bytes.Clone(dataKey) })(f)
			f.unwrap = func(context.Context, keys.Wrapped) ([]byte, error) { return bytes.Clone(last), nil }
		}},
		{"panics", opens, func(f *faulty) {
			f.wrap = func(context.Context, []byte) (keys.Wrapped, error) { panic("reports no key service") }
		}},
		{"accepts any size", "a data key of another size is an error", func(f *faulty) {
			f.wrap = func(context.Context, []byte) (keys.Wrapped, error) {
				id, key, err := f.key("")
				return keys.Wrapped{KeyID: id, Bytes: seal(key, make([]byte, keys.Size), id)}, err
			}
		}},
		{"accepts an empty data key", "a data key of another size is an error", func(f *faulty) {
			wrap := f.wrap
			f.wrap = func(ctx context.Context, dataKey []byte) (keys.Wrapped, error) {
				if len(dataKey) == 0 {
					dataKey = random()
				}
				return wrap(ctx, dataKey)
			}
		}},
	}
}

func openFaults() []faultRow {
	const unknown, altered, other = "an id that names no key is ErrGone", "altered bytes are ErrBroken",
		"the id of another key is ErrBroken"
	return []faultRow{
		{"reports altered bytes for a missing key", unknown, mistaking(keys.ErrGone, keys.ErrBroken)},
		{"has no error for a missing key", unknown, mistaking(keys.ErrGone, errors.New("400 Bad Request"))},
		{"reports both faults", unknown, mistaking(keys.ErrGone, errors.Join(keys.ErrGone, keys.ErrBroken))},
		{"tries the current key", unknown, unwrapping(func(a *opened) {
			if errors.Is(a.err, keys.ErrGone) {
				id, key, _ := a.f.key("")
				a.dataKey, a.err = aead(key).Open(nil, nil, a.w.Bytes, []byte(id))
			}
		})},
		{"has the keys of every provider", "the keys of another provider are ErrGone", func(f *faulty) {
			f.keys = map[string][]byte{"the key": bytes.Repeat([]byte{7}, keys.Size)}
			f.current = "the key"
		}},
		{"reports a missing key for altered bytes", altered, mistaking(keys.ErrBroken, keys.ErrGone)},
		{"has no error for altered bytes", altered, mistaking(keys.ErrBroken, errors.New("400 Bad Request"))},
		{"opens without checking", altered, unauthenticated},
		{"returns the wrapped bytes unchanged", altered,
			unwrapping(func(a *opened) {
				if errors.Is(a.err, keys.ErrBroken) && len(a.w.Bytes) >= keys.Size {
					a.dataKey, a.err = bytes.Clone(a.w.Bytes[:keys.Size]), nil
				}
			})},
		{"panics on short input", altered, unwrapping(func(a *opened) {
			_ = a.w.Bytes[:12]
		})},
		{"tries every key", other, unwrapping(func(a *opened) {
			a.f.mu.Lock()
			defer a.f.mu.Unlock()
			for id, key := range a.f.keys {
				if found, fault := aead(key).Open(nil, nil, a.w.Bytes, []byte(id)); fault == nil {
					a.dataKey, a.err = found, nil
				}
			}
		})},
	}
}

// unauthenticated opens like AES-GCM without its tag: any input gives some output.
func unauthenticated(f *faulty) {
	f.unwrap = func(_ context.Context, w keys.Wrapped) ([]byte, error) {
		_, key, err := f.key(w.KeyID)
		if err != nil {
			return nil, err
		}
		const nonce = 12
		if len(w.Bytes) < nonce+keys.Size {
			return nil, keys.ErrBroken
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		dataKey := make([]byte, keys.Size)
		counter := append(bytes.Clone(w.Bytes[:nonce]), 0, 0, 0, 2)
		cipher.NewCTR(block, counter).XORKeyStream(dataKey, w.Bytes[nonce:nonce+keys.Size])
		return dataKey, nil
	}
}

// errorFaults are errors that show key bytes, in each of their spellings.
func errorFaults() []faultRow {
	const sizes, altered = "a data key of another size is an error", "altered bytes are ErrBroken"
	naming := func(format string) func(*faulty) {
		return func(f *faulty) {
			wrap := f.wrap
			f.wrap = func(ctx context.Context, dataKey []byte) (keys.Wrapped, error) {
				w, err := wrap(ctx, dataKey)
				if err != nil {
					err = fmt.Errorf(format+": %w", dataKey, err)
				}
				return w, err
			}
		}
	}
	return []faultRow{
		{"an error shows the data key in hex", sizes, naming("%x")},
		{"an error shows the data key in capitals", sizes, naming("% X")},
		{"an error shows the data key in numbers", sizes, naming("%v")},
		{"an error shows the data key in Go", sizes, naming("%#v")},
		{"an error shows the data key as text", sizes, naming("%s")},
		{"an error shows the lookup key", altered, unwrapping(func(a *opened) {
			if a.err != nil {
				dump := append([]byte("ab"), a.f.lookup...)
				a.err = fmt.Errorf("ring with %s: %w", base64.URLEncoding.EncodeToString(dump), a.err)
			}
		})},
		{"an error comes with bytes", altered, unwrapping(func(a *opened) {
			if a.err != nil {
				a.dataKey = a.w.Bytes
			}
		})},
		{"an error comes with a wrapped key", sizes, func(f *faulty) {
			f.wrap = func(_ context.Context, dataKey []byte) (keys.Wrapped, error) {
				id, key, err := f.key("")
				if len(dataKey) != keys.Size {
					err = errors.New("not the size of a data key")
				}
				return keys.Wrapped{KeyID: id, Bytes: seal(key, dataKey, id)}, err
			}
		}},
	}
}

func sliceFaults() []faultRow {
	const keyIn, bytesIn, out = "a data key of the caller is only read and not kept",
		"wrapped bytes of the caller are only read and not kept", "returned slices belong to the caller"
	return []faultRow{
		{"keeps the data key", keyIn, func(f *faulty) {
			f.serial = true
			kept := map[string][]byte{}
			wrapping(func(_ *faulty, dataKey []byte, w *keys.Wrapped) { kept[string(w.Bytes)] = dataKey })(f)
			f.unwrap = func(_ context.Context, w keys.Wrapped) ([]byte, error) {
				return bytes.Clone(kept[string(w.Bytes)]), nil
			}
		}},
		{"overwrites the data key", keyIn, wrapping(func(_ *faulty, dataKey []byte, _ *keys.Wrapped) { clear(dataKey) })},
		{"writes after the data key", keyIn, wrapping(func(_ *faulty, dataKey []byte, _ *keys.Wrapped) {
			_ = append(dataKey, 1)
		})},
		{"overwrites the wrapped bytes", bytesIn, unwrapping(func(a *opened) {
			clear(a.w.Bytes)
		})},
		{"keeps the wrapped bytes", bytesIn, keepWrapped},
		{"returns its own lookup key", out, func(f *faulty) {
			f.lookupIs = func(context.Context) ([]byte, error) { return f.lookup, nil }
		}},
		{"returns its own data key", out, func(f *faulty) {
			f.serial = true
			unwrap, kept := f.unwrap, map[string][]byte{}
			f.unwrap = func(ctx context.Context, w keys.Wrapped) (dataKey []byte, err error) {
				if kept[string(w.Bytes)] == nil {
					dataKey, err = unwrap(ctx, w)
					kept[string(w.Bytes)] = dataKey
				}
				return kept[string(w.Bytes)], err
			}
		}},
		{"returns its own wrapped bytes", out, func(f *faulty) {
			f.serial = true
			var last []byte
			wrapping(func(_ *faulty, _ []byte, w *keys.Wrapped) { last = w.Bytes })(f)
			unwrap := f.unwrap
			f.unwrap = func(ctx context.Context, w keys.Wrapped) ([]byte, error) {
				if len(last) == len(w.Bytes) {
					w.Bytes = last
				}
				return unwrap(ctx, w)
			}
		}},
	}
}

// keepWrapped remembers the bytes that it opened last, and opens them once more when asked for the same.
func keepWrapped(f *faulty) {
	f.serial = true
	unwrap, asked, last := f.unwrap, "", []byte(nil)
	f.unwrap = func(ctx context.Context, w keys.Wrapped) ([]byte, error) {
		if asked == string(w.Bytes) {
			w.Bytes = last
		}
		asked, last = string(w.Bytes), w.Bytes
		return unwrap(ctx, w)
	}
}

func lookupFaults() []faultRow {
	const stays, apart = "the lookup key stays the same", "the lookup key is none of the wrapping keys"
	answers := func(key func(f *faulty) []byte) func(*faulty) {
		return func(f *faulty) { f.lookupIs = func(context.Context) ([]byte, error) { return key(f), nil } }
	}
	current := func(f *faulty) []byte {
		_, key, _ := f.key("")
		return bytes.Clone(key)
	}
	return []faultRow{
		{"makes a lookup key at each call", stays, answers(func(*faulty) []byte { return random() })},
		{"has a short lookup key", stays, answers(func(f *faulty) []byte { return bytes.Clone(f.lookup[:16]) })},
		{"has no lookup key", stays, func(f *faulty) {
			f.lookupIs = func(context.Context) ([]byte, error) { return nil, errors.New("not implemented") }
		}},
		{"has one lookup key for all providers", "the keys of another provider are ErrGone",
			answers(func(*faulty) []byte { return bytes.Repeat([]byte{7}, keys.Size) })},
		{"uses the current key as the lookup key", apart, answers(current)},
		{"shows the lookup key", apart, wrapping(func(f *faulty, _ []byte, w *keys.Wrapped) {
			w.Bytes = append(w.Bytes, f.lookup...)
		})},
		{"rotates the lookup key", "the lookup key survives rotation", answers(current)},
		{"rotates to the lookup key", "the lookup key survives rotation", func(f *faulty) {
			f.rotates = func() string {
				id := f.rotate()
				f.mu.Lock()
				defer f.mu.Unlock()
				f.keys[id] = f.lookup
				return id
			}
		}},
		{"loses the lookup key with an old key", "the lookup key survives a destroyed key", func(f *faulty) {
			f.destroys = func(id string) { f.destroy(id); f.lookup = random() }
		}},
		{"makes a lookup key at each start", "the lookup key survives a restart", func(f *faulty) {
			started := random()
			f.lookupIs = func(context.Context) ([]byte, error) { return bytes.Clone(started), nil }
		}},
	}
}

func ringFaults() []faultRow {
	const rotated, ids = "after a rotation the new key wraps and older keys open", "an id is never given to another key"
	return []faultRow{
		{"continues with the old key", rotated, func(f *faulty) { f.rotates = func() string { return "" } }},
		{"forgets older keys", rotated, func(f *faulty) {
			f.rotates = func() string { f.destroy(f.current); return f.rotate() }
		}},
		{"makes new keys at each start", "a restart opens what every key wrapped", func(f *faulty) { startAnew(f) }},
		{"reads its keys only at the start", "other processes open what a newer key wrapped", func(f *faulty) {
			f.serial = true
			known := map[string]bool{}
			for id := range f.keys {
				known[id] = true
			}
			rotates := f.rotates
			f.rotates = func() string { id := rotates(); known[id] = true; return id }
			unwrapping(func(a *opened) {
				if !known[a.w.KeyID] {
					a.dataKey, a.err = nil, keys.ErrGone
				}
			})(f)
		}},
		{"keeps destroyed keys", "a destroyed key is ErrGone", func(f *faulty) { f.destroys = func(string) {} }},
		{"reports altered bytes for a destroyed key", "a destroyed key is ErrGone", mistaking(keys.ErrGone, keys.ErrBroken)},
		{"destroys all older keys", "a destroyed key is ErrGone", func(f *faulty) {
			f.destroys = func(string) {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.keys = map[string][]byte{f.current: f.keys[f.current]}
			}
		}},
		{"hides destroyed keys until the next start", "a destroyed key stays gone after a restart", func(f *faulty) {
			hidden := map[string]bool{}
			f.destroys = func(id string) { hidden[id] = true }
			unwrapping(func(a *opened) {
				if hidden[a.w.KeyID] {
					a.dataKey, a.err = nil, keys.ErrGone
				}
			})(f)
		}},
		{"has two ids in turn", ids, func(f *faulty) {
			f.rotates = func() string {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.current = map[string]string{"even": "odd"}[f.current]
				if f.current == "" {
					f.current = "even"
				}
				f.keys[f.current] = random()
				return f.current
			}
		}},
	}
}

// startAnew gives each start its own keys, like a provider that forgets to read its file.
func startAnew(f *faulty) {
	own := &service{keys: map[string][]byte{}, lookup: f.lookup}
	own.rotate()
	f.wrap, f.unwrap, f.rotates, f.destroys = sound(own).wrap, sound(own).unwrap, own.rotate, own.destroy
}

func callFaults() []faultRow {
	const ended, outage = "a context that has ended is never final", "an outage is never final"
	return []faultRow{
		{"shares one buffer", "many calls at once", shareBuffer},
		{"panics among many", "many calls at once", func(f *faulty) {
			f.serial = true
			calls := 0
			unwrapping(func(_ *opened) {
				if calls++; calls > many {
					panic("one call too many")
				}
			})(f)
		}},
		{"reports the end of the context as a missing key", ended, unwrapping(func(a *opened) {
			if a.ctx.Err() != nil {
				a.dataKey, a.err = nil, keys.ErrGone
			}
		})},
		{"reports the end of the context as altered bytes", ended, unwrapping(func(a *opened) {
			if a.ctx.Err() != nil {
				a.dataKey, a.err = nil, fmt.Errorf("%w: %w", keys.ErrBroken, a.ctx.Err())
			}
		})},
		{"stays ended", ended, func(f *faulty) {
			f.serial = true
			ended := false
			unwrapping(func(a *opened) {
				if ended = ended || a.ctx.Err() != nil; ended {
					a.dataKey, a.err = nil, context.Canceled
				}
			})(f)
		}},
		{"makes a key up when the context ends", ended, unwrapping(func(a *opened) {
			if a.ctx.Err() != nil {
				clear(a.dataKey)
			}
		})},
		{"reports an outage as a missing key", outage, mistaking(errAway, keys.ErrGone)},
		{"reports an outage as altered bytes", outage, mistaking(errAway, keys.ErrBroken)},
		{"never gives up", outage, unwrapping(func(a *opened) {
			if errors.Is(a.err, errAway) {
				select {}
			}
		})},
		{"wraps to nothing in an outage", outage, func(f *faulty) {
			wrap := f.wrap
			f.wrap = func(ctx context.Context, dataKey []byte) (keys.Wrapped, error) {
				w, err := wrap(ctx, dataKey)
				if errors.Is(err, errAway) {
					w, err = keys.Wrapped{KeyID: "later", Bytes: []byte("to be wrapped later")}, nil
				}
				return w, err
			}
		}},
	}
}

// shareBuffer keeps what it opened in one buffer until it is returned, and unlocks in between.
func shareBuffer(f *faulty) {
	var mu sync.Mutex
	var buffer []byte
	unwrapping(func(a *opened) {
		if a.err != nil {
			return
		}
		mu.Lock()
		buffer = a.dataKey
		mu.Unlock()
		for range 100 {
			runtime.Gosched() // for the other goroutines
		}
		mu.Lock()
		defer mu.Unlock()
		a.dataKey = bytes.Clone(buffer)
	})(f)
}
