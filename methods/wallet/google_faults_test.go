package wallet_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

type (
	googleIssuer = wallettest.GoogleIssuer
	googleToken  = wallettest.GoogleToken
)

// googleFault is a token with one fault.
type googleFault struct {
	name, cause string
	config      func(*wallet.GoogleConfig)
	change      func(*googleToken)
	bytes       func([]byte) []byte // changes the token as written
	shared      *googleIssuer
}

func (c googleFault) run(t *testing.T, count *atomic.Int64) {
	config := c.shared.Config(t)
	if c.config != nil {
		c.config(&config)
	}
	token := wallettest.MintGoogle(t, c.shared, func(m *googleToken) {
		m.AsObject = true
		if c.change != nil {
			c.change(m)
		}
	})
	if c.bytes != nil {
		token = c.bytes(token)
	}
	require.Equal(t, c.cause, tampered{google(t, config), count}.try(t, token, clock()))
}

func googleFaults(t *testing.T) []googleFault {
	t.Helper()
	issuer := wallettest.NewGoogle(t, clock())
	all := slices.Concat(googleShapeFaults(), googleSignatureFaults(t, issuer), googleMessageFaults(t), googleCardFaults())
	for i := range all {
		all[i].shared = issuer
	}
	return all
}

func googleShapeFaults() []googleFault {
	const p, inner = "token.paymentMethodData.", "token.paymentMethodData.tokenizationData.token"
	around := func(name, path string, v any, cause string) googleFault {
		return googleFault{name: name, cause: cause, change: func(m *googleToken) { m.Edit = put(path, v) }}
	}
	inside := func(name, path string, v any, cause string) googleFault {
		return googleFault{name: name, cause: inner + cause, change: func(m *googleToken) { m.Inner = put(path, v) }}
	}
	written := func(name, cause string, change func(string) string) googleFault {
		return googleFault{name: name, cause: cause, bytes: func(b []byte) []byte { return []byte(change(string(b))) }}
	}
	return []googleFault{
		around("other api version", "apiVersion", 1, "token.apiVersion: must be 2"),
		around("api version as a text", "apiVersion", "2", "token.apiVersion: must be a whole number"),
		around("no minor version", "apiVersionMinor", nil, "token.apiVersionMinor: must be a whole number"),
		around("other method", "paymentMethodData.type", "PAYPAL", p+"type: must be CARD"),
		around("no info", "paymentMethodData.info", nil, p+"info: must be an object"),
		around("card number shown", "paymentMethodData.description", wallettest.PAN,
			p+"description: holds too many digits to be shown"),
		around("card number as details", "paymentMethodData.info.cardDetails", wallettest.PAN,
			p+"info.cardDetails: holds too many digits to be shown"),
		around("network as a list", "paymentMethodData.info.cardNetwork", []int{}, p+"info.cardNetwork: must be a text"),
		around("no tokenization", "paymentMethodData.tokenizationData", nil, p+"tokenizationData: must be an object"),
		around("other tokenization", "paymentMethodData.tokenizationData.type", "OTHER",
			p+"tokenizationData.type: must be PAYMENT_GATEWAY or DIRECT"),
		around("no token", "paymentMethodData.tokenizationData.token", nil, inner+": must be an object"),
		around("token as another text", "paymentMethodData.tokenizationData.token", "tok_visa", inner+": not JSON"),
		around("method data as a text", "paymentMethodData", "{}", "token.paymentMethodData: must be an object"),
		inside("fifth member", "note", "x", ": unknown member"),
		inside("ECv1", "protocolVersion", "ECv1", ".protocolVersion: must be ECv2"),
		inside("ECv2SigningOnly", "protocolVersion", "ECv2SigningOnly", ".protocolVersion: must be ECv2"),
		inside("no version", "protocolVersion", nil, ".protocolVersion: must be ECv2"),
		inside("no signature", "signature", nil, ".signature: must be a text"),
		inside("signature of base64url", "signature", "-_-_", ".signature: must be base64"),
		inside("no intermediate key", "intermediateSigningKey", nil, ".intermediateSigningKey: must be an object"),
		inside("more beside the intermediate key", "intermediateSigningKey.note", 1,
			".intermediateSigningKey: unknown member"),
		inside("no signatures", "intermediateSigningKey.signatures", nil,
			".intermediateSigningKey.signatures: must be a list of one to eight signatures"),
		inside("empty signatures", "intermediateSigningKey.signatures", []string{},
			".intermediateSigningKey.signatures: must be a list of one to eight signatures"),
		inside("nine signatures", "intermediateSigningKey.signatures", slices.Repeat([]string{"AAAA"}, 9),
			".intermediateSigningKey.signatures: must be a list of one to eight signatures"),
		inside("signature in the list as a number", "intermediateSigningKey.signatures", []int{1},
			".intermediateSigningKey.signatures: must be a text"),
		inside("no signed key", "intermediateSigningKey.signedKey", nil,
			".intermediateSigningKey.signedKey: must be an object"),
		inside("signed key without a value", "intermediateSigningKey.signedKey", `{"keyExpiration":"1"}`,
			".intermediateSigningKey.signedKey.keyValue: must be a text"),
		inside("signed key without an expiry", "intermediateSigningKey.signedKey", `{"keyValue":"AAAA"}`,
			".intermediateSigningKey.signedKey.keyExpiration: must be a text"),
		inside("no message", "signedMessage", nil, ".signedMessage: must be an object"),
		inside("message without a tag", "signedMessage", `{"encryptedMessage":"AAAA","ephemeralPublicKey":"AAAA"}`,
			".signedMessage.tag: must be a text"),
		inside("more in the message", "signedMessage",
			`{"encryptedMessage":"AAAA","ephemeralPublicKey":"AAAA","tag":"AAAA","a":1}`, ".signedMessage: unknown member"),
		inside("message with a member twice", "signedMessage", `{"tag":"AAAA","tag":"AAAA"}`,
			".signedMessage: repeated member"),
		written("nothing", "token: not JSON", func(string) string { return " " }),
		written("a text", "token: must be an object", func(string) string { return `"token"` }),
		written("trailing data", "token: not JSON", func(s string) string { return s + "x" }),
		written("repeated member", "token: repeated member", func(s string) string { return `{"apiVersion":2,` + s[1:] }),
		written("repeated inside", "token: repeated member", func(s string) string {
			return string(bytes.Replace([]byte(s), []byte(`"signature":`), []byte(`"signature":"AAAA","signature":`), 1))
		}),
		written("empty object", "token.protocolVersion: must be ECv2", func(string) string { return "{}" }),
		written("too large", "token: too large",
			func(s string) string { return s + string(slices.Repeat([]byte{' '}, wallet.MaxToken)) }),
	}
}

func googleSignatureFaults(t *testing.T, issuer *googleIssuer) []googleFault {
	const (
		none  = "intermediateSigningKey.signatures: none verifies under a live root key"
		other = "signature: does not verify, the message or its recipient is another"
	)
	stranger := wallettest.NewKey(t)
	change := func(name, cause string, change func(*googleToken)) googleFault {
		return googleFault{name: name, cause: cause, change: change}
	}
	recipient := func(name, recipient string) googleFault {
		return change(name, other, func(m *googleToken) { m.Recipient = recipient })
	}
	roots := func(name, cause string, keys ...map[string]any) googleFault {
		return googleFault{name: name, cause: cause,
			config: func(c *wallet.GoogleConfig) { c.RootKeys = wallettest.RootKeys(t, keys...) }}
	}
	spki := func(key *ecdsa.PrivateKey) string { return encode(wallettest.PublicDER(t, &key.PublicKey)) }
	live := clock().AddDate(1, 0, 0)
	return []googleFault{
		change("intermediate signed by a stranger", none, func(m *googleToken) { m.Signers = []*ecdsa.PrivateKey{stranger} }),
		change("intermediate signed by itself", none,
			func(m *googleToken) { m.Signers = []*ecdsa.PrivateKey{m.Intermediate} }),
		change("another sender", none, func(m *googleToken) { m.Sender = "Gooogle" }),
		change("intermediate expired", "signedKey.keyExpiration: expired",
			func(m *googleToken) { m.IntermediateExpires = clock() }),
		change("intermediate expired long ago", "signedKey.keyExpiration: expired",
			func(m *googleToken) { m.IntermediateExpires = clock().AddDate(-1, 0, 0) }),
		change("intermediate expiry of words", "signedKey.keyExpiration: must be milliseconds since 1970",
			func(m *googleToken) { m.SignedKey = put("keyExpiration", "never") }),
		change("intermediate expiry beyond counting", "signedKey.keyExpiration: must be milliseconds since 1970",
			func(m *googleToken) { m.SignedKey = put("keyExpiration", "999999999999999999999") }),
		change("intermediate on P-384", "signedKey.keyValue: must be a key on P-256",
			func(m *googleToken) { m.Intermediate = wallettest.NewKey(t, elliptic.P384()) }),
		change("intermediate on P-521", "signedKey.keyValue: must be a key on P-256",
			func(m *googleToken) { m.Intermediate = wallettest.NewKey(t, elliptic.P521()) }),
		change("intermediate no key", "signedKey.keyValue: must be a key on P-256",
			func(m *googleToken) { m.SignedKey = put("keyValue", "AAAA") }),
		change("message signed by the root", other, func(m *googleToken) {
			m.SignedKey = put("keyValue", spki(stranger))
		}),
		change("intermediate exchanged after signing", none, func(m *googleToken) {
			m.Inner = put("intermediateSigningKey.signedKey", `{"keyValue":"`+spki(stranger)+`","keyExpiration":"`+ms(live)+`"}`)
		}),
		change("white space in the signed key", none, func(m *googleToken) {
			m.Inner = func(inner map[string]any) {
				key := at(inner, "intermediateSigningKey")
				key["signedKey"] = " " + key["signedKey"].(string)
			}
		}),
		change("white space in the message", other, func(m *googleToken) {
			m.Inner = func(inner map[string]any) { inner["signedMessage"] = inner["signedMessage"].(string) + " " }
		}),
		recipient("recipient of another gateway", "gateway:other"),
		recipient("recipient without a prefix", "tollgate"),
		recipient("merchant as the recipient", "merchant:tollgate"),
		recipient("no recipient", ""),
		{name: "our own recipient another", cause: other, config: func(c *wallet.GoogleConfig) { c.Recipient = "gateway:tollgate2" }},
		roots("all roots expired", "intermediateSigningKey: every root key has expired",
			wallettest.RootKey(t, issuer.Root, "ECv2", clock())),
		roots("its root expired", none, wallettest.RootKey(t, issuer.Root, "ECv2", clock()),
			wallettest.RootKey(t, stranger, "ECv2", live)),
		roots("its root of ECv1", none, wallettest.RootKey(t, issuer.Root, "ECv1", live),
			wallettest.RootKey(t, stranger, "ECv2", live)),
		roots("roots of the other environment", none, wallettest.RootKey(t, stranger, "ECv2", live)),
	}
}

func ms(at time.Time) string { return strconv.FormatInt(at.UnixMilli(), 10) }

func googleMessageFaults(t *testing.T) []googleFault {
	const point = "ephemeralPublicKey: must be an uncompressed point on P-256"
	message := func(name, member, v, cause string) googleFault {
		return googleFault{name: name, cause: cause, change: func(m *googleToken) { m.SignedMessage = put(member, v) }}
	}
	resealed := func(name, cause, member string, change func([]byte) []byte) googleFault { // before it is signed
		return googleFault{name: name, cause: cause, change: func(m *googleToken) {
			m.SignedMessage = func(message map[string]any) { message[member] = encode(change(decode(t, message[member]))) }
		}}
	}
	key := wallettest.NewKey(t)
	off := slices.Concat([]byte{4}, slices.Repeat([]byte{1}, 64))
	whole, err := key.PublicKey.Bytes()
	require.NoError(t, err)
	compressed := slices.Concat([]byte{2 | whole[64]&1}, whole[1:33])
	wrong := base64.StdEncoding.EncodeToString(make([]byte, 32))
	const tag = "tag: no key of ours fits"
	return []googleFault{
		message("compressed point", "ephemeralPublicKey", encode(compressed), point),
		message("point off the curve", "ephemeralPublicKey", encode(off), point),
		message("point at infinity", "ephemeralPublicKey", "AA==", point),
		message("point of zeros", "ephemeralPublicKey", encode(make([]byte, 65)), point),
		message("point with more", "ephemeralPublicKey", encode(append(whole, 0)), point),
		message("key as SubjectPublicKeyInfo", "ephemeralPublicKey", encode(wallettest.PublicDER(t, &key.PublicKey)), point),
		message("another point", "ephemeralPublicKey", encode(whole), tag),
		message("another tag", "tag", wrong, tag),
		message("short tag", "tag", "AAAA", tag),
		message("another ciphertext", "encryptedMessage", wrong, tag),
		resealed("last bit of the tag", tag, "tag", func(b []byte) []byte { return flipped(b, 31) }),
		resealed("tag cut short", tag, "tag", func(b []byte) []byte { return b[:31] }),
		resealed("first bit of the ciphertext", tag, "encryptedMessage", func(b []byte) []byte { return flipped(b, 0) }),
		resealed("ciphertext cut short", tag, "encryptedMessage", func(b []byte) []byte { return b[:len(b)-1] }),
		{name: "sealed to a stranger", cause: tag, change: func(m *googleToken) { m.Key = key }},
		{name: "our keys others", cause: tag, config: func(c *wallet.GoogleConfig) {
			c.Keys = c.Keys[:0:0]
			c.Keys = append(c.Keys, wallettest.KeyPEM(t, key))
		}},
	}
}

func googleCardFaults() []googleFault {
	const d = "encryptedMessage.paymentMethodDetails."
	payload := func(name, path string, v any, cause string) googleFault {
		return googleFault{name: name, cause: cause, change: func(m *googleToken) { m.Payload = put(path, v) }}
	}
	const other, month = "gatewayMerchantId: another merchant's", d + "expirationMonth: must be a month of a year"
	return []googleFault{
		{name: "message expired", cause: "messageExpiration: expired", change: func(m *googleToken) { m.Expires = clock() }},
		{name: "another merchant", cause: other, change: func(m *googleToken) { m.GatewayMerchantID = "5d1d1a80-0000-4000-8000-000000000002" }},
		payload("no merchant", "gatewayMerchantId", nil, other),
		payload("merchant in other case", "gatewayMerchantId", "5D1D1A80-0000-4000-8000-000000000001", other),
		payload("merchant as a number", "gatewayMerchantId", 1, "encryptedMessage.gatewayMerchantId: must be a text"),
		payload("no expiry of the message", "messageExpiration", nil, "encryptedMessage.messageExpiration: must be a text"),
		payload("expiry of the message as a number", "messageExpiration", 1,
			"encryptedMessage.messageExpiration: must be a text"),
		payload("negative expiry of the message", "messageExpiration", "-1",
			"encryptedMessage.messageExpiration: must be milliseconds since 1970"),
		payload("no message id", "messageId", nil, "encryptedMessage.messageId: must be a text"),
		payload("empty message id", "messageId", "", "encryptedMessage.messageId: must be a text"),
		payload("message id not printable", "messageId", "a\nb", "encryptedMessage.messageId: too long or not printable"),
		payload("another method", "paymentMethod", "TOKENIZED_CARD", "encryptedMessage.paymentMethod: must be CARD"),
		payload("no details", "paymentMethodDetails", nil, "encryptedMessage.paymentMethodDetails: must be an object"),
		payload("another authentication", "paymentMethodDetails.authMethod", "3DS",
			d+"authMethod: must be PAN_ONLY or CRYPTOGRAM_3DS"),
		payload("no authentication", "paymentMethodDetails.authMethod", nil,
			d+"authMethod: must be PAN_ONLY or CRYPTOGRAM_3DS"),
		payload("no number", "paymentMethodDetails.pan", nil, d+"pan: must be a text"),
		payload("wrong check digit", "paymentMethodDetails.pan", "4111111111111112", d+"pan: must be a card number"),
		payload("month 13", "paymentMethodDetails.expirationMonth", 13, month),
		payload("month 0", "paymentMethodDetails.expirationMonth", 0, month),
		payload("month as a text", "paymentMethodDetails.expirationMonth", "12", d+"expirationMonth: must be a whole number"),
		payload("year of three digits", "paymentMethodDetails.expirationYear", 203, month),
		payload("year of two digits", "paymentMethodDetails.expirationYear", 30, month),
		payload("year of the last century", "paymentMethodDetails.expirationYear", 1999, month),
		payload("no cryptogram", "paymentMethodDetails.cryptogram", nil, d+"cryptogram: must be a text"),
		payload("cryptogram not base64", "paymentMethodDetails.cryptogram", "*", d+"cryptogram: must be base64"),
		payload("ECI of letters", "paymentMethodDetails.eciIndicator", "ab", d+"eciIndicator: must be one or two digits"),
	}
}
