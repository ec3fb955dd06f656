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

	"github.com/tollgatepay/gateway/examples/server/keyfile"
)

// FuzzFile opens anything as a key file. What is taken names a current key that it holds and keys of 32 bytes
// each, and seals what only it opens; what is refused is left as it was, and the error names the file and what
// is wrong, and repeats nothing of it but an id.
func FuzzFile(f *testing.F) {
	key := strings.Repeat("ab", 32)
	whole := `{"current":"a","keys":[{"id":"a","key":"` + key + `"},{"id":"b","key":"` + strings.Repeat("cd", 32) + `"}],"lookup":"` + key + `"}`
	for _, text := range []string{
		whole, "", "{}", "null", "[]", whole + whole, whole + "x", whole[:len(whole)-1], strings.Replace(whole, `"a"`, `"c"`, 1), strings.Replace(whole, `"id":"b"`, `"id":"a"`, 1),
		strings.Replace(whole, key, key[:62], 1), strings.Replace(whole, key, key+"ab", 1), strings.Replace(whole, key, strings.Repeat("zz", 32), 1),
		strings.Replace(whole, key, base64.StdEncoding.EncodeToString([]byte(key[:32])), 1), strings.Replace(whole, key, base64.RawURLEncoding.EncodeToString([]byte(key[:32])), 1),
		strings.Replace(whole, `"lookup"`, `"Lookup"`, 1), strings.Replace(whole, `"keys"`, `"kees"`, 1), strings.Replace(whole, `"id":"b"`, `"id":""`, 1), strings.Replace(whole, `"id":"b"`, `"id":7`, 1),
		strings.Replace(whole, `"id":"b"`, `"id":"`+strings.Repeat("x", 65)+`"`, 1), strings.Replace(whole, key, "", 1), "\xef\xbb\xbf" + whole, `{"current":"a","keys":[],"lookup":"` + key + `"}`,
		`{"current":"","keys":[{"id":"","key":"` + key + `"}],"lookup":"` + key + `"}`, strings.Repeat("[", 60_000),
	} {
		f.Add([]byte(text))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(dir, "keys.json")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		keys, err := keyfile.Open(path)
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
		require.Equal(t, doc.Current, keys.Current())
		held := 0
		for _, entry := range doc.Keys {
			require.Len(t, plainKey(entry.Key), 32)
			if entry.ID == doc.Current {
				held++
			}
		}
		require.Equal(t, 1, held)
		require.Equal(t, plainKey(doc.Lookup), lookup(t, keys))
		wrapped := wrap(t, keys)
		plain, err := keys.Unwrap(t.Context(), wrapped)
		require.NoError(t, err)
		require.Equal(t, dataKey(), plain)
	})
}

// secretsOf are the texts of a document that stand where keys do.
func secretsOf(text []byte) (list []string) {
	var doc struct{ Keys []struct{ Key string } }
	_ = json.Unmarshal(text, &doc) // as far as it goes
	for _, entry := range doc.Keys {
		list = append(list, entry.Key)
	}
	return list
}

// plainKey reads a key the way the documents say: hex, or base64 of either alphabet.
func plainKey(text string) []byte {
	if key, err := hex.DecodeString(text); err == nil {
		return key
	}
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	key, _ := base64.RawStdEncoding.DecodeString(text)
	return key
}
