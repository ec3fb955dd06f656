// Package seal seals card data, parameters and wallet tokens for records, and opens them again.
package seal

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// Sealer seals values for records. The key provider may be remote, so one data key is used for many seals, within
// the limits of the vault, and unwrapped keys are cached.
type Sealer struct {
	Keys   keys.Provider
	Random io.Reader
	Now    func() time.Time

	sealing sync.Mutex // held while a new data key is wrapped, which may take a remote call
	current vault.DataKey
	seals   int
	since   time.Time

	Lookup atomic.Pointer[vault.Key] // names numbers and tokens in indexes; nil until LookupKey has fetched it

	opening sync.Mutex
	opened  map[string]openedKey // by key id and wrapped bytes; at most maxOpened
}

// openedKey is a cached unwrapped data key and its time. After vault.MaxAge the provider is asked again, so that a
// destroyed key is unusable within the hour.
type openedKey struct {
	key   vault.Key
	since time.Time
}

// maxOpened bounds how many unwrapped data keys are cached.
const maxOpened = 256

// Seal seals bytes for a record, under the purpose, the merchant and the record's id.
func (s *Sealer) Seal(ctx context.Context, purpose vault.Purpose, merchant, record string,
	plain []byte) (*store.Sealed, error) {
	dataKey, err := s.dataKey(ctx)
	if err != nil {
		return nil, err
	}
	sealed, err := dataKey.Seal(s.Random, plain, vault.AssociatedData(purpose, merchant, record))
	if err != nil {
		return nil, err
	}
	return &sealed, nil
}

// Now seals without calling the key provider, so that it can run inside a transaction.
type Now func(purpose vault.Purpose, merchant, record string, plain []byte) (*store.Sealed, error)

// Ready fetches a data key for a seal that is made inside a transaction.
func (s *Sealer) Ready(ctx context.Context) (Now, error) {
	dataKey, err := s.dataKey(ctx)
	if err != nil {
		return nil, err
	}
	return func(purpose vault.Purpose, merchant, record string, plain []byte) (*store.Sealed, error) {
		sealed, err := dataKey.Seal(s.Random, plain, vault.AssociatedData(purpose, merchant, record))
		return &sealed, err
	}, nil
}

// dataKey returns the current data key; a used-up one is replaced.
func (s *Sealer) dataKey(ctx context.Context) (vault.DataKey, error) {
	s.sealing.Lock()
	defer s.sealing.Unlock()
	now := s.Now()
	if !s.current.Key.IsZero() && !vault.Spent(s.seals, now.Sub(s.since)) {
		s.seals++
		return s.current, nil
	}
	key, err := vault.MakeKey(s.Random)
	if err != nil {
		return vault.DataKey{}, err
	}
	plain := key.Bytes()
	defer vault.Wipe(plain)
	wrapped, err := s.Keys.Wrap(ctx, plain)
	if err != nil {
		return vault.DataKey{}, fmt.Errorf("gateway: the key provider does not wrap: %w", err)
	}
	if key, err = key.ForMany(); err != nil {
		return vault.DataKey{}, err
	}
	s.current = vault.DataKey{KeyID: wrapped.KeyID, Wrapped: wrapped.Bytes, Key: key}
	s.seals, s.since = 1, now
	s.remember(wrapped, key)
	return s.current, nil
}

// OpenBytes opens what Seal sealed. It returns keys.ErrBroken and keys.ErrGone, which are final, and other errors
// of the key provider.
func (s *Sealer) OpenBytes(ctx context.Context, purpose vault.Purpose, merchant, record string,
	sealed *store.Sealed) ([]byte, error) {
	key, err := s.openKey(ctx, keys.Wrapped{KeyID: sealed.KeyID, Bytes: sealed.DataKey})
	if err != nil {
		return nil, err
	}
	return vault.Open(key, sealed.Box, vault.AssociatedData(purpose, merchant, record))
}

func (s *Sealer) openKey(ctx context.Context, wrapped keys.Wrapped) (vault.Key, error) {
	s.opening.Lock()
	known, ok := s.opened[name(wrapped)]
	s.opening.Unlock()
	if ok && s.Now().Sub(known.since) < vault.MaxAge {
		return known.key, nil
	}
	lent := keys.Wrapped{KeyID: wrapped.KeyID, Bytes: bytes.Clone(wrapped.Bytes)} // a provider may return a part of it
	plain, err := s.Keys.Unwrap(ctx, lent)
	if err != nil {
		return vault.Key{}, fmt.Errorf("gateway: the key provider does not unwrap: %w", err)
	}
	defer vault.Wipe(plain)
	key, err := vault.NewKey(plain)
	if err != nil {
		return vault.Key{}, err
	}
	if key, err = key.ForMany(); err != nil {
		return vault.Key{}, err
	}
	s.remember(wrapped, key)
	return key, nil
}

// LookupKey returns the provider's key for names in indexes, fetched once.
func (s *Sealer) LookupKey(ctx context.Context) (vault.Key, error) {
	if key := s.Lookup.Load(); key != nil {
		return *key, nil
	}
	plain, err := s.Keys.LookupKey(ctx)
	if err != nil {
		return vault.Key{}, fmt.Errorf("gateway: the key provider gives no lookup key: %w", err)
	}
	defer vault.Wipe(plain)
	key, err := vault.NewKey(plain)
	if err != nil {
		return vault.Key{}, err
	}
	s.Lookup.Store(&key)
	return key, nil
}

func name(wrapped keys.Wrapped) string { return wrapped.KeyID + "\x00" + string(wrapped.Bytes) }

func (s *Sealer) remember(wrapped keys.Wrapped, key vault.Key) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if len(s.opened) >= maxOpened || s.opened == nil {
		s.opened = map[string]openedKey{}
	}
	s.opened[name(wrapped)] = openedKey{key, s.Now()}
}
