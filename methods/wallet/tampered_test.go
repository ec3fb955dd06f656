package wallet_test

import (
	"encoding/hex"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

// tampered counts the tokens that were tried, so that a table that lost its cases is noticed.
type tampered struct {
	opener opener
	count  *atomic.Int64
}

func (c tampered) try(t *testing.T, token []byte, now time.Time) string {
	t.Helper()
	c.count.Add(1)
	return refused(t, c.opener, token, now)
}

// TestTampered requires that no tampered token is accepted, that all have one error text, and that the cause of
// each row of the tables is the exact one.
func TestTampered(t *testing.T) {
	t.Parallel()
	var tables, bits atomic.Int64
	t.Run("group", func(t *testing.T) {
		for _, c := range appleFaults(t) {
			t.Run("apple/"+c.name, func(t *testing.T) { t.Parallel(); c.run(t, &tables) })
		}
		for _, c := range googleFaults(t) {
			t.Run("google/"+c.name, func(t *testing.T) { t.Parallel(); c.run(t, &tables) })
		}
		t.Run("apple bits", func(t *testing.T) { t.Parallel(); flipApple(t, &bits) })
		t.Run("google bits", func(t *testing.T) { t.Parallel(); flipGoogle(t, &bits) })
	})
	t.Logf("%d tampered tokens of the tables and %d with one bit changed: none accepted", tables.Load(), bits.Load())
	require.GreaterOrEqual(t, tables.Load(), int64(120))
	require.GreaterOrEqual(t, bits.Load(), int64(2000))
}

// flipApple changes one bit in every byte of every field that is signed or selects the key, decoded, and one bit
// in characters of their texts.
func flipApple(t *testing.T, count *atomic.Int64) {
	issuer := wallettest.NewApple(t, clock())
	c := tampered{apple(t, issuer.Config(t)), count}
	token := wallettest.MintApple(t, issuer, func(m *wallettest.AppleToken) { m.ApplicationData = make([]byte, 32) })
	for _, path := range []string{"data", "signature", "header.ephemeralPublicKey", "header.publicKeyHash",
		"header.transactionId", "header.applicationData"} {
		full := "paymentData." + path
		text := text(t, token, full)
		read, write := decode, encode
		if path == "header.transactionId" || path == "header.applicationData" {
			write = hex.EncodeToString
			read = func(t testing.TB, v any) []byte {
				b, err := hex.DecodeString(v.(string))
				require.NoError(t, err)
				return b
			}
		} else {
			flipText(t, c, token, full, text)
		}
		data := read(t, text)
		for i := range data {
			changed := object(t, token)
			put(full, write(flipped(data, i)))(changed)
			c.try(t, wallettest.JSON(t, changed), clock())
		}
	}
}

// flipText changes a character of a base64 text, every fifth of them, because the decoded bytes are changed one by
// one elsewhere. Control characters become escapes of JSON.
func flipText(t *testing.T, c tampered, token []byte, path, text string) {
	for i := 0; i < len(text); i += 5 {
		changed := object(t, token)
		character := text[i] ^ 1<<(i%7)
		put(path, text[:i]+string(rune(character))+text[i+1:])(changed)
		c.try(t, wallettest.JSON(t, changed), clock())
	}
}

func text(t *testing.T, token []byte, path string) string {
	t.Helper()
	parent, name := split(path)
	return at(object(t, token), parent)[name].(string)
}

func flipGoogle(t *testing.T, count *atomic.Int64) {
	issuer := wallettest.NewGoogle(t, clock())
	c := tampered{google(t, issuer.Config(t)), count}
	token := wallettest.MintGoogle(t, issuer, func(m *wallettest.GoogleToken) { m.Bare = true })
	flipText(t, c, token, "signature", text(t, token, "signature"))
	flipRaw(t, c, token, "signedMessage")
	flipRaw(t, c, token, "protocolVersion")
	flipRaw(t, c, token, "intermediateSigningKey.signedKey")
	flipBytes(t, c, token, "signature")
	for _, name := range []string{"encryptedMessage", "ephemeralPublicKey", "tag"} {
		message := object(t, []byte(text(t, token, "signedMessage")))
		data := decode(t, message[name])
		for i := range data {
			message[name] = encode(flipped(data, i))
			changed := object(t, token)
			changed["signedMessage"] = string(wallettest.JSON(t, message))
			c.try(t, wallettest.JSON(t, changed), clock())
		}
	}
	signatures := at(object(t, token), "intermediateSigningKey")["signatures"].([]any)
	signature := decode(t, signatures[0])
	for i := range signature {
		changed := object(t, token)
		put("intermediateSigningKey.signatures", []string{encode(flipped(signature, i))})(changed)
		c.try(t, wallettest.JSON(t, changed), clock())
	}
}

func flipBytes(t *testing.T, c tampered, token []byte, path string) {
	data := decode(t, text(t, token, path))
	for i := range data {
		changed := object(t, token)
		put(path, encode(flipped(data, i)))(changed)
		c.try(t, wallettest.JSON(t, changed), clock())
	}
}

// flipRaw changes one bit of every byte of a text.
func flipRaw(t *testing.T, c tampered, token []byte, path string) {
	original := text(t, token, path)
	for i := range original {
		changed := object(t, token)
		put(path, string(flipped([]byte(original), i)))(changed)
		c.try(t, wallettest.JSON(t, changed), clock())
	}
}
