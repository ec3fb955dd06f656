package vault

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Purpose is what a sealed value is for. Two fields of one record never share a purpose. The names are part of
// every box: after renaming one, existing boxes cannot be opened.
type Purpose string

// The purposes.
const (
	Card         Purpose = "card"          // number and expiry, stored with a token or a transaction
	SecurityCode Purpose = "security-code" // only while an attempt is open
	ReturnData   Purpose = "return-data"   // what the payer's return needs
	Password     Purpose = "password"      // a merchant's
	MIDSecret    Purpose = "mid-secret"    // a connector's credentials
	WalletKey    Purpose = "wallet-key"
	HostedCard   Purpose = "hosted-card" // of Hosted Payment Fields, between collection and payment
	HostedPage   Purpose = "hosted-page" // the secret of its payer's pages
	Parameters   Purpose = "parameters"  // of a method: they may contain account and identity numbers
)

// Kind separates the values that are looked up, so that equal texts of two kinds have different names.
type Kind string

// The kinds.
const (
	PAN   Kind = "pan"
	Token Kind = "token"
	// MerchantPassword is a password that a merchant has or had.
	MerchantPassword Kind = "password"
)

// AssociatedData binds a box to its purpose, merchant and record. Different triples always give different bytes. A
// record that holds several values of one purpose adds their name to its id.
func AssociatedData(purpose Purpose, merchant, record string) []byte {
	return encode("tollgate/sealed/1", string(purpose), merchant, record)
}

// Lookup returns the name under which a value is indexed: HMAC-SHA256 under the provider's lookup key, 64 hex
// digits. Without that key a card number cannot be found by trying all numbers, which a plain hash would allow (PCI
// DSS 3.5.1.1). More parts, such as merchant and number, narrow the scope. It returns "" for the zero Key, which is
// never a name.
func Lookup(key Key, kind Kind, parts ...string) string {
	if key.secret == nil {
		return ""
	}
	mac := hmac.New(sha256.New, key.secret()[:])
	mac.Write(encode(append([]string{"tollgate/lookup/1", string(kind)}, parts...)...))
	return hex.EncodeToString(mac.Sum(nil))
}

// encode puts the length before each part, as 4 bytes in big-endian order, so that moving a border between two
// parts gives other bytes.
func encode(parts ...string) []byte {
	size := 0
	for _, part := range parts {
		size += 4 + len(part)
	}
	out := make([]byte, 0, size)
	for _, part := range parts {
		out = binary.BigEndian.AppendUint32(out, uint32(len(part)))
		out = append(out, part...)
	}
	return out
}
