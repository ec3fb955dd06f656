package wallet_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

// Causes that several faults share.
const (
	causePair      = "signature: must have two certificates"
	causeUnsigned  = "signature: does not verify over the signed attributes"
	causeMissing   = "signed attributes: contentType, messageDigest and signingTime must be there"
	causeMalformed = "signed attributes: malformed, repeated or too many"
	causeSigner    = "signature: signer must be of version 1, with SHA-256, ECDSA and signed attributes only"
	causeOther     = "messageDigest: of other bytes than the token's"
	causeNamed     = "signature: the signer must name one of the two certificates"
	causeAlone     = "signature: must have certificates and one signer, and nothing else"
	causeVersion   = "signature: version and digest must be 1 and SHA-256"
)

func signature(name, cause string, change func(*cms)) appleFault {
	return appleFault{name: name, cause: cause, change: func(m *appleToken) { m.CMS = change }}
}

func replaced(name, cause string, a wallettest.Attribute) appleFault {
	return signature(name, cause, func(c *cms) { c.Replace(a) })
}

// two makes an attribute have its value twice.
func two(a wallettest.Attribute) wallettest.Attribute {
	a.Value.FullBytes = slices.Repeat(a.Value.FullBytes, 2)
	return a
}

func signerFaults(t *testing.T, issuer *appleIssuer) []appleFault {
	return []appleFault{
		signature("leaf alone", causePair, func(c *cms) { c.Certificates = c.Certificates[:1] }),
		signature("intermediate alone", causePair, func(c *cms) { c.Certificates = c.Certificates[1:] }),
		signature("no certificates", causePair, func(c *cms) { c.Certificates = nil }),
		signature("root sent along", causePair, func(c *cms) { c.Certificates = append(c.Certificates, issuer.Root.DER) }),
		signature("leaf twice", causeNamed, func(c *cms) { c.Certificates[1] = c.Certificates[0] }),
		signature("two leaves", "intermediate certificate: lacks the mark of the wallet", func(c *cms) {
			c.Certificates[1] = wallettest.NewLeaf(t, clock(), issuer.Intermediate, nil).DER
		}),
		signature("leaf and root", "intermediate certificate: lacks the mark of the wallet",
			func(c *cms) { c.Certificates[1] = issuer.Root.DER }),
		signature("certificate cut short", "signature: not CMS, or more than CMS",
			func(c *cms) { c.Certificates[1] = c.Certificates[1][:40] }),
		signature("certificate that is none", causePair, func(c *cms) { c.Certificates[1] = []byte{0x30, 0} }),
		signature("signer of another serial", causeNamed, func(c *cms) { c.Serial = big.NewInt(1) }),
		signature("signer of another issuer", causeNamed, func(c *cms) { c.Issuer = issuer.Root.Parsed(t).RawSubject }),
		signature("second signer", causeAlone, func(c *cms) { c.MoreSigners = []byte{0x30, 0} }),
		signature("version 3", causeVersion, func(c *cms) { c.Version = 3 }),
		signature("digest of SHA-1", causeVersion, func(c *cms) { c.Digest = "1.3.14.3.2.26" }),
		signature("digest with parameters", causeVersion, func(c *cms) { c.Parameters = []byte{2, 1, 0} }),
		signature("digest with a NULL that is none", causeVersion, func(c *cms) { c.Parameters = []byte{5, 1, 0} }),
		signature("ECDSA with SHA-384", causeSigner, func(c *cms) { c.Algorithm = "1.2.840.10045.4.3.3" }),
		signature("RSA named", causeSigner, func(c *cms) { c.Algorithm = "1.2.840.113549.1.1.11" }),
		signature("attached content", "signature: content must be detached", func(c *cms) { c.Content = []byte("attached") }),
		signature("unsigned attributes", causeSigner, func(c *cms) {
			c.Unsigned = []wallettest.Attribute{wallettest.NewAttribute(t, "1.2.3", 1)}
		}),
	}
}

func attributeFaults(t *testing.T, issuer *appleIssuer) []appleFault {
	digest := sha256.Sum256([]byte("other bytes"))
	return []appleFault{
		signature("signed by another key", causeUnsigned, func(c *cms) { c.Signer = wallettest.NewKey(t) }),
		signature("signed by the intermediate", causeUnsigned, func(c *cms) { c.Signer = issuer.Intermediate.Key }),
		signature("signed as written, not as a SET", causeUnsigned, func(c *cms) {
			c.BeforeSigning = func(b []byte) []byte { b[0] = 0xa0; return b }
		}),
		signature("digest signed in place of attributes", causeUnsigned, func(c *cms) {
			c.BeforeSigning = func([]byte) []byte { return digest[:] }
		}),
		signature("no contentType", causeMissing, func(c *cms) { c.Without(wallettest.OIDContentType) }),
		signature("no messageDigest", causeMissing, func(c *cms) { c.Without(wallettest.OIDMessageDigest) }),
		signature("no signingTime", causeMissing, func(c *cms) { c.Without(wallettest.OIDSigningTime) }),
		signature("no attributes", causeMissing, func(c *cms) { c.Attributes = nil }),
		signature("signingTime twice", causeMalformed, func(c *cms) {
			c.Attributes = append(c.Attributes, wallettest.NewAttribute(t, wallettest.OIDSigningTime, clock().UTC()))
		}),
		signature("too many attributes", causeMalformed, func(c *cms) {
			for i := range 14 {
				c.Attributes = append(c.Attributes,
					wallettest.NewAttribute(t, "1.2.3."+string(rune('0'+i%10))+"."+string(rune('0'+i/10)), 1))
			}
		}),
		replaced("digest of other bytes", causeOther, wallettest.NewAttribute(t, wallettest.OIDMessageDigest, digest[:])),
		replaced("short digest", "messageDigest: must be one SHA-256",
			wallettest.NewAttribute(t, wallettest.OIDMessageDigest, digest[:31])),
		replaced("two digests", "messageDigest: must be one SHA-256",
			two(wallettest.NewAttribute(t, wallettest.OIDMessageDigest, digest[:]))),
		replaced("two times", "signingTime: must be one time",
			two(wallettest.NewAttribute(t, wallettest.OIDSigningTime, clock().UTC()))),
		replaced("two types of content", "contentType: must be data",
			two(wallettest.NewAttribute(t, wallettest.OIDContentType, wallettest.OID(t, wallettest.OIDData)))),
		replaced("digest as a number", "messageDigest: must be one SHA-256",
			wallettest.NewAttribute(t, wallettest.OIDMessageDigest, 5)),
		replaced("content of another type", "contentType: must be data",
			wallettest.NewAttribute(t, wallettest.OIDContentType, wallettest.OID(t, wallettest.OIDSignedData))),
		replaced("time as a text", "signingTime: must be one time",
			wallettest.NewAttribute(t, wallettest.OIDSigningTime, "270314092653Z")),
	}
}

func contentFaults() []appleFault {
	at := func(name, cause string, off time.Duration) appleFault {
		return appleFault{name: name, cause: cause, change: func(m *appleToken) { m.At = clock().Add(off) }}
	}
	content := func(name string, change func([]byte) []byte) appleFault {
		return appleFault{name: name, cause: causeOther, change: func(m *appleToken) { m.Content = change }}
	}
	return []appleFault{
		at("signed too long ago", "signingTime: too long ago", -5*time.Minute-time.Second),
		at("signed in the future", "signingTime: in the future", 5*time.Minute+time.Second),
		at("signed a year ago", "signingTime: too long ago", -365*24*time.Hour),
		content("application data not signed", func(b []byte) []byte { return b[:len(b)-32] }),
		content("transaction id not signed", func(b []byte) []byte { return slices.Delete(b, len(b)-64, len(b)-32) }),
		content("nothing signed", func([]byte) []byte { return nil }),
		{name: "application data put in", cause: causeOther, change: func(m *appleToken) {
			m.ApplicationData = nil
			m.Edit = put("paymentData.header.applicationData", hex.EncodeToString(make([]byte, 32)))
		}},
		edited("application data taken out", "paymentData.header.applicationData", nil, causeOther),
		{name: "bytes wander to the application data", cause: "token.paymentData.header.transactionId: must be hexadecimal of the right length", change: func(m *appleToken) {
			m.Edit = func(token map[string]any) { // the signed bytes stay the same, the id changes
				put("paymentData.header.transactionId", hex.EncodeToString(m.TransactionID[:31]))(token)
				put("paymentData.header.applicationData",
					hex.EncodeToString(append(m.TransactionID[31:], m.ApplicationData...)))(token)
			}
		}},
	}
}

func encodingFaults(t *testing.T, issuer *appleIssuer) []appleFault {
	bad := func(name, cause string, made []byte) appleFault {
		return appleFault{name: name, cause: cause,
			change: func(m *appleToken) { m.Signature = func([]byte) []byte { return made } }}
	}
	around := func(name, cause string, change func([]byte) []byte) appleFault {
		return appleFault{name: name, cause: cause, change: func(m *appleToken) {
			m.Signature = func(content []byte) []byte {
				return change(wallettest.MakeCMS(t, content, issuer.Leaf, issuer.Intermediate, m.At).Encode(t))
			}
		}}
	}
	return []appleFault{
		bad("no CMS", "signature: not CMS, or more than CMS", []byte{1}),
		bad("another element", "signature: not SignedData", []byte{0x30, 0}),
		bad("a length beyond the end", "signature: not CMS, or more than CMS", []byte{0x30, 0x84, 0x7f, 0xff, 0xff, 0xff}),
		bad("without an end mark", "signature: not CMS, or more than CMS", []byte{0x30, 0x80, 0x30, 0x80}),
		bad("nested without end", "signature: not CMS, or more than CMS", slices.Repeat([]byte{0x30, 0x80}, 2000)),
		bad("nested too deeply", "signature: not CMS, or more than CMS",
			slices.Concat(slices.Repeat([]byte{0x30, 0x80}, 10), make([]byte, 20))),
		bad("tag of several bytes", "signature: not CMS, or more than CMS", []byte{0x3f, 0x80, 0, 0}),
		bad("primitive without a length", "signature: not CMS, or more than CMS", []byte{0x04, 0x80, 0, 0}),
		bad("too large CMS", "token: too large", make([]byte, wallet.MaxToken)),
		around("trailing byte", "signature: not CMS, or more than CMS", func(b []byte) []byte { return append(b, 0) }),
		around("twice", "signature: not CMS, or more than CMS", func(b []byte) []byte { return append(b, b...) }),
		around("cut short", "signature: not CMS, or more than CMS", func(b []byte) []byte { return b[:len(b)-1] }),
		around("more in the content info", "signature: not SignedData",
			func(b []byte) []byte { return append(b[:len(b)-2], 5, 0, 0, 0) }),
		around("more beside the signed data", "signature: version and digest must be 1 and SHA-256",
			func(b []byte) []byte { return append(b[:len(b)-4], 5, 0, 0, 0, 0, 0) }),
		around("more in the signed data", causeAlone, func(b []byte) []byte {
			return append(b[:len(b)-6], 5, 0, 0, 0, 0, 0, 0, 0)
		}),
	}
}
