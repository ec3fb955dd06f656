package keyfile_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys/keyfile"
)

// FuzzFile opens any bytes as a key file. A file that is accepted has a current key and keys of 32 bytes, and only
// it opens what it sealed. A file that is refused stays unchanged, and the error names the file and the fault and
// quotes nothing of it but an id.
func FuzzFile(f *testing.F) {
	key := strings.Repeat("ab", 32)
	whole := `{"current":"a","keys":[{"id":"a","key":"` + key + `"},{"id":"b","key":"` + strings.Repeat("cd", 32) +
		`"}],"lookup":"` + key + `"}`
	but := func(old, changed string) string { return strings.Replace(whole, old, changed, 1) }
	for _, text := range []string{
		whole, "", "{}", "null", "[]", whole + whole, whole + "x", whole[:len(whole)-1], "\xef\xbb\xbf" + whole,
		but(`"a"`, `"c"`), but(`"id":"b"`, `"id":"a"`), but(`"id":"b"`, `"id":""`), but(`"id":"b"`, `"id":7`),
		but(`"id":"b"`, `"id":"`+strings.Repeat("x", 65)+`"`),
		but(key, key[:62]), but(key, key+"ab"), but(key, strings.Repeat("zz", 32)), but(key, ""),
		but(key, base64.StdEncoding.EncodeToString([]byte(key[:32]))),
		but(key, base64.RawURLEncoding.EncodeToString([]byte(key[:32]))),
		but(`"lookup"`, `"Lookup"`), but(`"keys"`, `"kees"`), `{"current":"a","keys":[],"lookup":"` + key + `"}`,
		`{"current":"","keys":[{"id":"","key":"` + key + `"}],"lookup":"` + key + `"}`, strings.Repeat("[", 60_000),
	} {
		f.Add([]byte(text))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(dir, "keys.json")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		file, err := keyfile.Open(path)
		after, readErr := os.ReadFile(path)
		require.NoError(t, readErr)
		require.Equal(t, string(text), string(after), "opening never writes")
		var doc struct {
			Current, Lookup string
			Keys            []struct{ ID, Key string }
		}
		parsed := json.Unmarshal(text, &doc)
		if err != nil {
			require.ErrorContains(t, err, path)
			for _, secret := range append(secretsOf(text), doc.Lookup) {
				require.False(t, len(secret) > 20 && strings.Contains(err.Error(), secret), "a key in an error")
			}
			return
		}
		require.NoError(t, parsed)
		require.Equal(t, doc.Current, file.Current())
		held := 0
		for _, entry := range doc.Keys {
			require.Len(t, plainKey(entry.Key), 32)
			if entry.ID == doc.Current {
				held++
			}
		}
		require.Equal(t, 1, held)
		require.Equal(t, plainKey(doc.Lookup), lookup(t, file))
		wrapped := wrap(t, file)
		plain, err := file.Unwrap(t.Context(), wrapped)
		require.NoError(t, err)
		require.Equal(t, dataKey(), plain)
	})
}

// secretsOf returns the texts of a document in the places of keys.
func secretsOf(text []byte) (list []string) {
	var doc struct{ Keys []struct{ Key string } }
	_ = json.Unmarshal(text, &doc) // reads as much as it can
	for _, entry := range doc.Keys {
		list = append(list, entry.Key)
	}
	return list
}

// plainKey decodes a key as the documents say: hex, or base64 of either alphabet.
func plainKey(text string) []byte {
	if key, err := hex.DecodeString(text); err == nil {
		return key
	}
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	key, _ := base64.RawStdEncoding.DecodeString(text)
	return key
}
