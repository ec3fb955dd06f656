package wallet

import (
	"crypto/sha256"
	"encoding/asn1"
	"slices"
	"time"
)

// The signed attributes that are required (RFC 5652, section 11).
const (
	oidContentType   = "1.2.840.113549.1.9.3"
	oidMessageDigest = "1.2.840.113549.1.9.4"
	oidSigningTime   = "1.2.840.113549.1.9.5"
)

const maxAttributes = 16

// readAttributes reads what is signed. Unknown attributes are allowed, because they are signed like the others;
// none may occur twice.
func (c *signedData) readAttributes(field asn1.RawValue) error {
	c.attributes = slices.Clone(field.FullBytes)
	c.attributes[0] = asn1.TagSet | 0x20 // signed as a SET, although written as [0]
	d := &der{rest: field.Bytes}
	found := map[string]*der{}
	for len(d.rest) > 0 && !d.failed {
		one := d.sequence()
		var name asn1.ObjectIdentifier
		one.value(&name)
		values := one.inside(asn1.ClassUniversal, asn1.TagSet)
		if _, twice := found[name.String()]; twice || !one.end() || len(found) == maxAttributes {
			return because("signed attributes: malformed, repeated or too many")
		}
		found[name.String()] = values
	}
	if d.failed {
		return because("signed attributes: malformed, repeated or too many")
	}
	return c.takeAttributes(found)
}

func (c *signedData) takeAttributes(found map[string]*der) error {
	kind, digest, at := found[oidContentType], found[oidMessageDigest], found[oidSigningTime]
	if kind == nil || digest == nil || at == nil {
		return because("signed attributes: contentType, messageDigest and signingTime must be there")
	}
	kind.object(oidData)
	if !kind.end() {
		return because("contentType: must be data")
	}
	c.digest = digest.next(asn1.ClassUniversal, asn1.TagOctetString, false).Bytes
	if !digest.end() || len(c.digest) != sha256.Size {
		return because("messageDigest: must be one SHA-256")
	}
	var signedAt time.Time
	at.value(&signedAt)
	if !at.end() {
		return because("signingTime: must be one time")
	}
	c.signedAt = signedAt.UTC()
	return nil
}
