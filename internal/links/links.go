// Package links makes, splits and checks the secrets of links, and opens what is held under one.
package links

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// Size is the length of the secrets in links: 256 bits (decision q).
const Size = 32

// A link token is the id of the record it leads to and the secret that opens it, in one opaque,
// URL-safe word. The record keeps a hash of the secret only.
func Token(id string, secret []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(append([]byte{}, secret...), id...))
}

// Split takes a link token apart. ok is false for anything that cannot be one.
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

// ReturnHash and notifyHash are what a link of either kind has to fit. A transaction from before they were two
// has one for both.
func ReturnHash(t *store.Transaction) string { return t.ReturnHash }

func NotifyHash(t *store.Transaction) string { return cmp.Or(t.NotifyHash, t.ReturnHash) }

// Secret is the secret of a link token that was already found good.
func Secret(token string) []byte {
	_, secret, _ := Split(token)
	return secret
}

// OfPage is the secret of the session whose page a URL is; nil for any other URL.
func OfPage(page string) []byte {
	_, token, ok := strings.Cut(page, "/auth/")
	if !ok {
		return nil
	}
	return Secret(token)
}

// Hash is what records keep of a secret in a link.
func Hash(secret []byte) string {
	sum := sha256.Sum256(secret)
	return hex.EncodeToString(sum[:])
}

// PageSecret is the secret of the page, made of that of the return link: who comes back by the one may
// see the other, and not the other way round.
func PageSecret(secret []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("page"))
	return mac.Sum(nil)
}
