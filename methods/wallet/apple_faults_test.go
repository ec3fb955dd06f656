package wallet_test

import (
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

type (
	appleIssuer = wallettest.AppleIssuer
	appleToken  = wallettest.AppleToken
	cms         = wallettest.CMS
)

// appleFault is a token with one fault.
type appleFault struct {
	name, cause string
	issuer      func(*appleIssuer)        // changes the wallet's side, after the opener was made
	config      func(*wallet.AppleConfig) // changes the gateway's side
	change      func(*appleToken)
	bytes       func([]byte) []byte // changes the token as written
	shared      *appleIssuer
}

func (c appleFault) run(t *testing.T, count *atomic.Int64) {
	issuer := *c.shared
	config := issuer.Config(t)
	if c.config != nil {
		c.config(&config)
	}
	if c.issuer != nil {
		c.issuer(&issuer)
	}
	token := wallettest.MintApple(t, &issuer, func(m *appleToken) {
		m.ApplicationData = slices.Repeat([]byte{7}, 32)
		if c.change != nil {
			c.change(m)
		}
	})
	if c.bytes != nil {
		token = c.bytes(token)
	}
	require.Equal(t, c.cause, tampered{apple(t, config), count}.try(t, token, clock()))
}

func appleFaults(t *testing.T) []appleFault {
	t.Helper()
	issuer := wallettest.NewApple(t, clock())
	all := slices.Concat(appleShapeFaults(), leafFaults(t), chainFaults(t), signerFaults(t, issuer),
		attributeFaults(t, issuer), contentFaults(), encodingFaults(t, issuer), appleSealFaults(t))
	for i := range all {
		all[i].shared = issuer
	}
	return all
}

func edited(name, path string, v any, cause string) appleFault {
	return appleFault{name: name, cause: cause, change: func(m *appleToken) { m.Edit = put(path, v) }}
}

// null is JSON's null; nil removes a member.
func null() json.RawMessage { return json.RawMessage("null") }

func appleShapeFaults() []appleFault {
	const p, h = "token.paymentData.", "token.paymentData.header."
	written := func(name, cause string, change func(string) string) appleFault {
		return appleFault{name: name, cause: cause, bytes: func(b []byte) []byte { return []byte(change(string(b))) }}
	}
	long := hex.EncodeToString(make([]byte, 33))
	return []appleFault{
		edited("RSA_v1", "paymentData.version", "RSA_v1", p+"version: must be EC_v1"),
		edited("no version", "paymentData.version", nil, p+"version: must be EC_v1"),
		edited("version of other case", "paymentData.version", "ec_v1", p+"version: must be EC_v1"),
		edited("version as a number", "paymentData.version", 1, p+"version: must be EC_v1"),
		edited("wrapped key of RSA_v1", "paymentData.header.wrappedKey", "AAAA", "token.paymentData.header: unknown member"),
		edited("more in paymentData", "paymentData.note", "x", "token.paymentData: unknown member"),
		edited("no data", "paymentData.data", nil, p+"data: must be a text"),
		edited("empty data", "paymentData.data", "", p+"data: must be a text"),
		edited("data as a number", "paymentData.data", 7, p+"data: must be a text"),
		edited("data of base64url", "paymentData.data", "-_-_", p+"data: must be base64"),
		edited("data without padding", "paymentData.data", "AAA", p+"data: must be base64"),
		edited("data with padding bits", "paymentData.data", "AAB=", p+"data: must be base64"),
		edited("data with a line end", "paymentData.data", "AAAA\nAAAA", p+"data: must be base64"),
		edited("no signature", "paymentData.signature", nil, p+"signature: must be a text"),
		edited("null signature", "paymentData.signature", null(), p+"signature: must be a text"),
		edited("no header", "paymentData.header", nil, "token.paymentData.header: must be an object"),
		edited("header as a list", "paymentData.header", []string{}, "token.paymentData.header: must be an object"),
		edited("no ephemeral key", "paymentData.header.ephemeralPublicKey", nil, h+"ephemeralPublicKey: must be a text"),
		edited("no key hash", "paymentData.header.publicKeyHash", nil, h+"publicKeyHash: must be a text"),
		edited("no transaction id", "paymentData.header.transactionId", nil, h+"transactionId: must be a text"),
		edited("short transaction id", "paymentData.header.transactionId", "00",
			h+"transactionId: must be hexadecimal of the right length"),
		edited("long transaction id", "paymentData.header.transactionId", long,
			h+"transactionId: must be hexadecimal of the right length"),
		edited("transaction id not hexadecimal", "paymentData.header.transactionId", "zz",
			h+"transactionId: must be hexadecimal of the right length"),
		edited("short application data", "paymentData.header.applicationData", "00",
			h+"applicationData: must be hexadecimal of the right length"),
		edited("empty application data", "paymentData.header.applicationData", "", h+"applicationData: must be a text"),
		edited("no paymentData", "paymentData", nil, "token.paymentData: must be an object"),
		edited("paymentData as other text", "paymentData", "card", "token.paymentData: not JSON"),
		edited("paymentData as a text of a list", "paymentData", "[]", "token.paymentData: must be an object"),
		edited("paymentData twice in a text", "paymentData", `{"data":"a","data":"b"}`, "token.paymentData: repeated member"),
		edited("no paymentMethod", "paymentMethod", nil, "token.paymentMethod: must be an object"),
		edited("network as a number", "paymentMethod.network", 1, "token.paymentMethod.network: must be a text"),
		edited("control character shown", "paymentMethod.displayName", "a\nb",
			"token.paymentMethod.displayName: too long or not printable"),
		edited("card number shown", "paymentMethod.displayName", "Visa "+wallettest.PAN,
			"token.paymentMethod.displayName: holds too many digits to be shown"),
		edited("card number shown between marks", "paymentMethod.displayName", "4111\u200b1111\u200b1111\u200b1111",
			"token.paymentMethod.displayName: holds too many digits to be shown"),
		edited("card number shown in other digits", "paymentMethod.displayName", "٤١١١١١١١١١١١١١١١",
			"token.paymentMethod.displayName: holds too many digits to be shown"),
		edited("endless text shown", "paymentMethod.displayName", strings.Repeat("x", 129),
			"token.paymentMethod.displayName: too long or not printable"),
		edited("no transactionIdentifier", "transactionIdentifier", nil, "token.transactionIdentifier: must be a text"),
		written("nothing", "token: not JSON", func(string) string { return "" }),
		written("no object", "token: must be an object", func(string) string { return "[]" }),
		written("trailing data", "token: not JSON", func(s string) string { return s + "{}" }),
		written("cut short", "token: not JSON", func(s string) string { return s[:len(s)-1] }),
		written("repeated member", "token: repeated member", func(s string) string { return `{"paymentData":{},` + s[1:] }),
		written("repeated where it is not read", "token: repeated member",
			func(s string) string { return `{"a":[{"b":1,"b":2}],` + s[1:] }),
		written("repeated by an escape", "token: repeated member",
			func(s string) string { return `{"payment\u0044ata":{},` + s[1:] }),
		written("bad UTF-8", "token: not JSON", func(s string) string { return `{"a":"` + "\xff" + `",` + s[1:] }),
		written("too deep", "token: nested too deeply",
			func(s string) string { return `{"a":[[[[[[[[[[[[1]]]]]]]]]]]],` + s[1:] }),
		written("too large", "token: too large",
			func(s string) string { return s + string(slices.Repeat([]byte{' '}, wallet.MaxToken)) }),
	}
}

func appleSealFaults(t *testing.T) []appleFault {
	payload := func(name, path string, v any, cause string) appleFault {
		return appleFault{name: name, cause: "data." + cause, change: func(m *appleToken) { m.Payload = put(path, v) }}
	}
	const another = "data: does not decrypt, the key or the merchant identifier is another"
	stranger := wallettest.NewKey(t)
	p384 := encode(wallettest.PublicDER(t, &wallettest.NewKey(t, elliptic.P384()).PublicKey))
	return []appleFault{
		{name: "another merchant identifier", cause: another, change: func(m *appleToken) { m.MerchantID = "merchant.com.example.other" }},
		{name: "another key", cause: "publicKeyHash: no processing key of ours", change: func(m *appleToken) { m.Key = stranger }},
		{name: "another key hash", cause: "publicKeyHash: no processing key of ours", change: func(m *appleToken) { m.KeyHash = make([]byte, 32) }},
		{name: "short key hash", cause: "publicKeyHash: no processing key of ours", change: func(m *appleToken) { m.KeyHash = []byte{1} }},
		{name: "another key under our hash", cause: another, change: func(m *appleToken) {
			hash := sha256.Sum256(wallettest.PublicDER(t, &m.Key.PublicKey))
			m.Key, m.KeyHash = stranger, hash[:]
		}},
		edited("another ephemeral key", "paymentData.header.ephemeralPublicKey",
			encode(wallettest.PublicDER(t, &stranger.PublicKey)), "messageDigest: of other bytes than the token's"),
		edited("ephemeral key on P-384", "paymentData.header.ephemeralPublicKey", p384,
			"messageDigest: of other bytes than the token's"),
		edited("another sealed part", "paymentData.data", encode(make([]byte, 300)),
			"messageDigest: of other bytes than the token's"),
		payload("EMV", "paymentDataType", "EMV", "paymentDataType: must be 3DSecure"),
		payload("no type", "paymentDataType", nil, "paymentDataType: must be 3DSecure"),
		payload("no number", "applicationPrimaryAccountNumber", nil, "applicationPrimaryAccountNumber: must be a text"),
		payload("wrong check digit", "applicationPrimaryAccountNumber", "4111111111111112",
			"applicationPrimaryAccountNumber: must be a card number"),
		payload("number as a number", "applicationPrimaryAccountNumber", 4111111111111111,
			"applicationPrimaryAccountNumber: must be a text"),
		payload("expiry of four digits", "applicationExpirationDate", "3012", "applicationExpirationDate: must be YYMMDD"),
		payload("expiry in a month 13", "applicationExpirationDate", "301331",
			"applicationExpirationDate: must be a month of a year"),
		payload("expiry on a day 32", "applicationExpirationDate", "301232", "applicationExpirationDate: must be YYMMDD"),
		payload("expiry on a day 0", "applicationExpirationDate", "301200", "applicationExpirationDate: must be YYMMDD"),
		payload("expiry of letters", "applicationExpirationDate", "30123a", "applicationExpirationDate: must be YYMMDD"),
		payload("currency by letters", "currencyCode", "USD", "currencyCode: must be three digits"),
		payload("currency as a number", "currencyCode", 840, "currencyCode: must be a text"),
		payload("no currency", "currencyCode", nil, "currencyCode: must be a text"),
		payload("no amount", "transactionAmount", nil, "transactionAmount: must be a whole number"),
		payload("amount with a point", "transactionAmount", 19.99, "transactionAmount: must be a whole number"),
		payload("negative amount", "transactionAmount", -1, "transactionAmount: must be a whole number"),
		payload("amount with an exponent", "transactionAmount", json.RawMessage("1e3"),
			"transactionAmount: must be a whole number"),
		payload("no cryptogram", "paymentData.onlinePaymentCryptogram", nil,
			"paymentData.onlinePaymentCryptogram: must be a text"),
		payload("cryptogram not base64", "paymentData.onlinePaymentCryptogram", "?",
			"paymentData.onlinePaymentCryptogram: must be base64"),
		payload("endless cryptogram", "paymentData.onlinePaymentCryptogram", strings.Repeat("AAAA", 257),
			"paymentData.onlinePaymentCryptogram: must be base64"),
		payload("no payment data", "paymentData", nil, "paymentData: must be an object"),
		payload("ECI of letters", "paymentData.eciIndicator", "x", "paymentData.eciIndicator: must be one or two digits"),
		payload("ECI of three digits", "paymentData.eciIndicator", "005",
			"paymentData.eciIndicator: too long or not printable"),
		payload("holder with a control character", "cardholderName", "a\x00b", "cardholderName: too long or not printable"),
	}
}
