package keystest

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
)

// service is a key service that all providers over the same keys share.
type service struct {
	mu      sync.Mutex
	keys    map[string][]byte
	current string
	lookup  []byte
	away    bool
}

func random() []byte {
	key := make([]byte, keys.Size)
	_, _ = rand.Read(key) // never fails
	return key
}

func (s *service) rotate() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = "key-" + rand.Text()
	s.keys[s.current] = random()
	return s.current
}

func (s *service) destroy(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.keys, id)
}

var errAway = errors.New("the key service does not answer")

// key returns the key with an id, or the current one.
func (s *service) key(id string) (string, []byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away {
		return "", nil, errAway
	}
	if id == "" {
		id = s.current
	}
	key, found := s.keys[id]
	if !found {
		return "", nil, fmt.Errorf("key %q: %w", id, keys.ErrGone)
	}
	return id, key, nil
}

func seal(key, plain []byte, id string) []byte { return aead(key).Seal(nil, nil, plain, []byte(id)) }

func aead(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	c, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return c
}

// faulty is a sound provider over a service. A test replaces one part of it.
type faulty struct {
	*service
	wrap     func(ctx context.Context, dataKey []byte) (keys.Wrapped, error)
	unwrap   func(ctx context.Context, w keys.Wrapped) ([]byte, error)
	lookupIs func(ctx context.Context) ([]byte, error)
	rotates  func() string
	destroys func(id string)
	serial   bool       // one call at a time, for a fault that remembers something
	one      sync.Mutex // locked during such a call
}

// turn begins a call; the function that it returns ends it.
func (f *faulty) turn() (end func()) {
	if !f.serial {
		return func() {}
	}
	f.one.Lock()
	return f.one.Unlock
}

func sound(s *service) *faulty {
	f := &faulty{service: s, rotates: s.rotate, destroys: s.destroy}
	f.wrap = func(_ context.Context, dataKey []byte) (keys.Wrapped, error) {
		if len(dataKey) != keys.Size {
			return keys.Wrapped{}, errors.New("not the size of a data key")
		}
		id, key, err := s.key("")
		if err != nil {
			return keys.Wrapped{}, err
		}
		return keys.Wrapped{KeyID: id, Bytes: seal(key, dataKey, id)}, nil
	}
	f.unwrap = func(_ context.Context, w keys.Wrapped) ([]byte, error) {
		id, key, err := s.key(w.KeyID)
		if err != nil {
			return nil, err
		}
		dataKey, err := aead(key).Open(nil, nil, w.Bytes, []byte(id))
		if err != nil {
			return nil, keys.ErrBroken
		}
		return dataKey, nil
	}
	f.lookupIs = func(context.Context) ([]byte, error) { return append([]byte(nil), s.lookup...), nil }
	return f
}

func (f *faulty) Wrap(ctx context.Context, dataKey []byte) (keys.Wrapped, error) {
	defer f.turn()()
	return f.wrap(ctx, dataKey)
}

func (f *faulty) Unwrap(ctx context.Context, w keys.Wrapped) ([]byte, error) {
	defer f.turn()()
	return f.unwrap(ctx, w)
}

func (f *faulty) LookupKey(ctx context.Context) ([]byte, error) {
	defer f.turn()()
	return f.lookupIs(ctx)
}

// Rotate belongs to the service, not to the port.
func (f *faulty) Rotate() {
	defer f.turn()()
	f.rotates()
}

// subject returns a provider with every hook. fault changes each provider that it opens.
func subject(fault func(*faulty)) Subject {
	open := func(s *service) keys.Provider {
		f := sound(s)
		fault(f)
		return f
	}
	return Subject{
		New: func(testing.TB) keys.Provider {
			s := &service{keys: map[string][]byte{}, lookup: random()}
			s.rotate()
			return open(s)
		},
		Reopen:  func(_ testing.TB, p keys.Provider) keys.Provider { return open(p.(*faulty).service) },
		Rotate:  func(_ testing.TB, p keys.Provider) { p.(*faulty).Rotate() },
		Destroy: func(_ testing.TB, p keys.Provider, id string) { p.(*faulty).destroys(id) },
		Outage: func(_ testing.TB, p keys.Provider) func() {
			s := p.(*faulty).service
			s.setAway(true)
			return func() { s.setAway(false) }
		},
		Patience: 300 * time.Millisecond,
	}
}

func (s *service) setAway(away bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = away
}

func (s *service) isAway() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.away
}

func TestSound(t *testing.T) {
	t.Parallel()
	s := subject(func(*faulty) {})
	s.Patience = 0
	Run(t, s)
	require.Empty(t, failing(t, s))
}

// TestPatient: a provider that waits for its service until the context ends is sound.
func TestPatient(t *testing.T) {
	t.Parallel()
	require.Empty(t, failing(t, subject(func(f *faulty) {
		unwrap := f.unwrap
		f.unwrap = func(ctx context.Context, w keys.Wrapped) ([]byte, error) {
			if f.isAway() {
				<-ctx.Done()
				return nil, fmt.Errorf("no answer: %w", ctx.Err())
			}
			return unwrap(ctx, w)
		}
	})))
}

// TestLittle: a provider with only the port is complete; the checks that it cannot run are skipped.
func TestLittle(t *testing.T) {
	t.Parallel()
	s := Subject{New: subject(func(*faulty) {}).New}
	skipped := map[string]string{}
	for _, c := range checks() {
		if missing := c.needs.missing(s); missing != "" {
			skipped[c.name] = missing
		}
	}
	require.Len(t, skipped, 11)
	require.Equal(t, "the subject has no Reopen; the subject has no Rotate; the subject has no Destroy",
		skipped["a destroyed key stays gone after a restart"])
	Run(t, s)
}

// recorder is a testing.TB that only remembers whether it failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) FailNow()              { r.failed = true; runtime.Goexit() }

// failing runs the whole suite and returns the checks that failed.
func failing(tb testing.TB, s Subject) (failed []string) {
	for _, c := range checks() {
		r := &recorder{TB: tb}
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.run(newProbe(r, s))
		}()
		<-done
		if r.failed {
			failed = append(failed, c.name)
		}
	}
	return failed
}

// wrapping changes what Wrap returns.
func wrapping(change func(f *faulty, dataKey []byte, w *keys.Wrapped)) func(*faulty) {
	return func(f *faulty) {
		wrap := f.wrap
		f.wrap = func(ctx context.Context, dataKey []byte) (keys.Wrapped, error) {
			w, err := wrap(ctx, dataKey)
			if err == nil {
				change(f, dataKey, &w)
			}
			return w, err
		}
	}
}

// opened is a call of Unwrap and its answer.
type opened struct {
	ctx     context.Context
	f       *faulty
	w       keys.Wrapped
	dataKey []byte
	err     error
}

// unwrapping changes what Unwrap returns.
func unwrapping(change func(*opened)) func(*faulty) {
	return func(f *faulty) {
		unwrap := f.unwrap
		f.unwrap = func(ctx context.Context, w keys.Wrapped) ([]byte, error) {
			dataKey, err := unwrap(ctx, w)
			a := &opened{ctx, f, w, dataKey, err}
			change(a)
			return a.dataKey, a.err
		}
	}
}

// mistaking returns one fault in the place of another.
func mistaking(fault, named error) func(*faulty) {
	return unwrapping(func(a *opened) {
		if errors.Is(a.err, fault) {
			a.err = named
		}
	})
}

func TestChecksHaveNames(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, c := range checks() {
		require.False(t, names[c.name], "two checks are called %s", c.name)
		names[c.name] = true
	}
	shown := map[string]bool{}
	for _, row := range faults() {
		shown[row.want] = true
	}
	require.Equal(t, names, shown, "each check has a fault that it finds")
}
