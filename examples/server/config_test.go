package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

const goodConfig = `{
	"merchants": [{"id": "m1", "name": "Harbour", "key": "live-key-of-m1", "password": "a password of m1",
		"notification_url": "http://127.0.0.1:9/x"}],
	"mappings": [{"merchant": "m1", "protocol": "checkout", "sha256": true}],
	"mids": [{"id": "m1-live", "merchant": "m1", "name": "Live", "connector": "vcard",
		"settings": {"a": "b"}, "secrets": {"key": "hush"}}]
}`

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestConfigServes(t *testing.T) {
	t.Parallel()
	base, _ := start(t, "-store", "memory", "-config", write(t, goodConfig))
	p := newPayer(t)
	require.Contains(t, p.open(base+"/").text, "Harbour")
	end := p.pay(p.buy(base, "mug", false), "01/38") // signed with SHA-256, as the mapping says
	require.Contains(t, end.url.Path, "/success")
	require.Contains(t, end.text, "hash valid")
}

func TestConfigFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"no JSON", `{"merchants": [}`, []string{"is not JSON", "byte 16"}},
		{"empty", ``, []string{"is not JSON"}},
		{"two documents", `{} {}`, []string{"is not JSON"}},
		{"a list", `[]`, []string{"must be an object"}},
		{"nobody", `{}`, []string{"merchants: at least one is needed"}},
		{"unknown names, wrong types, all of them", `{
			"merchant": [],
			"merchants": [{"id": 7, "ID": "x", "kee": "y", "password": 123456}, {"origins": "x", "disabled": "yes"}, 5],
			"mids": {}, "mappings": [{"max_declines": "3"}], "mappings": []}`, []string{
			"merchant: is not known; there are merchants, mappings, mids, wallets, wallet_roots, crypto, methods",
			"merchants[0].id: must be of type string, not number",
			"merchants[0].ID: is not known",
			"merchants[0].kee: is not known",
			"merchants[0].password: store: a secret must be a JSON string",
			"merchants[1].origins: must be of type []string, not string",
			"merchants[1].disabled: must be of type bool, not string",
			"merchants[2]: must be an object",
			"mids: must be a list",
			"mappings[0].max_declines: must be of type int, not string",
			"mappings: comes twice",
		}},
		{"twice the same", `{"merchants": [{"id": "a"}, {"id": "a"}], "mids": [{"id": "x"}, {"id": "x"}]}`, []string{
			"merchants[1]: there is one before it with the same id", "mids[1]: there is one before it with the same id",
		}},
		{"faults of the gateway", `{
			"merchants": [{"id": "m1", "password": "short"}],
			"mappings": [{"merchant": "m2", "protocol": "smoke"}],
			"mids": [{"id": "x", "merchant": "m1", "connector": "bank", "currencies": ["EURO"]}]}`, []string{
			"merchants[0]:", "key: 1 to 255 bytes", "password: at least 16 characters",
			"mappings[0]:", "protocol: one of", "mids[0]:", `connector: "bank" is not in Config.Connectors`, `"EURO" is neither`,
		}},
		{"of an unknown merchant", `{
			"merchants": [{"id": "m1", "key": "k", "password": "0123456789abcdef"}],
			"mids": [{"id": "x", "merchant": "m9", "connector": "vcard"}]}`, []string{`mids[0]: gateway: merchant "m9"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := run(t.Context(), []string{"-addr", "127.0.0.1:0", "-store", "memory", "-config", write(t, c.text)},
				io.Discard, io.Discard)
			require.Error(t, err)
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), "123456")
			require.NotContains(t, err.Error(), "short")
		})
	}
}

// A faulty file changes nothing, not even its valid parts.
func TestFaultyConfigChangesNothing(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "t.db")
	faulty := write(t, `{"merchants": [
		{"id": "demo", "key": "another", "password": "0123456789abcdef"}, {"id": "x", "key": "y", "password": "short"}]}`)
	require.Error(t, run(t.Context(), []string{"-addr", "127.0.0.1:0", "-store", "bolt:" + db, "-config", faulty},
		io.Discard, io.Discard))
	k, err := openKept(t.Context(), options{db: db, keys: db + ".keys"})
	require.NoError(t, err)
	defer func() { require.NoError(t, k.close()) }()
	require.NoError(t, k.store.View(t.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Limit: 1}) {
			require.NoError(t, entry.Err)
			require.Fail(t, "something was stored", "%q", entry.Key)
		}
		return nil
	}))
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want string // "" means valid
	}{
		{"nothing", nil, ""},
		{"memory", []string{"-store", "memory"}, ""},
		{"public", []string{"-public", "https://demo.example/"}, ""},
		{"PostgreSQL", []string{"-store", "postgres://u:geheim@h/d"}, ""},
		{"PostgreSQL, with the kind before it", []string{"-store", "postgres:postgresql://h/d", "-keys", "k"}, ""},
		{"an unknown store", []string{"-store", "disk"}, "must be bolt:FILE, postgres:URL"},
		{"no file", []string{"-store", "bolt:"}, "must be bolt:FILE, postgres:URL"},
		{"no URL", []string{"-store", "postgres:"}, "must be bolt:FILE, postgres:URL"},
		{"keys of memory", []string{"-store", "memory", "-keys", "k"}, "-keys: the keys of a store in memory"},
		{"a path", []string{"-public", "https://demo.example/pay"}, "must be scheme and host"},
		{"no scheme", []string{"-public", "demo.example"}, "must be scheme and host"},
		{"a word", []string{"serve"}, `"serve" is no flag`},
		{"an unknown flag", []string{"-port", "1"}, "not defined"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := parse(c.args, io.Discard)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestSite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, ip, public, local, shown string }{
		{"loopback", "127.0.0.1", "", "http://127.0.0.1:80", "http://127.0.0.1:80"},
		{"everywhere", "0.0.0.0", "", "http://127.0.0.1:80", "http://127.0.0.1:80"},
		{"everywhere, IPv6", "::", "", "http://127.0.0.1:80", "http://127.0.0.1:80"},
		{"IPv6", "::1", "", "http://[::1]:80", "http://[::1]:80"},
		{"public", "192.0.2.1", "https://demo.example", "http://192.0.2.1:80", "https://demo.example"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := siteOf(&net.TCPAddr{IP: net.ParseIP(c.ip), Port: 80}, c.public)
			require.Equal(t, c.local, s.local)
			require.Equal(t, c.shown, s.public)
		})
	}
}

// Without a file the server accepts every asset that the specification names. A file replaces the whole list by
// its own (SPEC2, "Crypto with chosen currency").
func TestConfigCrypto(t *testing.T) {
	t.Parallel()
	catalogue, err := methods.NewCatalogue()
	require.NoError(t, err)
	named, _ := catalogue.Set("crypto-payment-currency")
	assets := named.Set().Rows[0].Rule.Values
	require.Equal(t, []string{"BTC", "ETH", "USDC", "USDT"}, assets)
	own, err := decodeRecords([]byte(strings.Replace(goodConfig, "{",
		`{"crypto": [{"code": "DOGE", "exponent": 8}, {"code": "USDT", "exponent": 6}],`, 1)))
	require.NoError(t, err)
	none, err := decodeRecords([]byte(strings.Replace(goodConfig, "{", `{"crypto": [],`, 1)))
	require.NoError(t, err)
	silent, err := decodeRecords([]byte(goodConfig))
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		rs   records
		want []string
	}{
		{"the demo", demo(""), assets}, {"a file without a list", silent, assets},
		{"a list", own, []string{"DOGE", "USDT"}}, {"an empty list", none, nil},
	} {
		var codes []string
		for _, currency := range c.rs.crypto {
			codes = append(codes, currency.Code)
		}
		require.Equal(t, c.want, codes, c.name)
	}
	acquirer, err := vcard.New(vcard.Config{Store: memory.New(), Secret: store.NewSecret("acquirer-secret-0001"),
		PublicURL: "https://a.example/vcard"})
	require.NoError(t, err)
	own.crypto[0].Exponent = 99
	require.ErrorContains(t, own.save(t.Context(), nil, acquirer), "DOGE",
		"a wrong one is named before anything is written")
}

// The server has the methods of the file: a session may name one; one without operations is refused.
func TestConfigMethods(t *testing.T) {
	t.Parallel()
	record := `{"code": "house-bank", "name": "House bank", "kind": "redirect"%s}`
	with := func(text string) string { return strings.Replace(goodConfig, "{", `{"methods": [`+text+`],`, 1) }
	rs, err := decodeRecords([]byte(with(fmt.Sprintf(record, `, "operations": ["SALE"]`))))
	require.NoError(t, err)
	require.Equal(t, []methods.Method{{Code: "house-bank", Name: "House bank", Kind: methods.KindRedirect,
		Operations: []store.Operation{store.OpSale}}}, rs.methods)
	rs, err = decodeRecords([]byte(with(fmt.Sprintf(record, ""))))
	require.NoError(t, err)
	acquirer, err := vcard.New(vcard.Config{Store: memory.New(), Secret: store.NewSecret("acquirer-secret-0001"),
		PublicURL: "https://a.example/vcard"})
	require.NoError(t, err)
	require.ErrorContains(t, rs.save(t.Context(), nil, acquirer), `method "house-bank": operations must be some of`)
}
