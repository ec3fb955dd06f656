// Package once owns the idempotency keys of Go callers: what the request of each key has made, for a day.
package once

import (
	"context"
	"crypto/hmac"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

const (
	// Keep is how long a key is taken. At its end the key is free again.
	Keep = 24 * time.Hour
	// maxName bounds a key, in characters.
	maxName = 255
)

// errTaken means that another request with the key has committed since this one looked. Made tells which.
var errTaken = errors.New("gateway: the idempotency key was taken meanwhile")

// Keys begins the uses of keys. All fields are required.
type Keys struct {
	Store store.Store
	Now   func() time.Time
	Seals *seal.Sealer
}

// Use is one request with a key. The nil Use is a request without one.
type Use struct {
	keys  *Keys
	id    []string // of the key's record
	print []byte
	links vault.Key // derives the secrets of links
}

// Asked is a request with a key.
type Asked struct {
	Owner   records.Owner
	Key     string // as the caller chose it
	Verb    string
	Request any
}

// Begin returns the use of a key. It returns ErrInvalid for a key that is empty, too long or no text.
func (k *Keys) Begin(ctx context.Context, a Asked) (*Use, error) {
	if n := utf8.RuneCountInString(a.Key); n == 0 || n > maxName || !utf8.ValidString(a.Key) {
		return nil, refusal.ErrInvalid.Fields(refusal.Fault{Path: "idempotency_key", Text: "must have 1 to 255 characters"})
	}
	lookup, err := k.Seals.LookupKey(ctx)
	if err != nil {
		return nil, err
	}
	print, err := Fingerprint(lookup, a.Verb, a.Request)
	if err != nil {
		return nil, err
	}
	return &Use{keys: k, id: records.IDOfKey(a.Owner, a.Key), print: print, links: lookup}, nil
}

// Made returns what a request with the key has made; nil if there was none within a day. It returns ErrKeyUsed if that
// was another request.
func (u *Use) Made(ctx context.Context) (made *records.Made, err error) {
	err = u.keys.Store.View(ctx, func(r store.Reader) error {
		made, err = u.read(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

func (u *Use) read(r store.Reader) (*records.Made, error) {
	made, err := records.IdempotencyKeys.Get(r, u.id...)
	switch {
	case records.Absent(err), err == nil && !u.keys.Now().Before(made.Until):
		return nil, nil
	case err != nil:
		return nil, err
	case !hmac.Equal(made.Print, u.print):
		return nil, refusal.ErrKeyUsed
	}
	return &made, nil
}

// Take takes the key in the transaction that stores what the request makes, by its id and that of its transaction.
func (u *Use) Take(tx store.Tx, id, transactionID string) error {
	if u == nil {
		return nil
	}
	made, err := u.read(tx)
	if err != nil {
		return err
	}
	if made != nil {
		return errTaken
	}
	return records.IdempotencyKeys.Put(tx, records.Made{
		ID: id, TransactionID: transactionID, Print: u.print, Until: u.keys.Now().Add(Keep),
	}, u.id...)
}

// Link returns the secret of the link to a record. A repeated request gets the same link: no record has it, and only
// the key of the host's provider can compute it.
func (u *Use) Link(id string) ([]byte, error) {
	lookup := u.links.Bytes()
	defer vault.Wipe(lookup)
	secret, err := vault.Derive(lookup, "link of an idempotent request", []byte(id))
	if err != nil {
		return nil, err
	}
	defer secret.Wipe()
	return secret.Bytes(), nil
}

// Do runs the verb of a request, or finds what the same request has made before. It looks again if the verb fails: the
// request may have been made meanwhile by another caller, or by this one before its answer was lost.
func Do[T any](ctx context.Context, use *Use, again func(*records.Made) (*T, error),
	verb func() (*T, error)) (*T, error) {
	if made, err := use.Made(ctx); err != nil || made != nil {
		if err != nil {
			return nil, err
		}
		return again(made)
	}
	result, err := verb()
	if err == nil {
		return result, nil
	}
	made, later := use.Made(context.WithoutCancel(ctx))
	switch {
	case errors.Is(later, refusal.ErrKeyUsed):
		return nil, later
	case made == nil: // nothing was made, or it is not known: the verb's error says which
		return nil, err
	}
	return again(made)
}
