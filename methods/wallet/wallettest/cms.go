package wallettest

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Attribute is a signed attribute of CMS with the DER of its only value.
type Attribute struct {
	Type  string // dotted
	Value asn1.RawValue
}

// CMS is a signature of wallet A before it is encoded. MakeCMS fills it from a token; a test changes it.
type CMS struct {
	Version       int
	Certificates  [][]byte // DER, in this order
	Signer        crypto.Signer
	Issuer        []byte // of the leaf, DER
	Serial        *big.Int
	Attributes    []Attribute                // signed; named below
	Digest        string                     // of the digest algorithm
	Parameters    []byte                     // of the digest algorithm, DER; NULL, or none
	Algorithm     string                     // of the signature
	Content       []byte                     // attached content, if any
	Unsigned      []Attribute                // unsigned attributes
	MoreSigners   []byte                     // DER after the signer
	BeforeSigning func(toSign []byte) []byte // changes what is signed, not what is written
	Definite      bool                       // DER lengths in the outer layers too; the wallet writes BER there
}

// Identifiers for tests.
const (
	OIDData          = "1.2.840.113549.1.7.1"
	OIDSignedData    = "1.2.840.113549.1.7.2"
	OIDContentType   = "1.2.840.113549.1.9.3"
	OIDMessageDigest = "1.2.840.113549.1.9.4"
	OIDSigningTime   = "1.2.840.113549.1.9.5"
	OIDSHA256        = "2.16.840.1.101.3.4.2.1"
	OIDECDSASHA256   = "1.2.840.10045.4.3.2"
)

// OID returns the identifier of a dotted text.
func OID(t testing.TB, dotted string) asn1.ObjectIdentifier {
	t.Helper()
	var id asn1.ObjectIdentifier
	for part := range strings.SplitSeq(dotted, ".") {
		n, err := strconv.Atoi(part)
		must(t, err)
		id = append(id, n)
	}
	return id
}

// MakeCMS makes a signature over content by the leaf at a time.
func MakeCMS(t testing.TB, content []byte, leaf, intermediate Certificate, at time.Time) *CMS {
	t.Helper()
	digest := sha256.Sum256(content)
	parsed := leaf.Parsed(t)
	return &CMS{
		Version: 1, Certificates: [][]byte{leaf.DER, intermediate.DER}, Signer: leaf.Key,
		Issuer: parsed.RawIssuer, Serial: parsed.SerialNumber,
		Digest: OIDSHA256, Parameters: asn1.NullBytes, Algorithm: OIDECDSASHA256,
		Attributes: []Attribute{
			NewAttribute(t, OIDContentType, OID(t, OIDData)),
			NewAttribute(t, OIDSigningTime, at.UTC()),
			NewAttribute(t, OIDMessageDigest, digest[:]),
		},
	}
}

// NewAttribute returns an attribute with one value, as encoding/asn1 writes it.
func NewAttribute(t testing.TB, id string, v any) Attribute {
	t.Helper()
	return Attribute{Type: id, Value: asn1.RawValue{FullBytes: der(t, v)}}
}

// Without removes the attributes of a type.
func (c *CMS) Without(id string) {
	c.Attributes = slices.DeleteFunc(c.Attributes, func(a Attribute) bool { return a.Type == id })
}

// Replace replaces the attributes of the same type by one.
func (c *CMS) Replace(a Attribute) {
	c.Without(a.Type)
	c.Attributes = append(c.Attributes, a)
}

// Encode signs and writes the signature.
func (c *CMS) Encode(t testing.TB) []byte {
	t.Helper()
	signed := attributes(t, c.Attributes)
	toSign := slices.Concat(set(t, signed))
	if c.BeforeSigning != nil {
		toSign = c.BeforeSigning(toSign)
	}
	digest := sha256.Sum256(toSign)
	signature, err := c.Signer.Sign(rand.Reader, digest[:], crypto.SHA256)
	must(t, err)
	algorithm := pkix.AlgorithmIdentifier{Algorithm: OID(t, c.Digest), Parameters: asn1.RawValue{FullBytes: c.Parameters}}
	signer := slices.Concat(
		der(t, 1),
		sequence(t, slices.Concat(c.Issuer, der(t, c.Serial))),
		der(t, algorithm),
		tagged(t, 0, signed),
		der(t, pkix.AlgorithmIdentifier{Algorithm: OID(t, c.Algorithm)}),
		der(t, signature),
	)
	if len(c.Unsigned) > 0 {
		signer = append(signer, tagged(t, 1, attributes(t, c.Unsigned))...)
	}
	return c.wrap(t, algorithm, append(sequence(t, signer), c.MoreSigners...))
}

// wrap writes the outer layers.
func (c *CMS) wrap(t testing.TB, digest pkix.AlgorithmIdentifier, signer []byte) []byte {
	wrap := c.wrapper(t)
	content := der(t, OID(t, OIDData))
	if c.Content != nil {
		content = append(content, wrap(0xa0, der(t, c.Content))...)
	}
	data := slices.Concat(
		der(t, c.Version),
		set(t, der(t, digest)),
		wrap(0x30, content),
		wrap(0xa0, bytes.Join(c.Certificates, nil)),
		set(t, signer),
	)
	return wrap(0x30, append(der(t, OID(t, OIDSignedData)), wrap(0xa0, wrap(0x30, data))...))
}

// wrapper writes an element with an indefinite length, unless Definite is set.
func (c *CMS) wrapper(t testing.TB) func(tag byte, body []byte) []byte {
	if !c.Definite {
		return func(tag byte, body []byte) []byte { return slices.Concat([]byte{tag, 0x80}, body, []byte{0, 0}) }
	}
	return func(tag byte, body []byte) []byte {
		return der(t, asn1.RawValue{Class: int(tag >> 6), Tag: int(tag & 0x1f), IsCompound: true, Bytes: body})
	}
}

// attributes sorts them, as in a DER SET.
func attributes(t testing.TB, list []Attribute) []byte {
	var all [][]byte
	for _, a := range list {
		all = append(all, sequence(t, append(der(t, OID(t, a.Type)), set(t, a.Value.FullBytes)...)))
	}
	slices.SortFunc(all, bytes.Compare)
	return bytes.Join(all, nil)
}

func sequence(t testing.TB, body []byte) []byte {
	return der(t, asn1.RawValue{Tag: asn1.TagSequence, IsCompound: true, Bytes: body})
}

func set(t testing.TB, body []byte) []byte {
	return der(t, asn1.RawValue{Tag: asn1.TagSet, IsCompound: true, Bytes: body})
}

func tagged(t testing.TB, tag int, body []byte) []byte {
	return der(t, asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: tag, IsCompound: true, Bytes: body})
}

func der(t testing.TB, v any) []byte {
	t.Helper()
	data, err := asn1.Marshal(v)
	must(t, err)
	return data
}
