package keystest

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
)

// The greatest sizes in a Wrapped, in bytes.
const (
	maxID    = 128
	maxBytes = 4096
)

// probe runs one check on one provider. Every call goes through it and is checked against the rules for all calls.
type probe struct {
	Subject
	tb       testing.TB
	provider keys.Provider
	secrets  [][]byte // what no error may show
}

func newProbe(tb testing.TB, s Subject) *probe {
	if s.Patience == 0 {
		s.Patience = 10 * time.Second
	}
	return (&probe{Subject: s, tb: tb}).on(s.New(tb))
}

// on returns the probe for another provider.
func (p *probe) on(provider keys.Provider) *probe {
	next := &probe{Subject: p.Subject, tb: p.tb, provider: provider, secrets: p.secrets}
	if lookup, err := provider.LookupKey(context.Background()); err == nil {
		next.secrets = append(next.secrets, lookup)
	}
	return next
}

// dataKey returns a new data key, and remembers it as a secret.
func (p *probe) dataKey(size int) []byte {
	key := make([]byte, size)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the program instead
	p.secrets = append(p.secrets, append([]byte(nil), key...))
	return key
}

// wrapped returns a new data key and its wrapped form.
func (p *probe) wrapped() ([]byte, keys.Wrapped) {
	dataKey := p.dataKey(keys.Size)
	return dataKey, p.wrap(dataKey)
}

// wrap wraps a data key and requires no error.
func (p *probe) wrap(dataKey []byte) keys.Wrapped {
	w, err := p.tryWrap(context.Background(), dataKey)
	require.NoError(p.tb, err, "Wrap")
	return w
}

// opens requires that Unwrap returns dataKey.
func (p *probe) opens(w keys.Wrapped, dataKey []byte, why string) {
	got, err := p.tryUnwrap(context.Background(), w)
	require.NoError(p.tb, err, why)
	require.True(p.tb, string(dataKey) == string(got), "%s: Unwrap returned another data key", why)
}

// refuses requires that Unwrap fails with the one fault of the port and not with the other.
func (p *probe) refuses(w keys.Wrapped, fault error, why string) {
	_, err := p.tryUnwrap(context.Background(), w)
	require.ErrorIs(p.tb, err, fault, why)
	require.False(p.tb, errors.Is(err, keys.ErrGone) && errors.Is(err, keys.ErrBroken), "%s: the error is two faults", why)
}

// lookup returns the lookup key and requires no error.
func (p *probe) lookup() []byte {
	key, err := p.tryLookup(context.Background())
	require.NoError(p.tb, err, "LookupKey")
	return key
}

// tryWrap calls Wrap and checks what must hold for every answer.
func (p *probe) tryWrap(ctx context.Context, dataKey []byte) (w keys.Wrapped, err error) {
	p.call(ctx, "Wrap", func(ctx context.Context) { w, err = p.provider.Wrap(ctx, dataKey) })
	if err != nil {
		p.judgeError("Wrap", err, w.KeyID == "" && len(w.Bytes) == 0)
		return w, err
	}
	require.True(p.tb, w.KeyID != "" && len(w.KeyID) <= maxID, "a key id has 1 to %d bytes, not %d", maxID, len(w.KeyID))
	require.True(p.tb, len(w.Bytes) > 0 && len(w.Bytes) <= maxBytes,
		"a wrapped data key has 1 to %d bytes, not %d", maxBytes, len(w.Bytes))
	require.False(p.tb, shows(w.KeyID+"\n"+string(w.Bytes), dataKey), "a wrapped data key shows the data key")
	return w, nil
}

// tryUnwrap calls Unwrap and checks what must hold for every answer.
func (p *probe) tryUnwrap(ctx context.Context, w keys.Wrapped) (dataKey []byte, err error) {
	p.call(ctx, "Unwrap", func(ctx context.Context) { dataKey, err = p.provider.Unwrap(ctx, w) })
	p.judgeKey("Unwrap", dataKey, err)
	return dataKey, err
}

// tryLookup calls LookupKey and checks what must hold for every answer.
func (p *probe) tryLookup(ctx context.Context) (key []byte, err error) {
	p.call(ctx, "LookupKey", func(ctx context.Context) { key, err = p.provider.LookupKey(ctx) })
	p.judgeKey("LookupKey", key, err)
	return key, err
}

func (p *probe) judgeKey(name string, key []byte, err error) {
	if err != nil {
		p.judgeError(name, err, len(key) == 0)
		return
	}
	require.Len(p.tb, key, keys.Size, "%s returns a key of %d bytes", name, keys.Size)
}

// judgeError checks what must hold for every error: it comes alone and shows no secret.
func (p *probe) judgeError(name string, err error, nothing bool) {
	require.True(p.tb, nothing, "%s returned a value with an error", name)
	for _, secret := range p.secrets {
		require.False(p.tb, shows(err.Error(), secret), "an error of %s shows key bytes", name)
	}
}

// call makes one call, and fails the test when it is late or panics.
func (p *probe) call(ctx context.Context, name string, do func(context.Context)) {
	ctx, cancel := context.WithTimeout(ctx, p.Patience)
	defer cancel()
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		do(ctx)
	}()
	// The provider decides how it treats the end of the context. Only a call that outlasts it by as much time again
	// is a fault.
	limit := time.NewTimer(2 * p.Patience)
	defer limit.Stop()
	select {
	case panicked := <-done:
		require.Nil(p.tb, panicked, "%s panicked", name)
	case <-limit.C:
		require.FailNow(p.tb, name+" did not return after its context had ended")
	}
}
