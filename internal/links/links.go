// Package links makes, splits and checks the secrets of links, and opens what is sealed under them.
package links

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/tollgatepay/gateway/internal/records"
)

// Size is the length of the secrets in links: 256 bits (decision q).
const Size = 32

// Token returns a link token: the id of the record it leads to and the secret that opens it, in one URL-safe word.
// The record has only a hash of the secret.
func Token(id string, secret []byte) string {
	return string(appendToken(make([]byte, 0, 192), id, secret))
}

func appendToken(link []byte, id string, secret []byte) []byte {
	raw := append(append(make([]byte, 0, 128), secret...), id...)
	return base64.RawURLEncoding.AppendEncode(link, raw)
}

// Split takes a link token apart. ok is false for a malformed token.
func Split(token string) (id string, secret []byte, ok bool) {
	if len(token) > 256 {
		return "", nil, false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) <= Size {
		return "", nil, false
	}
	return string(raw[Size:]), raw[:Size], true
}

// ReturnHash returns the hash that a return link must match.
func ReturnHash(t *records.Transaction) string { return t.ReturnHash }

// NotifyHash returns the hash that a notification link must match. An old transaction has one hash for both links.
func NotifyHash(t *records.Transaction) string { return cmp.Or(t.NotifyHash, t.ReturnHash) }

// Secret returns the secret of a link token that was already checked.
func Secret(token string) []byte {
	_, secret, _ := Split(token)
	return secret
}

// OfPage returns the secret of the session whose page a URL is; nil for any other URL.
func OfPage(page string) []byte {
	_, token, ok := strings.Cut(page, "/auth/")
	if !ok {
		return nil
	}
	return Secret(token)
}

// Hash returns the hash of a link's secret that records store: 128 bits of SHA-256, in base64url.
func Hash(secret []byte) string {
	sum := sha256.Sum256(secret)
	return string(base64.RawURLEncoding.AppendEncode(make([]byte, 0, 22), sum[:16]))
}

// PageSecret derives the secret of the page from that of the return link: the return link gives access to the page,
// but not the other way round.
func PageSecret(secret []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("page"))
	return mac.Sum(nil)
}
