package vault

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Purpose says what a sealed value is for. Two fields of one record never share a purpose. The names
// are part of every box: renaming one makes what was sealed under it unreadable.
type Purpose string

// The purposes.
const (
	Card         Purpose = "card"          // number and expiry, kept with a token or a transaction
	SecurityCode Purpose = "security-code" // only while an attempt is open
	ReturnData   Purpose = "return-data"   // what the payer's return needs
	Password     Purpose = "password"      // a merchant's
	MIDSecret    Purpose = "mid-secret"    // a connector's credentials
	WalletKey    Purpose = "wallet-key"
	HostedCard   Purpose = "hosted-card" // of Hosted Payment Fields, between collection and payment
	HostedPage   Purpose = "hosted-page" // the secret of its payer's pages
	Parameters   Purpose = "parameters"  // of a method: they may hold account and identity numbers
)

// Kind separates the values that are looked up, so that equal texts of two kinds never meet.
type Kind string

// The kinds.
const (
	PAN   Kind = "pan"
	Token Kind = "token"
	// MerchantPassword is a password that a merchant has or had.
	MerchantPassword Kind = "password"
)

// AssociatedData binds a box to its purpose, merchant and record. Different triples always give
// different bytes. A record that holds several values of one purpose adds their name to its id.
func AssociatedData(purpose Purpose, merchant, record string) []byte {
	return encode("tollgate/sealed/1", string(purpose), merchant, record)
}

// Lookup is the name under which a value is indexed: HMAC-SHA256 under the provider's lookup key, 64
// hex digits. Without that key neither a number nor its absence can be found by trying, which a plain
// hash of a PAN would allow (PCI DSS 3.5.1.1). Several parts, like merchant and number, narrow the
// scope. It returns "" for the zero Key, which is no name for anything.
func Lookup(key Key, kind Kind, parts ...string) string {
	if key.secret == nil {
		return ""
	}
	mac := hmac.New(sha256.New, key.secret()[:])
	mac.Write(encode(append([]string{"tollgate/lookup/1", string(kind)}, parts...)...))
	return hex.EncodeToString(mac.Sum(nil))
}

// encode puts the length before each part, as 4 bytes with the highest first, so that no shift of a
// border between two parts gives the same bytes.
func encode(parts ...string) []byte {
	var out []byte
	for _, part := range parts {
		out = binary.BigEndian.AppendUint32(out, uint32(len(part)))
		out = append(out, part...)
	}
	return out
}
