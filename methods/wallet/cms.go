package wallet

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"time"
)

// Identifiers of RFC 5652 and RFC 5754.
const (
	oidData        = "1.2.840.113549.1.7.1"
	oidSignedData  = "1.2.840.113549.1.7.2"
	oidSHA256      = "2.16.840.1.101.3.4.2.1"
	oidECDSASHA256 = "1.2.840.10045.4.3.2"
)

const maxCMS = 12 << 10 // bytes; the wallet's are about 2.5 KiB

// signedData is a CMS SignedData of the only shape that wallet A writes: version 1, SHA-256, no content, two
// certificates, one signer named by issuer and serial number, ECDSA, and signed attributes only.
type signedData struct {
	leaf, intermediate *x509.Certificate
	attributes         []byte // in the form that is signed: a DER SET
	digest             []byte // messageDigest
	signedAt           time.Time
	signature          []byte
}

// readCMS reads the shape and verifies nothing.
func readCMS(input []byte) (*signedData, error) {
	if len(input) > maxCMS {
		return nil, because("signature: too large")
	}
	whole, trailing, err := definite(input, 0)
	if err != nil || len(trailing) != 0 {
		return nil, because("signature: not CMS, or more than CMS")
	}
	outer := &der{rest: whole}
	info := outer.sequence()
	info.object(oidSignedData)
	data := info.inside(asn1.ClassContextSpecific, 0)
	if data.failed || !info.end() || !outer.end() {
		return nil, because("signature: not SignedData")
	}
	return readSignedData(data)
}

func readSignedData(outer *der) (*signedData, error) {
	d := outer.sequence()
	d.number(1)
	algorithms := d.inside(asn1.ClassUniversal, asn1.TagSet)
	algorithms.algorithm(oidSHA256)
	if d.failed || !algorithms.end() || !outer.end() {
		return nil, because("signature: version and digest must be 1 and SHA-256")
	}
	content := d.sequence()
	content.object(oidData)
	if !content.end() {
		return nil, because("signature: content must be detached")
	}
	certificates := d.next(asn1.ClassContextSpecific, 0, true).Bytes
	signers := d.inside(asn1.ClassUniversal, asn1.TagSet)
	signer := signers.sequence()
	if signer.failed || !d.end() || !signers.end() {
		return nil, because("signature: must have certificates and one signer, and nothing else")
	}
	return readSigner(signer, certificates)
}

func readSigner(d *der, certificates []byte) (*signedData, error) {
	pair, err := x509.ParseCertificates(certificates)
	if err != nil || len(pair) != 2 {
		return nil, because("signature: must have two certificates")
	}
	d.number(1)
	name := d.sequence()
	var issuer asn1.RawValue
	name.value(&issuer)
	var serial asn1.RawValue
	name.value(&serial)
	d.algorithm(oidSHA256)
	attributes := d.next(asn1.ClassContextSpecific, 0, true)
	d.algorithm(oidECDSASHA256)
	signature := d.next(asn1.ClassUniversal, asn1.TagOctetString, false).Bytes
	if !name.end() || !d.end() {
		return nil, because("signature: signer must be of version 1, with SHA-256, ECDSA and signed attributes only")
	}
	c := &signedData{signature: signature}
	if err := c.choose(pair, issuer.FullBytes, serial.FullBytes); err != nil {
		return nil, err
	}
	return c, c.readAttributes(attributes)
}

// choose selects the certificate that the signer names as the leaf and the other as the intermediate.
func (c *signedData) choose(pair []*x509.Certificate, issuer, serial []byte) error {
	named := func(x *x509.Certificate) bool {
		number, err := asn1.Marshal(x.SerialNumber)
		return err == nil && bytes.Equal(number, serial) && bytes.Equal(x.RawIssuer, issuer)
	}
	switch first, second := named(pair[0]), named(pair[1]); {
	case first && !second:
		c.leaf, c.intermediate = pair[0], pair[1]
	case second && !first:
		c.leaf, c.intermediate = pair[1], pair[0]
	default:
		return because("signature: the signer must name one of the two certificates")
	}
	return nil
}

// verify checks the content against the digest, and the digest, as one of the attributes, against the signature:
// each alone proves nothing.
func (c *signedData) verify(content []byte) error {
	digest := sha256.Sum256(content)
	if !bytes.Equal(digest[:], c.digest) {
		return because("messageDigest: of other bytes than the token's")
	}
	key := p256(c.leaf.RawSubjectPublicKeyInfo)
	if key == nil {
		return because("leaf certificate: must have a key on P-256")
	}
	signed := sha256.Sum256(c.attributes)
	if !ecdsa.VerifyASN1(key, signed[:], c.signature) {
		return because("signature: does not verify over the signed attributes")
	}
	return nil
}
