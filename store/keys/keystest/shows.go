package keystest

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// part is how many characters of a spelling reveal a secret: six bytes or more.
const part = 12

// shows reports whether a text holds a part of a secret, as bytes or as programs print bytes.
func shows(text string, secret []byte) bool {
	plain := strings.NewReplacer(" ", "", ":", "").Replace(strings.ToLower(text))
	if holdsPart(plain, hex.EncodeToString(secret), part) || holdsPart(text, string(secret), 8) {
		return true
	}
	list := strings.ReplaceAll(text, ",", "")
	for i := 0; i+6 <= len(secret); i++ { // as %v and %#v print a slice
		numbers := strings.Trim(fmt.Sprint(secret[i:i+6]), "[]")
		literals := strings.ReplaceAll(fmt.Sprintf("%#v", secret[i:i+6]), ",", "")
		literals = strings.TrimSuffix(strings.TrimPrefix(literals, "[]byte{"), "}")
		if strings.Contains(list, numbers) || strings.Contains(list, literals) {
			return true
		}
	}
	for i := range min(3, len(secret)) { // base64 looks different at each offset of three
		if holdsPart(text, base64.RawStdEncoding.EncodeToString(secret[i:]), part) ||
			holdsPart(text, base64.RawURLEncoding.EncodeToString(secret[i:]), part) {
			return true
		}
	}
	return false
}

// holdsPart reports whether text contains size successive bytes of a spelling.
func holdsPart(text, spelling string, size int) bool {
	for i := 0; i+size <= len(spelling); i++ {
		if strings.Contains(text, spelling[i:i+size]) {
			return true
		}
	}
	return false
}
