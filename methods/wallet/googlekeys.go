package wallet

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"
)

const (
	maxRootKeys = 64
	maxRootJSON = 64 << 10
)

// rootKey is one of the keys with which wallet B signs its intermediate keys.
type rootKey struct {
	key     *ecdsa.PublicKey
	expires time.Time
}

// readRootKeys keeps the keys of our version. Keys of other versions may have other members and kinds.
func readRootKeys(text string) ([]rootKey, error) {
	if text == "" {
		return nil, misconfiguredRoots("RootKeys")
	}
	v, err := readJSON([]byte(text), "RootKeys", maxRootJSON)
	list := v.at("keys")
	if err != nil || list.kind != isList || len(list.list) > maxRootKeys {
		return nil, misconfigured("RootKeys", "must be a JSON object with a list of up to 64 keys")
	}
	var roots []rootKey
	for i, entry := range list.list {
		if entry.at("protocolVersion").text != protocolVersion {
			continue
		}
		root, ok := readRootKey(entry)
		if !ok {
			return nil, misconfigured(fmt.Sprintf("RootKeys.keys[%d]", i), "must have a keyValue on P-256 and a keyExpiration")
		}
		roots = append(roots, root)
	}
	if len(roots) == 0 {
		return nil, misconfiguredRoots("RootKeys")
	}
	return roots, nil
}

func misconfiguredRoots(field string) error { return fmt.Errorf("%w: %s", ErrNoRoots, field) }

func readRootKey(v value) (rootKey, bool) {
	var s shape
	root := rootKey{key: p256(s.base64(v.at("keyValue"))), expires: s.millis(v.at("keyExpiration"))}
	return root, s.err == nil && root.key != nil
}

// verify checks the signatures against the root keys that have not expired, and then the message against the
// intermediate key.
func (g *Google) verify(t googleToken, now time.Time) error {
	if err := g.verifyIntermediate(t, now); err != nil {
		return err
	}
	expires, ok := parseMillis(t.keyExpires)
	if !ok {
		return because("signedKey.keyExpiration: must be milliseconds since 1970")
	}
	if !now.Before(expires) {
		return because("signedKey.keyExpiration: expired")
	}
	intermediate := p256(t.keyValue)
	if intermediate == nil {
		return because("signedKey.keyValue: must be a key on P-256")
	}
	digest := lengthPrefixed("Google", g.recipient, protocolVersion, string(t.signedMessage))
	if !ecdsa.VerifyASN1(intermediate, digest, t.signature) {
		return because("signature: does not verify, the message or its recipient is another")
	}
	return nil
}

// verifyIntermediate requires one signature that verifies under one root key that has not expired.
func (g *Google) verifyIntermediate(t googleToken, now time.Time) error {
	digest := lengthPrefixed("Google", protocolVersion, string(t.signedKey))
	live := false
	for _, root := range g.roots {
		if !now.Before(root.expires) {
			continue
		}
		live = true
		for _, signature := range t.keySignatures {
			if ecdsa.VerifyASN1(root.key, digest, signature) {
				return nil
			}
		}
	}
	if !live {
		return because("intermediateSigningKey: every root key has expired")
	}
	return because("intermediateSigningKey.signatures: none verifies under a live root key")
}

// lengthPrefixed returns the SHA-256 of the parts, each after its length in four bytes, little-endian.
func lengthPrefixed(parts ...string) []byte {
	h := sha256.New()
	for _, part := range parts {
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(part)))) // bounded by MaxToken
		h.Write([]byte(part))
	}
	return h.Sum(nil)
}
