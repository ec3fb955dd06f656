package kerneltest

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The number and the security code of the canary card.
const (
	CanaryPAN  = "4601541833776519"
	CanaryCode = "9371"
)

// CanaryCard is a card with a number and a code that occur nowhere else.
func CanaryCard(t testing.TB, month, year int) methods.Card {
	t.Helper()
	pan, err := store.ParsePAN(CanaryPAN)
	require.NoError(t, err)
	code, err := store.ParseSecurityCode(CanaryCode)
	require.NoError(t, err)
	return methods.Card{PAN: pan, Expiry: store.Expiry{Year: year, Month: month}, Holder: "John Doe", Code: code}
}

// Spellings are the ways to write a secret in bytes (goal G17): as it is, grouped, reversed, in hexadecimal, packed
// two digits a byte, and in base64 at any offset of either alphabet.
func Spellings(secret string) (list [][]byte) {
	add := func(text string) { list = append(list, []byte(text)) }
	reversed := []byte(secret)
	slices.Reverse(reversed)
	for _, plain := range []string{secret, string(reversed)} {
		add(plain)
		add(hex.EncodeToString([]byte(plain)))
		add(strings.ToUpper(hex.EncodeToString([]byte(plain))))
		for offset := range 3 {
			for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				whole := alphabet.EncodeToString(append(make([]byte, offset), plain...))
				first := (offset*8 + 5) / 6 // after the characters that depend on the bytes before
				last := (offset + len(plain)) * 8 / 6
				add(whole[first:last])
			}
		}
	}
	if packed, err := hex.DecodeString(secret); err == nil && len(secret) > 8 {
		list = append(list, packed)
		var groups []string
		for group := range slices.Chunk([]byte(secret), 4) {
			groups = append(groups, string(group))
		}
		add(strings.Join(groups, " "))
		add(strings.Join(groups, "-"))
	}
	return list
}

// CanaryCodeAlone finds a security code as a separate word, plain or in base64, because a hash may contain any four
// digits.
var CanaryCodeAlone = regexp.MustCompile(`(^|[^0-9A-Za-z+/_.-])(` + CanaryCode + `|` +
	base64.StdEncoding.EncodeToString([]byte(CanaryCode)) + `)([^0-9A-Za-z+/_-]|$)`)
