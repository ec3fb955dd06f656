package wallettest

import (
	"crypto"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// Certificate is a certificate with its private key.
type Certificate struct {
	DER []byte
	Key crypto.Signer
}

// Parsed returns the certificate as crypto/x509 reads it.
func (c Certificate) Parsed(t testing.TB) *x509.Certificate {
	t.Helper()
	parsed, err := x509.ParseCertificate(c.DER)
	must(t, err)
	return parsed
}

// PEM returns the certificate in the form that an operator has.
func (c Certificate) PEM() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.DER}))
}

// The marks of wallet A's certificates.
const (
	LeafMark         = "1.2.840.113635.100.6.29"
	IntermediateMark = "1.2.840.113635.100.6.2.14"
)

// Marked returns the extension that wallet A marks a certificate with.
func Marked(t testing.TB, mark string) []pkix.Extension {
	t.Helper()
	return []pkix.Extension{{Id: OID(t, mark), Value: asn1.NullBytes}}
}

// Change changes the template of a certificate before it is signed.
type Change func(*x509.Certificate)

// NewRoot makes a root on P-384, as the wallet's is, good for ten years around now.
func NewRoot(t testing.TB, now time.Time, changes ...Change) Certificate {
	t.Helper()
	template := authority("Root", now)
	return sign(t, template, NewKey(t, elliptic.P384()), nil, changes)
}

// NewIntermediate makes the wallet's intermediate under a root.
func NewIntermediate(t testing.TB, now time.Time, root Certificate, changes ...Change) Certificate {
	t.Helper()
	template := authority("Intermediate", now)
	template.ExtraExtensions = Marked(t, IntermediateMark)
	return sign(t, template, NewKey(t), &root, changes)
}

// NewLeaf makes the certificate that signs tokens. key is its key; nil makes a new one on P-256.
func NewLeaf(t testing.TB, now time.Time, issuer Certificate, key crypto.Signer, changes ...Change) Certificate {
	t.Helper()
	if key == nil {
		key = NewKey(t)
	}
	template := authority("Leaf", now)
	template.IsCA = false
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtraExtensions = Marked(t, LeafMark)
	return sign(t, template, key, &issuer, changes)
}

func authority(name string, now time.Time) *x509.Certificate {
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: "Test Wallet " + name, Organization: []string{"Example"}},
		NotBefore: now.AddDate(-5, 0, 0), NotAfter: now.AddDate(5, 0, 0),
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
}

// sign signs with the issuer, or without one with the key itself.
func sign(t testing.TB, template *x509.Certificate, key crypto.Signer, issuer *Certificate,
	changes []Change) Certificate {
	t.Helper()
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	must(t, err)
	template.SerialNumber = serial.Add(serial, big.NewInt(1))
	for _, change := range changes {
		change(template)
	}
	parent, signer := template, key
	if issuer != nil {
		parent, signer = issuer.Parsed(t), issuer.Key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	must(t, err)
	return Certificate{DER: der, Key: key}
}
