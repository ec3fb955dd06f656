package wallettest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"testing"
	"time"

	"github.com/tollgatepay/gateway/methods/wallet"
)

// GoogleIssuer plays wallet B: its signing keys, and the merchant of the tokens. A test may replace every field
// before it mints a token.
type GoogleIssuer struct {
	Now               time.Time
	Root              *ecdsa.PrivateKey
	RootExpires       time.Time
	Recipient         string
	GatewayMerchantID string
	Keys              []*ecdsa.PrivateKey // of the merchant or the gateway, newest first
}

// NewGoogle makes a root key and one key to which tokens are sealed.
func NewGoogle(t testing.TB, now time.Time) *GoogleIssuer {
	t.Helper()
	return &GoogleIssuer{
		Now: now, Root: NewKey(t), RootExpires: now.AddDate(5, 0, 0), Recipient: "gateway:tollgate",
		GatewayMerchantID: "5d1d1a80-0000-4000-8000-000000000001", Keys: []*ecdsa.PrivateKey{NewKey(t)},
	}
}

// RootKey returns an entry of the list of root keys.
func RootKey(t testing.TB, key *ecdsa.PrivateKey, version string, expires time.Time) map[string]any {
	t.Helper()
	return map[string]any{
		"keyValue":        base64.StdEncoding.EncodeToString(PublicDER(t, &key.PublicKey)),
		"protocolVersion": version, "keyExpiration": millis(expires),
	}
}

// RootKeys returns a list of root keys as the wallet publishes it.
func RootKeys(t testing.TB, keys ...map[string]any) string {
	t.Helper()
	return string(JSON(t, map[string]any{"keys": keys}))
}

// Config returns the configuration that opens the issuer's tokens.
func (i *GoogleIssuer) Config(t testing.TB) wallet.GoogleConfig {
	t.Helper()
	return wallet.GoogleConfig{
		Environment: wallet.Test, GatewayMerchantID: i.GatewayMerchantID, Recipient: i.Recipient,
		Keys: secretsOf(t, i.Keys), RootKeys: RootKeys(t, RootKey(t, i.Root, "ECv2", i.RootExpires)),
	}
}

// GoogleToken is a token of wallet B before it is sealed and signed.
type GoogleToken struct {
	PAN, AuthMethod, Cryptogram, ECI string
	Month, Year                      int
	GatewayMerchantID, MessageID     string
	Expires                          time.Time
	Payload                          func(map[string]any) // changes the sealed part before it is sealed

	Key                 *ecdsa.PrivateKey // the key sealed to; by default the issuer's newest
	Recipient           string            // the recipient that the token is for
	Version             string
	Sender              string
	Intermediate        *ecdsa.PrivateKey
	IntermediateExpires time.Time
	Signers             []*ecdsa.PrivateKey  // of the intermediate key; by default the issuer's root
	SignedKey           func(map[string]any) // changes the intermediate key before it is signed
	SignedMessage       func(map[string]any) // changes the message before it is signed

	Network, Details, Description string

	Inner    func(map[string]any) // changes the sealed and signed token
	Edit     func(map[string]any) // changes what is around it
	AsObject bool                 // the inner token as an object; browsers send a text
	Bare     bool                 // the inner token alone
}

// MintGoogle makes a whole token with a cryptogram: a Visa card of 12/2030. Its message id is new.
func MintGoogle(t testing.TB, i *GoogleIssuer, changes ...func(*GoogleToken)) []byte {
	t.Helper()
	m := &GoogleToken{
		PAN: PAN, AuthMethod: wallet.Cryptogram3DS, Cryptogram: Cryptogram, ECI: "05", Month: 12, Year: 2030,
		GatewayMerchantID: i.GatewayMerchantID, MessageID: rand.Text(), Expires: i.Now.Add(time.Hour),
		Key: i.Keys[0], Recipient: i.Recipient, Version: "ECv2", Sender: "Google",
		Intermediate: NewKey(t), IntermediateExpires: i.Now.AddDate(0, 0, 7), Signers: []*ecdsa.PrivateKey{i.Root},
		Network: "VISA", Details: "1111", Description: "Visa •••• 1111",
	}
	for _, change := range changes {
		change(m)
	}
	inner := m.inner(t)
	if m.Inner != nil {
		m.Inner(inner)
	}
	if m.Bare {
		return JSON(t, inner)
	}
	return JSON(t, m.whole(t, inner))
}

func (m *GoogleToken) whole(t testing.TB, inner map[string]any) map[string]any {
	var token any = inner
	if !m.AsObject {
		token = string(JSON(t, inner))
	}
	whole := map[string]any{
		"apiVersion": 2, "apiVersionMinor": 0,
		"paymentMethodData": map[string]any{
			"type": "CARD", "description": m.Description,
			"info":             map[string]any{"cardNetwork": m.Network, "cardDetails": m.Details},
			"tokenizationData": map[string]any{"type": "PAYMENT_GATEWAY", "token": token},
		},
	}
	if m.Edit != nil {
		m.Edit(whole)
	}
	return whole
}

func (m *GoogleToken) inner(t testing.TB) map[string]any {
	key := map[string]any{
		"keyValue":      base64.StdEncoding.EncodeToString(PublicDER(t, &m.Intermediate.PublicKey)),
		"keyExpiration": millis(m.IntermediateExpires),
	}
	if m.SignedKey != nil {
		m.SignedKey(key)
	}
	signedKey := string(JSON(t, key))
	var signatures []string
	for _, root := range m.Signers {
		signatures = append(signatures, signParts(t, root, m.Sender, m.Version, signedKey))
	}
	message := m.seal(t)
	if m.SignedMessage != nil {
		m.SignedMessage(message)
	}
	signedMessage := string(JSON(t, message))
	return map[string]any{
		"protocolVersion":        m.Version,
		"signature":              signParts(t, m.Intermediate, m.Sender, m.Recipient, m.Version, signedMessage),
		"intermediateSigningKey": map[string]any{"signedKey": signedKey, "signatures": signatures},
		"signedMessage":          signedMessage,
	}
}

func (m *GoogleToken) payload(t testing.TB) []byte {
	details := map[string]any{
		"pan": m.PAN, "expirationMonth": m.Month, "expirationYear": m.Year, "authMethod": m.AuthMethod,
		"assuranceDetails": map[string]any{"cardHolderAuthenticated": true, "accountVerified": true},
	}
	if m.AuthMethod == wallet.Cryptogram3DS {
		details["cryptogram"], details["eciIndicator"] = m.Cryptogram, m.ECI
	}
	payload := map[string]any{
		"gatewayMerchantId": m.GatewayMerchantID, "messageExpiration": millis(m.Expires),
		"messageId": m.MessageID, "paymentMethod": "CARD", "paymentMethodDetails": details,
	}
	if m.Payload != nil {
		m.Payload(payload)
	}
	return JSON(t, payload)
}

func (m *GoogleToken) seal(t testing.TB) map[string]any {
	ephemeral := NewKey(t)
	point, err := ephemeral.PublicKey.Bytes()
	must(t, err)
	shared := exchange(t, ephemeral, &m.Key.PublicKey)
	keys, err := hkdf.Key(sha256.New, append(append([]byte{}, point...), shared...), make([]byte, 32), "Google", 64)
	must(t, err)
	block, err := aes.NewCipher(keys[:32])
	must(t, err)
	sealed := m.payload(t)
	cipher.NewCTR(block, make([]byte, 16)).XORKeyStream(sealed, sealed)
	mac := hmac.New(sha256.New, keys[32:])
	mac.Write(sealed)
	encode := base64.StdEncoding.EncodeToString
	return map[string]any{
		"encryptedMessage": encode(sealed), "ephemeralPublicKey": encode(point), "tag": encode(mac.Sum(nil)),
	}
}

func signParts(t testing.TB, key *ecdsa.PrivateKey, parts ...string) string {
	t.Helper()
	var signed []byte
	for _, part := range parts {
		signed = binary.LittleEndian.AppendUint32(signed, uint32(len(part)))
		signed = append(signed, part...)
	}
	digest := sha256.Sum256(signed)
	signature, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
	must(t, err)
	return base64.StdEncoding.EncodeToString(signature)
}

func millis(at time.Time) string { return strconv.FormatInt(at.UnixMilli(), 10) }
