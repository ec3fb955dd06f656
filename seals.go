package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// sealer seals values for records. The key provider may be far away, so a data key serves many seals,
// within the bounds of the vault, and unwrapped keys are remembered.
type sealer struct {
	keys   keys.Provider
	random io.Reader
	now    func() time.Time

	sealing sync.Mutex // held while a new data key is wrapped, which may take a remote call
	current vault.DataKey
	seals   int
	since   time.Time

	lookup atomic.Pointer[vault.Key] // names of numbers and tokens in indexes; stays for ever

	opening sync.Mutex
	opened  map[string]openedKey // by key id and wrapped bytes; at most maxOpened
}

// openedKey is an unwrapped data key and since when it is remembered: after vault.MaxAge the provider is
// asked again, so that a destroyed key is gone within the hour.
type openedKey struct {
	key   vault.Key
	since time.Time
}

// maxOpened bounds how many unwrapped data keys are remembered.
const maxOpened = 256

func (s *sealer) seal(ctx context.Context, purpose vault.Purpose, merchant, record string, plain []byte) (*store.Sealed, error) {
	dataKey, err := s.dataKey(ctx)
	if err != nil {
		return nil, err
	}
	sealed, err := dataKey.Seal(s.random, plain, vault.AssociatedData(purpose, merchant, record))
	if err != nil {
		return nil, err
	}
	return &sealed, nil
}

// sealNow seals without asking the key provider, so that it can be called within a transaction.
type sealNow func(purpose vault.Purpose, merchant, record string, plain []byte) (*store.Sealed, error)

// ready asks for a data key now, for a seal that is made within a transaction.
func (s *sealer) ready(ctx context.Context) (sealNow, error) {
	dataKey, err := s.dataKey(ctx)
	if err != nil {
		return nil, err
	}
	return func(purpose vault.Purpose, merchant, record string, plain []byte) (*store.Sealed, error) {
		sealed, err := dataKey.Seal(s.random, plain, vault.AssociatedData(purpose, merchant, record))
		return &sealed, err
	}, nil
}

// dataKey is the current data key; a spent one is replaced.
func (s *sealer) dataKey(ctx context.Context) (vault.DataKey, error) {
	s.sealing.Lock()
	defer s.sealing.Unlock()
	now := s.now()
	if !s.current.Key.IsZero() && !vault.Spent(s.seals, now.Sub(s.since)) {
		s.seals++
		return s.current, nil
	}
	key, err := vault.MakeKey(s.random)
	if err != nil {
		return vault.DataKey{}, err
	}
	plain := key.Bytes()
	defer vault.Wipe(plain)
	wrapped, err := s.keys.Wrap(ctx, plain)
	if err != nil {
		return vault.DataKey{}, fmt.Errorf("gateway: the key provider does not wrap: %w", err)
	}
	s.current = vault.DataKey{KeyID: wrapped.KeyID, Wrapped: wrapped.Bytes, Key: key}
	s.seals, s.since = 1, now
	s.remember(wrapped, key)
	return s.current, nil
}

func (s *sealer) open(ctx context.Context, purpose vault.Purpose, merchant, record string, sealed *store.Sealed) ([]byte, error) {
	key, err := s.openKey(ctx, keys.Wrapped{KeyID: sealed.KeyID, Bytes: sealed.DataKey})
	if err != nil {
		return nil, err
	}
	return vault.Open(key, sealed.Box, vault.AssociatedData(purpose, merchant, record))
}

func (s *sealer) openKey(ctx context.Context, wrapped keys.Wrapped) (vault.Key, error) {
	s.opening.Lock()
	known, ok := s.opened[name(wrapped)]
	s.opening.Unlock()
	if ok && s.now().Sub(known.since) < vault.MaxAge {
		return known.key, nil
	}
	plain, err := s.keys.Unwrap(ctx, wrapped)
	if err != nil {
		return vault.Key{}, fmt.Errorf("gateway: the key provider does not unwrap: %w", err)
	}
	defer vault.Wipe(plain)
	key, err := vault.NewKey(plain)
	if err != nil {
		return vault.Key{}, err
	}
	s.remember(wrapped, key)
	return key, nil
}

// lookupKey is the provider's key for names in indexes, asked for once.
func (s *sealer) lookupKey(ctx context.Context) (vault.Key, error) {
	if key := s.lookup.Load(); key != nil {
		return *key, nil
	}
	plain, err := s.keys.LookupKey(ctx)
	if err != nil {
		return vault.Key{}, fmt.Errorf("gateway: the key provider gives no lookup key: %w", err)
	}
	defer vault.Wipe(plain)
	key, err := vault.NewKey(plain)
	if err != nil {
		return vault.Key{}, err
	}
	s.lookup.Store(&key)
	return key, nil
}

func name(wrapped keys.Wrapped) string { return wrapped.KeyID + "\x00" + string(wrapped.Bytes) }

func (s *sealer) remember(wrapped keys.Wrapped, key vault.Key) {
	s.opening.Lock()
	defer s.opening.Unlock()
	if len(s.opened) >= maxOpened || s.opened == nil {
		s.opened = map[string]openedKey{}
	}
	s.opened[name(wrapped)] = openedKey{key, s.now()}
}

// sealedCard is a card without its security code, as it is sealed for a transaction.
type sealedCard struct {
	Number string       `json:"n"`
	Expiry store.Expiry `json:"e"`
	Holder string       `json:"h,omitempty"`
	Payee  string       `json:"p,omitempty"` // number of the card a transfer goes to
}

func (gw *Gateway) sealCard(ctx context.Context, merchant, record string, card, payee *methods.Card) (*store.Sealed, error) {
	if card == nil {
		return nil, nil
	}
	open := sealedCard{Number: card.PAN.Digits(), Expiry: card.Expiry, Holder: card.Holder}
	if payee != nil {
		open.Payee = payee.PAN.Digits()
	}
	plain, err := json.Marshal(open)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	return gw.seals.seal(ctx, vault.Card, merchant, record, plain)
}

// openCard opens a card, and that of the payee where there is one.
func (gw *Gateway) openCard(ctx context.Context, merchant, record string, sealed *store.Sealed) (card, payee *methods.Card, err error) {
	if sealed == nil {
		return nil, nil, nil
	}
	plain, err := gw.seals.open(ctx, vault.Card, merchant, record, sealed)
	if err != nil {
		return nil, nil, err
	}
	defer vault.Wipe(plain)
	var open sealedCard
	if json.Unmarshal(plain, &open) != nil {
		return nil, nil, keys.ErrBroken
	}
	pan, err := store.ParsePAN(open.Number)
	if err != nil {
		return nil, nil, keys.ErrBroken
	}
	if open.Payee != "" {
		number, err := store.ParsePAN(open.Payee)
		if err != nil {
			return nil, nil, keys.ErrBroken
		}
		payee = &methods.Card{PAN: number}
	}
	return &methods.Card{PAN: pan, Expiry: open.Expiry, Holder: open.Holder}, payee, nil
}

// sealMPI seals the result of an external 3-D Secure for a transaction; nil for none.
func (gw *Gateway) sealMPI(ctx context.Context, merchant, record string, mpi *methods.MPI) (*store.Sealed, error) {
	if mpi == nil {
		return nil, nil
	}
	plain, err := json.Marshal(mpi)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	return gw.seals.seal(ctx, vault.Parameters, merchant, record+"/mpi", plain)
}

func (gw *Gateway) openMPI(ctx context.Context, merchant, record string, sealed *store.Sealed) (*methods.MPI, error) {
	if sealed == nil {
		return nil, nil
	}
	plain, err := gw.seals.open(ctx, vault.Parameters, merchant, record+"/mpi", sealed)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	var mpi methods.MPI
	if json.Unmarshal(plain, &mpi) != nil {
		return nil, keys.ErrBroken
	}
	return &mpi, nil
}

// openAttempt gives an operation what was sealed for it when its transaction began.
func (gw *Gateway) openAttempt(ctx context.Context, t *store.Transaction, op *methods.Operation) (err error) {
	if op.Card, op.PayeeCard, err = gw.openCard(ctx, t.MerchantID, t.ID, t.SealedCard); err != nil {
		return fmt.Errorf("the sealed card does not open: %w", err)
	}
	if op.Parameters, err = gw.openParameters(ctx, t.MerchantID, t.ID, t.SealedParameters); err != nil {
		return fmt.Errorf("the sealed parameters do not open: %w", err)
	}
	if op.MPI, err = gw.openMPI(ctx, t.MerchantID, t.ID, t.SealedMPI); err != nil {
		return fmt.Errorf("the sealed mpi_data does not open: %w", err)
	}
	if op.Wallet, err = gw.openSealedWallet(ctx, t.MerchantID, t.ID, t.SealedWallet); err != nil {
		return fmt.Errorf("the sealed wallet token does not open: %w", err)
	}
	return nil
}

// sealParameters seals a method's parameters for a record; nil for none.
func (gw *Gateway) sealParameters(ctx context.Context, merchant, record string, parameters json.RawMessage) (*store.Sealed, error) {
	if len(parameters) == 0 {
		return nil, nil
	}
	return gw.seals.seal(ctx, vault.Parameters, merchant, record, parameters)
}

func (gw *Gateway) openParameters(ctx context.Context, merchant, record string, sealed *store.Sealed) (json.RawMessage, error) {
	if sealed == nil {
		return nil, nil
	}
	return gw.seals.open(ctx, vault.Parameters, merchant, record, sealed)
}
