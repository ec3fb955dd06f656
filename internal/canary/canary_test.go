package canary

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

var keep = flag.String("keep", "", "the folder to keep everything in; it has to be empty")

// TestCanary runs all flows into one folder and then searches every byte of it.
func TestCanary(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := newSite(t, dir)
	f := &flows{site: s}
	for _, flow := range f.all() {
		flow()
		s.Advance(t, time.Minute)
		s.dump("while")
	}
	s.Advance(t, 72*time.Hour)
	opened := s.unseal()
	s.dump("end")
	s.restart() // and the last copies
	size := search(t, dir, nil)
	numbers := 0
	for _, plain := range opened {
		for _, c := range cards {
			require.Empty(t, findCode(plain, c.code), "a code is sealed, three days after the payment")
			require.False(t, alone(plain, c.code))
			if len(findNumber(plain, c.number)) > 0 {
				numbers++
			}
		}
	}
	require.Greater(t, numbers, 20, "the sealed values were not read, or there are none")
	t.Logf("canary: orders=%d bytes=%d files=%d sealed_values_opened=%d with_a_number=%d restarts=%d", f.orders, size,
		files(t, dir), len(opened), numbers, s.restarts)
}

// folder is the folder to keep, or one in memory if the system has that: there are thousands of commits.
func folder(t *testing.T) string {
	t.Helper()
	if *keep != "" {
		return *keep
	}
	dir, err := os.MkdirTemp("/dev/shm", "canary")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

// dump writes the records as text beside their file.
func (s *site) dump(name string) {
	s.t.Helper()
	out, err := os.OpenFile(filepath.Join(s.dir, "records-"+name+".txt"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, out.Close()) }()
	for _, opened := range s.stores {
		require.NoError(s.t, opened.View(s.t.Context(), func(r store.Reader) error {
			for e := range r.Scan(store.Range{Limit: 1 << 30}) {
				if e.Err != nil {
					return e.Err
				}
				if _, err := fmt.Fprintf(out, "%s %s\n", e.Key, e.Value); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

func files(t *testing.T, dir string) int {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	return len(entries)
}

// search requires that no file contains a canary; found, if set, gets what it finds instead.
func search(t *testing.T, dir string, found func(file, what string)) (size int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	if found == nil {
		found = func(file, what string) { t.Errorf("%s has %s", file, what) }
	}
	for _, entry := range entries {
		bits, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		require.NoError(t, err)
		require.NotEmpty(t, bits, entry.Name())
		bits = written(bits)
		size += len(bits)
		for _, c := range cards {
			for _, name := range findNumber(bits, c.number) {
				found(entry.Name(), name+" number")
			}
			for _, name := range findCode(bits, c.code) {
				found(entry.Name(), name+" code")
			}
			if slices.Contains([]string{".txt", ".json"}, filepath.Ext(entry.Name())) && alone(bits, c.code) {
				found(entry.Name(), "lone code")
			}
		}
	}
	return size
}

// written leaves out the pages of a store's file that were never written.
func written(bits []byte) (rest []byte) {
	const page = 4096
	for len(bits) > 0 {
		n := min(page, len(bits))
		if !bytes.Equal(bits[:n], nothing[:n]) {
			rest = append(rest, bits[:n]...)
		}
		bits = bits[n:]
	}
	return rest
}

var nothing [4096]byte

// unseal opens every sealed value of the records with the keys of the test.
func (s *site) unseal() (plains [][]byte) {
	s.t.Helper()
	require.NoError(s.t, s.Store.View(s.t.Context(), func(r store.Reader) error {
		plains = nil
		for e := range r.Scan(store.Range{Limit: 1 << 30}) {
			if e.Err != nil {
				return e.Err
			}
			var record any
			if json.Unmarshal(e.Value, &record) == nil {
				id, _ := store.SplitKey(e.Key)
				plains = append(plains, s.openAll(record, names(record, id))...)
			}
		}
		return nil
	}))
	return plains
}

// names adds all texts of a record to those of its key: one of them is the name it is sealed under.
func names(value any, list []string) []string {
	switch v := value.(type) {
	case string:
		list = append(list, v, v+"/mpi")
	case map[string]any:
		for _, inner := range v {
			list = names(inner, list)
		}
	case []any:
		for _, inner := range v {
			list = names(inner, list)
		}
	}
	return list
}

// openAll finds the sealed values within a record and opens them.
func (s *site) openAll(value any, records []string) (plains [][]byte) {
	switch v := value.(type) {
	case map[string]any:
		if v["b"] != nil && v["d"] != nil && v["k"] != nil {
			return append(plains, s.openOne(v, records))
		}
		for _, inner := range v {
			plains = append(plains, s.openAll(inner, records)...)
		}
	case []any:
		for _, inner := range v {
			plains = append(plains, s.openAll(inner, records)...)
		}
	}
	return plains
}

func (s *site) openOne(value map[string]any, records []string) []byte {
	s.t.Helper()
	text, err := json.Marshal(value)
	require.NoError(s.t, err)
	var sealed store.Sealed
	require.NoError(s.t, json.Unmarshal(text, &sealed))
	key, err := vault.NewKey(append([]byte(nil), s.keys.known[string(sealed.DataKey)]...))
	require.NoError(s.t, err, "a data key that was never wrapped")
	for _, purpose := range []vault.Purpose{
		vault.Card, vault.Parameters, vault.Password, vault.MIDSecret, vault.SecurityCode, vault.ReturnData, vault.WalletKey,
	} {
		for _, record := range records {
			if plain, err := vault.Open(key, sealed.Box,
				vault.AssociatedData(purpose, gatewaytest.MerchantID, record)); err == nil {
				return plain
			}
		}
	}
	s.t.Fatalf("a sealed value does not open: %.200s", text)
	return nil
}

// TestControl plants a number and a code in every spelling, each in its own file, and requires the search to find
// it there and nowhere else.
func TestControl(t *testing.T) {
	t.Parallel()
	c := cards[0]
	require.GreaterOrEqual(t, len(spellings), 6)
	for _, s := range spellings {
		for i, form := range s.forms(c.number) {
			t.Run(fmt.Sprintf("%s %d", s.name, i), func(t *testing.T) {
				t.Parallel()
				require.Contains(t, planted(t, "gateway.db", "\x00\x01ab"+form+"yz\xff"), "gateway.db has "+s.name+" number")
			})
		}
	}
	for name, text := range map[string]string{
		"plain": `{"cvv":"9371"}`, "reversed": `{"x":"1739"}`, "hex": "x2239333731" + "22x", "base64": `{"held":"OTM3MQ=="}`,
		"URL":           "cvv=%39%33%37%31",
		"JSON and HTML": `"\u0039\u0033\u0037\u0031"`, "UTF-16": "\x00\"\x009\x003\x007\x001\x00\"",
	} {
		require.Contains(t, planted(t, "gateway.db", text), "gateway.db has "+name+" code", name)
	}
	for _, text := range []string{"code 9371", "(9371)", "cvv=9371;", "9371"} {
		require.Contains(t, planted(t, "log.json", text), "log.json has lone code", text)
	}
	require.Empty(t, planted(t, "log.json",
		`{"mask":"460154******6519","hash":"a9371b","at":"12:00:01.9371Z","box":"xx9371+"}`))
}

func planted(t *testing.T, name, text string) (all []string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	search(t, dir, func(file, what string) { all = append(all, file+" has "+what) })
	return all
}
