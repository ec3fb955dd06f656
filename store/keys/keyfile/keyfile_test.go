package keyfile_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
)

func dataKey() []byte { return []byte("0123456789abcdefghijklmnopqrstuv") }

func open(t *testing.T, path string) *keyfile.Keys {
	t.Helper()
	file, err := keyfile.Open(path)
	require.NoError(t, err)
	return file
}

func wrap(t *testing.T, file *keyfile.Keys) keys.Wrapped {
	t.Helper()
	wrapped, err := file.Wrap(t.Context(), dataKey())
	require.NoError(t, err)
	return wrapped
}

func TestNewFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "keys.json")
	file := open(t, path)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	wrapped := wrap(t, file)
	require.Equal(t, file.Current(), wrapped.KeyID)
	require.False(t, bytes.Contains(wrapped.Bytes, dataKey()[:8]))
	require.NotEqual(t, wrapped.Bytes, wrap(t, file).Bytes, "two wraps never share a nonce")

	again := open(t, path)
	plain, err := again.Unwrap(t.Context(), wrapped)
	require.NoError(t, err)
	require.Equal(t, dataKey(), plain)
	require.Equal(t, lookup(t, file), lookup(t, again))
	require.Len(t, lookup(t, file), keys.Size)

	other := open(t, filepath.Join(dir, "other.json"))
	require.NotEqual(t, lookup(t, file), lookup(t, other))
	_, err = other.Unwrap(t.Context(), wrapped)
	require.ErrorIs(t, err, keys.ErrGone)
	require.Len(t, files(t, dir), 2, "no temporary file is left")
}

func lookup(t *testing.T, file *keyfile.Keys) []byte {
	t.Helper()
	key, err := file.LookupKey(t.Context())
	require.NoError(t, err)
	return key
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	return found
}

func TestRotateAndDestroy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.json")
	file, elsewhere := open(t, path), open(t, path)
	before, first, firstLookup := wrap(t, file), file.Current(), lookup(t, file)
	processes := func() map[string]*keyfile.Keys {
		return map[string]*keyfile.Keys{"here": file, "another process": elsewhere, "restarted": open(t, path)}
	}

	second, err := file.Rotate()
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	after := wrap(t, file)
	require.Equal(t, second, after.KeyID)
	require.Equal(t, firstLookup, lookup(t, file))
	for name, ring := range processes() {
		for _, wrapped := range []keys.Wrapped{before, after} {
			plain, err := ring.Unwrap(t.Context(), wrapped)
			require.NoError(t, err, name)
			require.Equal(t, dataKey(), plain, name)
		}
	}

	require.ErrorContains(t, file.Destroy(second), "before you destroy it")
	require.ErrorContains(t, file.Destroy("nobody"), "has no key")
	require.NoError(t, file.Destroy(first))
	require.NoError(t, elsewhere.Reload())
	for name, ring := range processes() {
		plain, err := ring.Unwrap(t.Context(), before)
		require.ErrorIs(t, err, keys.ErrGone, name)
		require.ErrorContains(t, err, first)
		require.Nil(t, plain)
		_, err = ring.Unwrap(t.Context(), after)
		require.NoError(t, err, name)
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestUnwrapRefusesAlteredBytes(t *testing.T) {
	t.Parallel()
	file := open(t, filepath.Join(t.TempDir(), "keys.json"))
	wrapped := wrap(t, file)
	second, err := file.Rotate()
	require.NoError(t, err)
	for bit := range len(wrapped.Bytes) * 8 {
		bent := keys.Wrapped{KeyID: wrapped.KeyID, Bytes: bytes.Clone(wrapped.Bytes)}
		bent.Bytes[bit/8] ^= 1 << (bit % 8)
		plain, err := file.Unwrap(t.Context(), bent)
		require.ErrorIs(t, err, keys.ErrBroken)
		require.Nil(t, plain)
	}
	for _, bent := range []keys.Wrapped{
		{KeyID: second, Bytes: wrapped.Bytes},
		{KeyID: wrapped.KeyID, Bytes: wrapped.Bytes[:20]},
		{KeyID: wrapped.KeyID},
	} {
		_, err := file.Unwrap(t.Context(), bent)
		require.ErrorIs(t, err, keys.ErrBroken)
	}
	_, err = file.Wrap(t.Context(), dataKey()[:16])
	require.ErrorContains(t, err, "32 bytes, not 16")
}

func TestIDIsBound(t *testing.T) {
	t.Parallel()
	path, key := filepath.Join(t.TempDir(), "keys.json"), strings.Repeat("ab", 32)
	text := fmt.Sprintf(`{"current":"a","keys":[{"id":"a","key":%q},{"id":"b","key":%q}],"lookup":%q}`, key, key, key)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	file := open(t, path)
	wrapped := wrap(t, file)
	wrapped.KeyID = "b"
	_, err := file.Unwrap(t.Context(), wrapped)
	require.ErrorIs(t, err, keys.ErrBroken)
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	hexKey := strings.Repeat("ab", 32)
	doc := func(current, id, key, lookup string) string {
		return fmt.Sprintf(`{"current":%q,"keys":[{"id":%q,"key":%q}],"lookup":%q}`, current, id, key, lookup)
	}
	for _, c := range []struct {
		name, text string
		mode       os.FileMode
		want       string // "" opens
	}{
		{"hex", doc("a", "a", hexKey, hexKey), 0o600, ""},
		{"base64", doc("a", "a", base64.StdEncoding.EncodeToString(dataKey()), hexKey), 0o600, ""},
		{"base64 for URLs", doc("a", "a", base64.RawURLEncoding.EncodeToString(bytes.Repeat([]byte{255}, 32)), hexKey), 0o600, ""},
		{"read only", doc("a", "a", hexKey, hexKey), 0o400, ""},
		{"group reads", doc("a", "a", hexKey, hexKey), 0o640, "chmod 600"},
		{"world reads", doc("a", "a", hexKey, hexKey), 0o604, "chmod 600"},
		{"world writes", doc("a", "a", hexKey, hexKey), 0o602, "chmod 600"},
		{"16 bytes in hex", doc("a", "a", hexKey[:32], hexKey), 0o600, "has 16 bytes, and AES-256 takes 32; make one with"},
		{"16 bytes in base64", doc("a", "a", base64.StdEncoding.EncodeToString(dataKey()[:16]), hexKey), 0o600, "has 16 bytes"},
		{"33 bytes", doc("a", "a", hexKey+"ab", hexKey), 0o600, "has 33 bytes"},
		{"no text form", doc("a", "a", "abab!", hexKey), 0o600, "neither hex nor base64"},
		{"no key", doc("a", "a", "", hexKey), 0o600, `key "a" is missing`},
		{"unknown current", doc("b", "a", hexKey, hexKey), 0o600, `"current" names a key that is not in the file; it has "a"`},
		{"no current", doc("", "a", hexKey, hexKey), 0o600, `"current"`},
		{"no id", doc("", "", hexKey, hexKey), 0o600, "entry 1 needs an id"},
		{"no lookup", doc("a", "a", hexKey, ""), 0o600, `"lookup" is missing`},
		{"short lookup", doc("a", "a", hexKey, hexKey[:32]), 0o600, `"lookup" has 16 bytes`},
		{"no keys", `{"current":"a","keys":[],"lookup":"` + hexKey + `"}`, 0o600, "has 0 keys"},
		{"an id twice", `{"current":"a","keys":[{"id":"a","key":"` + hexKey + `"},{"id":"a","key":"` + hexKey + `"}]}`, 0o600, "comes twice"},
		{"a bare key", hexKey, 0o600, "JSON object"},
		{"empty", "", 0o600, "JSON object"},
		{"unknown member", `{"current":"a","kyes":[]}`, 0o600, "JSON object"},
		{"two objects", doc("a", "a", hexKey, hexKey) + "{}", 0o600, "something follows"},
		{"too long", strings.Repeat(" ", 70<<10), 0o600, "longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "keys.json")
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			require.NoError(t, os.Chmod(path, c.mode))
			file, err := keyfile.Open(path)
			if c.want == "" {
				require.NoError(t, err)
				_, err = file.Unwrap(t.Context(), wrap(t, file))
				require.NoError(t, err)
				return
			}
			require.Nil(t, file)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, path)
			require.NotContains(t, err.Error(), "abab", "an error never quotes a key")
			left, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, c.text, string(left), "a refused file is unchanged")
		})
	}
}

func TestOpenRefusesDirectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := keyfile.Open(dir)
	require.ErrorContains(t, err, "no regular file")
	_, err = keyfile.Open(filepath.Join(dir, "missing", "keys.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestManyStartAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.json")
	var group sync.WaitGroup
	opened := make([]*keyfile.Keys, 8)
	for i := range opened {
		group.Go(func() { opened[i], _ = keyfile.Open(path) })
	}
	group.Wait()
	for _, file := range opened {
		require.NotNil(t, file)
		require.Equal(t, opened[0].Current(), file.Current())
		require.Equal(t, lookup(t, opened[0]), lookup(t, file))
	}
	require.Len(t, files(t, filepath.Dir(path)), 1)
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	file := open(t, filepath.Join(t.TempDir(), "keys.json"))
	var group sync.WaitGroup
	faults := make(chan error, 1000)
	for range 4 {
		group.Go(func() {
			for range 50 {
				wrapped, err := file.Wrap(context.Background(), dataKey())
				if err == nil {
					_, err = file.Unwrap(context.Background(), wrapped)
				}
				faults <- err
			}
		})
		group.Go(func() {
			_, err := file.Rotate()
			faults <- err
		})
	}
	group.Wait()
	close(faults)
	for err := range faults {
		require.NoError(t, err)
	}
}

func TestChangeNeedsTheLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.json")
	file := open(t, path)
	first := file.Current()
	require.NoError(t, os.WriteFile(path+".lock", nil, 0o600))
	_, err := file.Rotate()
	require.ErrorContains(t, err, "remove "+path+".lock")
	require.Equal(t, first, file.Current())
	require.NoError(t, os.Remove(path+".lock"))
	_, err = file.Rotate()
	require.NoError(t, err)
	require.Len(t, files(t, filepath.Dir(path)), 1)
}

func TestRotateKeepsWhatOthersAdded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.json")
	here, there := open(t, path), open(t, path)
	_, err := here.Rotate()
	require.NoError(t, err)
	wrapped := wrap(t, here)
	_, err = there.Rotate()
	require.NoError(t, err)
	_, err = open(t, path).Unwrap(t.Context(), wrapped)
	require.NoError(t, err)
}

func TestRotateFollowsLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.json"), filepath.Join(dir, "link.json")
	open(t, target)
	require.NoError(t, os.Symlink(target, link))
	id, err := open(t, link).Rotate()
	require.NoError(t, err)
	require.Equal(t, id, open(t, target).Current())
}

func TestReloadRefusesAnotherLookupKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, other := filepath.Join(dir, "keys.json"), filepath.Join(dir, "other.json")
	file := open(t, path)
	before := lookup(t, file)
	open(t, other)
	require.NoError(t, os.Rename(other, path))
	require.ErrorContains(t, file.Reload(), "lookup key")
	require.Equal(t, before, lookup(t, file))
}

func TestKeysNeverShow(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.json")
	secret := "ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ"
	text := base64.StdEncoding.EncodeToString([]byte(secret))
	require.NoError(t, os.WriteFile(path,
		fmt.Appendf(nil, `{"current":"a","keys":[{"id":"a","key":%q}],"lookup":%q}`, text, text), 0o600))
	file := open(t, path)
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		fmt.Fprintf(&out, verb+"\n", file)
		fmt.Fprintf(&out, verb+"\n", struct{ Provider keys.Provider }{file})
	}
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "keys", file)
	raw, err := json.Marshal([]any{file})
	require.NoError(t, err)
	out.Write(raw)
	for _, trace := range []string{"ZZZZ", "5a5a5a", "90 90 90", "0x5a", text[:8]} {
		require.NotContains(t, out.String(), trace)
	}
}
