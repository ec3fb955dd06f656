package wallettest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"testing"
	"time"

	"github.com/tollgatepay/gateway/methods/wallet"
)

// AppleIssuer plays wallet A: its certificates, and the merchant of the tokens. A test may replace every field
// before it mints a token.
type AppleIssuer struct {
	Now                      time.Time // when tokens are signed
	Root, Intermediate, Leaf Certificate
	MerchantID               string
	Keys                     []*ecdsa.PrivateKey // processing keys of the merchant, newest first
}

// NewApple makes a root, an intermediate, a leaf and one processing key.
func NewApple(t testing.TB, now time.Time) *AppleIssuer {
	t.Helper()
	i := &AppleIssuer{Now: now, MerchantID: "merchant.com.example.shop", Keys: []*ecdsa.PrivateKey{NewKey(t)}}
	i.Root = NewRoot(t, now)
	i.Intermediate = NewIntermediate(t, now, i.Root)
	i.Leaf = NewLeaf(t, now, i.Intermediate, nil)
	return i
}

// Config returns the configuration that opens the issuer's tokens.
func (i *AppleIssuer) Config(t testing.TB) wallet.AppleConfig {
	t.Helper()
	return wallet.AppleConfig{
		Environment: wallet.Test, MerchantID: i.MerchantID,
		ProcessingKeys: secretsOf(t, i.Keys), Roots: []string{i.Root.PEM()},
	}
}

// AppleToken is a token of wallet A before it is sealed and signed.
type AppleToken struct {
	PAN, Holder, Cryptogram, ECI string
	Expiry                       string // YYMMDD
	Currency                     string // numeric
	Amount                       int64  // minor units
	DataType                     string
	Payload                      func(map[string]any) // changes the sealed part before it is sealed

	Key             *ecdsa.PrivateKey // the key sealed to; by default the issuer's newest
	KeyHash         []byte            // publicKeyHash; by default of Key
	MerchantID      string            // the merchant that the token is for
	TransactionID   []byte
	ApplicationData []byte // absent for nil
	At              time.Time
	Version         string

	Network, DisplayName, Type string

	Content   func([]byte) []byte         // changes the bytes that are signed
	CMS       func(*CMS)                  // changes the signature
	Signature func(content []byte) []byte // replaces the signature
	Edit      func(token map[string]any)  // changes the token after it is sealed and signed
	AsString  bool                        // paymentData as a text that holds JSON
}

// MintApple makes a whole token: a Visa card of 12/2030, 19.99 USD.
func MintApple(t testing.TB, i *AppleIssuer, changes ...func(*AppleToken)) []byte {
	t.Helper()
	m := &AppleToken{
		PAN: PAN, Expiry: "301231", Currency: "840", Amount: 1999, DataType: "3DSecure",
		Cryptogram: Cryptogram, ECI: "5", Key: i.Keys[0], MerchantID: i.MerchantID, At: i.Now, Version: "EC_v1",
		TransactionID: make([]byte, 32), Network: "Visa", DisplayName: "Visa 1111", Type: "debit",
	}
	_, _ = rand.Read(m.TransactionID) // never fails
	for _, change := range changes {
		change(m)
	}
	ephemeral := NewKey(t)
	data := m.seal(t, ephemeral)
	content := slices.Concat(PublicDER(t, &ephemeral.PublicKey), data, m.TransactionID, m.ApplicationData)
	token := m.token(t, ephemeral, data, m.sign(t, i, content))
	if m.Edit != nil {
		m.Edit(token)
	}
	if m.AsString {
		token["paymentData"] = string(JSON(t, token["paymentData"]))
	}
	return JSON(t, token)
}

func (m *AppleToken) sign(t testing.TB, i *AppleIssuer, content []byte) []byte {
	if m.Content != nil {
		content = m.Content(bytes.Clone(content))
	}
	if m.Signature != nil {
		return m.Signature(content)
	}
	c := MakeCMS(t, content, i.Leaf, i.Intermediate, m.At)
	if m.CMS != nil {
		m.CMS(c)
	}
	return c.Encode(t)
}

func (m *AppleToken) payload(t testing.TB) []byte {
	payload := map[string]any{
		"applicationPrimaryAccountNumber": m.PAN, "applicationExpirationDate": m.Expiry,
		"currencyCode": m.Currency, "transactionAmount": m.Amount, "cardholderName": m.Holder,
		"deviceManufacturerIdentifier": "040010030273", "paymentDataType": m.DataType,
		"paymentData": map[string]any{"onlinePaymentCryptogram": m.Cryptogram, "eciIndicator": m.ECI},
	}
	if m.Payload != nil {
		m.Payload(payload)
	}
	return JSON(t, payload)
}

func (m *AppleToken) seal(t testing.TB, ephemeral *ecdsa.PrivateKey) []byte {
	shared := exchange(t, ephemeral, &m.Key.PublicKey)
	merchant := sha256.Sum256([]byte(m.MerchantID))
	h := sha256.New()
	h.Write([]byte{0, 0, 0, 1})
	h.Write(shared)
	h.Write([]byte("\x0did-aes256-GCMApple"))
	h.Write(merchant[:])
	block, err := aes.NewCipher(h.Sum(nil))
	must(t, err)
	gcm, err := cipher.NewGCMWithNonceSize(block, 16)
	must(t, err)
	return gcm.Seal(nil, make([]byte, 16), m.payload(t), nil)
}

func (m *AppleToken) token(t testing.TB, ephemeral *ecdsa.PrivateKey, data, signature []byte) map[string]any {
	if m.KeyHash == nil {
		hash := sha256.Sum256(PublicDER(t, &m.Key.PublicKey))
		m.KeyHash = hash[:]
	}
	encode := base64.StdEncoding.EncodeToString
	header := map[string]any{
		"publicKeyHash": encode(m.KeyHash), "transactionId": hex.EncodeToString(m.TransactionID),
		"ephemeralPublicKey": encode(PublicDER(t, &ephemeral.PublicKey)),
	}
	if m.ApplicationData != nil {
		header["applicationData"] = hex.EncodeToString(m.ApplicationData)
	}
	return map[string]any{
		"paymentData": map[string]any{
			"version": m.Version, "data": encode(data), "signature": encode(signature), "header": header,
		},
		"paymentMethod":         map[string]any{"displayName": m.DisplayName, "network": m.Network, "type": m.Type},
		"transactionIdentifier": hex.EncodeToString(m.TransactionID),
	}
}

// exchange returns the shared secret, the x of the common point.
func exchange(t testing.TB, private *ecdsa.PrivateKey, public *ecdsa.PublicKey) []byte {
	t.Helper()
	ours, err := private.ECDH()
	must(t, err)
	theirs, err := public.ECDH()
	must(t, err)
	shared, err := ours.ECDH(theirs)
	must(t, err)
	return shared
}
