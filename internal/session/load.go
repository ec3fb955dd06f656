package session

import (
	"crypto/subtle"
	"errors"
	"time"

	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// HostedPage derives the secret of a session's payer pages from the token's secret, which cannot be computed from
// it.
func HostedPage(secret []byte, sessionID string) ([]byte, error) {
	key, err := vault.Derive(secret, "tollgate/held/1/"+string(vault.HostedPage), []byte(sessionID))
	if err != nil {
		return nil, err
	}
	return key.Bytes(), nil
}

// LoadHosted finds the session of a token. It returns ErrToken for an unknown or expired one.
func LoadHosted(r store.Reader, token string, now time.Time) (*store.Session, []byte, error) {
	id, secret, ok := links.Split(token)
	if !ok {
		return nil, nil, refusal.ErrToken
	}
	s, err := records.Sessions.Get(r, id)
	switch {
	case records.Absent(err):
		return nil, nil, refusal.ErrToken
	case err != nil:
		return nil, nil, err
	case !s.Hosted, subtle.ConstantTimeCompare([]byte(s.TokenHash), []byte(links.Hash(secret))) != 1,
		!now.Before(s.ExpiresAt):
		return nil, nil, refusal.ErrToken
	}
	return &s, secret, nil
}

// Load finds the session of a link. A wrong secret gives the same error as a wrong id.
func Load(r store.Reader, token string) (*store.Session, error) {
	id, secret, ok := links.Split(token)
	if !ok {
		return nil, refusal.ErrNoSession
	}
	s, err := records.Sessions.Get(r, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, refusal.ErrNoSession
	}
	if err != nil {
		return nil, err
	}
	opens := s.TokenHash
	if s.Hosted {
		opens = s.PageHash // the merchant's token opens no page
	}
	if subtle.ConstantTimeCompare([]byte(opens), []byte(links.Hash(secret))) != 1 {
		return nil, refusal.ErrNoSession
	}
	return &s, nil
}
