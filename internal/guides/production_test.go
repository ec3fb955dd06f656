package guides_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/observe/gauges"
	"github.com/tollgatepay/gateway/observe/prometheus"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/keys"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
	"github.com/tollgatepay/gateway/store/memory"
)

// What the guide about production tells: its program, with a file as its store, does it.
func TestProduction(t *testing.T) {
	t.Parallel()
	code := blocks(t, production, "go")
	require.Len(t, code, 4)
	binaries := build(t, shorter(t, code[0]), code[1], code[2], blocks(t, moving, "go")[0])
	for _, part := range []struct {
		name string
		run  func(*testing.T, *host)
	}{
		{"a proxy ends TLS", behindProxy},
		{"time-outs", slowHeaders},
		{"the test key", testKey},
		{"operators", watched},
		{"keys", rotated},
		{"backup and restore", restored},
		{"another key file", otherKeys},
		{"no address", addressless},
		{"the end while a payment is under way", endedInPayment},
		{"killed while a payment is under way", killedInPayment},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			part.run(t, newHost(t, binaries))
		})
	}
}

// shorter is the program of the guide with less patience with acquirers, so that a test has to wait less.
func shorter(t *testing.T, code string) string {
	t.Helper()
	require.Contains(t, code, "const callTimeout = 30 * time.Second")
	return strings.Replace(code, "30 * time.Second", "8 * time.Second", 1)
}

// behindProxy: a payer pays on the page, over TLS that the proxy ends, and has the address that the proxy tells. The
// proxy's own word counts, and not what the payer claims.
func behindProxy(t *testing.T, h *host) {
	front := httptest.NewUnstartedServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: h.site})
		r.Out.Host, r.Out.Header["X-Forwarded-For"] = r.In.Host, r.In.Header["X-Forwarded-For"]
		r.SetXForwarded()
	}})
	front.StartTLS()
	t.Cleanup(front.Close)
	h.public = front.URL
	h.start()
	payer := front.Client()
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	payer.Transport.(*http.Transport).DialContext = from.DialContext
	link := openSession(t, payer, front.URL, "ORDER-1")
	require.True(t, strings.HasPrefix(link, "https://"), link)
	require.Contains(t, payPage(t, payer, link).Get("Strict-Transport-Security"), "max-age=")
	h.end()
	desk := h.desk()
	told, err := desk.Callbacks(t.Context(), paymentOf(t, desk, "ORDER-1").ID)
	require.NoError(t, err)
	require.Len(t, told, 1)
	body, err := url.ParseQuery(told[0].Body)
	require.NoError(t, err)
	require.Equal(t, "settled", body.Get("order_status"))
	require.Equal(t, "127.0.0.2", body.Get("customer_ip"))
	require.Contains(t, body, "connector_name", "Additions.Extended")
}

// slowHeaders: a connection that sends no headers is closed, by the server's own time-out.
func slowHeaders(t *testing.T, h *host) {
	h.start()
	var open []net.Conn
	for _, address := range []string{h.site, h.ops} {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		_, err = io.WriteString(conn, "POST /post HTTP/1.1\r\nHost: x\r\n")
		require.NoError(t, err)
		open = append(open, conn)
	}
	for _, conn := range open {
		_, err := io.ReadAll(conn) // to the end, which comes from the server
		require.NoError(t, err)
		require.NoError(t, conn.Close())
	}
	h.end()
}

// testKey: it reaches MIDs for tests alone.
func testKey(t *testing.T, h *host) {
	h.start()
	h.sold("ORDER-1", "10.00")
	told, _ := do(t, shopAt("http://"+h.site, gatewaytest.TestKey), sale("ORDER-2", "10.00"))
	require.Equal(t, "SUCCESS SETTLED", told)
	h.end()
	desk := h.desk()
	for order, mid := range map[string]string{"ORDER-1": "live", "ORDER-2": "test"} {
		require.Equal(t, mid, paymentOf(t, desk, order).MIDID)
	}
}

// watched: the three addresses of operators answer, at no other address, and tell what waits for a person.
func watched(t *testing.T, h *host) {
	h.start()
	lines := strings.Split(strings.TrimSpace(blocks(t, production, "sh")[2]), "\n")
	require.Len(t, lines, 3)
	require.Contains(t, h.shell(lines[0]), `"ok":true`)
	require.Empty(t, h.shell(lines[2]))
	told, answer := do(t, shopAt("http://"+h.site, gatewaytest.TestKey), sale("ORDER-1", "6.66"))
	require.Equal(t, "UNDEFINED PREPARE", told, "%s", answer.Raw)
	require.Eventually(t, func() bool { // once the time of the call has passed
		return strings.HasPrefix(h.shell(lines[2]), "in doubt: "+answer.TransID()+" ")
	}, patience, time.Second/2) // each look is a shell of its own
	scraped := h.shell(lines[1])
	require.Contains(t, scraped, "\ntollgate_doubts_waiting 1\n")
	require.Contains(t, scraped, "\ntollgate_store_readable 1\n")
	require.Contains(t, scraped, "\ntollgate_due_running 1\n")
	doubt := strings.Fields(h.shell(lines[2]))
	decide := blocks(t, production, "sh")[3]
	named := []string{"PAYMENT=" + doubt[2], "TRANSACTION=" + doubt[3]}
	_, err := h.try(strings.Replace(decide, "outcome=approved", "outcome=maybe", 1), named...)
	require.Error(t, err)
	require.NotEmpty(t, h.shell(lines[2]))
	require.Equal(t, "SETTLED", h.shell(decide, named...))
	require.Empty(t, h.shell(lines[2]))
	for _, path := range []string{"/healthz", "/metrics", "/waiting", "/doubts", "/keys/rotate", "/backup"} {
		status, _ := get(t, "http://"+h.site+path)
		require.Equal(t, http.StatusNotFound, status, path)
	}
	h.end()
}

// The rules of alarms name metrics that there are.
func TestAlarms(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, m := range append(observe.Metrics(), gauges.Metrics()...) {
		known[prometheus.Name(m)] = true
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(blocks(t, production, "yaml")[0]), &rules))
	for _, rule := range rules.Groups[0].Rules {
		named := metricName.FindAllString(rule.Expr, -1)
		require.NotEmpty(t, named, rule.Alert)
		for _, name := range named {
			require.True(t, known[name], "%s of %s", name, rule.Alert)
		}
	}
}

// rotated: after a rotation what is sealed under the old key opens, and what is new opens with the new one.
func rotated(t *testing.T, h *host) {
	h.start()
	file := filepath.Join(h.folder, "keys.json")
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	token := h.cardToken("ORDER-1")
	before, err := keyfile.Open(file)
	require.NoError(t, err)
	id := h.shell(blocks(t, production, "sh")[4])
	require.NotEqual(t, before.Current(), id)
	after, err := keyfile.Open(file)
	require.NoError(t, err)
	require.Equal(t, after.Current(), id)
	require.Equal(t, id, h.shell("curl -f -X POST http://$OPS/keys/reload"))
	elsewhere, err := after.Rotate() // as another instance does that shares the file
	require.NoError(t, err)
	require.Equal(t, elsewhere, h.shell("curl -f -X POST http://$OPS/keys/reload"))
	require.Contains(t, text(t, production), "`POST /keys/reload`")
	one, err := before.LookupKey(t.Context())
	require.NoError(t, err)
	two, err := after.LookupKey(t.Context())
	require.NoError(t, err)
	require.Equal(t, one, two)
	h.soldBy(token, "ORDER-2")
	fresh := h.cardToken("ORDER-3")
	h.end()
	h.start()
	h.soldBy(token, "ORDER-4")
	h.soldBy(fresh, "ORDER-5")
	h.end()
}

// Copies of one key file: the guide's two steps lose nothing, and its warning is true.
func TestCopiesOfKeys(t *testing.T) {
	t.Parallel()
	one, other := filepath.Join(t.TempDir(), "keys.json"), filepath.Join(t.TempDir(), "keys.json")
	made, err := keyfile.Open(one)
	require.NoError(t, err)
	copyFile(t, one, other)
	copied, err := keyfile.Open(other)
	require.NoError(t, err)
	_, err = made.Rotate()
	require.NoError(t, err)
	wrapped, err := made.Wrap(t.Context(), make([]byte, keys.Size))
	require.NoError(t, err)
	_, err = copied.Unwrap(t.Context(), wrapped)
	require.ErrorIs(t, err, keys.ErrGone, "the warning is wrong")

	copyFile(t, one, other)
	require.NoError(t, copied.Reload())
	const entered = "key-by-hand"
	editKeys(t, one, entered, true)
	editKeys(t, other, entered, true)
	for i, file := range []string{one, other} {
		editKeys(t, file, entered, false)
		first, second := []*keyfile.Keys{made, copied}[i], []*keyfile.Keys{copied, made}[i]
		require.NoError(t, first.Reload())
		require.Equal(t, entered, first.Current())
		for _, pair := range [][2]*keyfile.Keys{{first, second}, {second, first}} {
			wrapped, err := pair[0].Wrap(t.Context(), make([]byte, keys.Size))
			require.NoError(t, err)
			_, err = pair[1].Unwrap(t.Context(), wrapped)
			require.NoError(t, err)
		}
	}
}

// A merchant's password and keys change at a time: until then both are accepted, and from then on the new ones alone.
func TestNextPassword(t *testing.T) {
	t.Parallel()
	const nextKey, nextPassword = "0d3f7a52-9a6b-4c1e-8f2d-5b6c7d8e9f01", "another-merchant-password"
	kit := gatewaytest.New(t)
	at := kit.Now().Add(time.Hour)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{ID: gatewaytest.MerchantID, Name: "Larkfield",
		Key: gatewaytest.MerchantKey, Password: store.NewSecret(password), NextKey: nextKey,
		NextPassword: store.NewSecret(nextPassword), RotatesAt: at}))
	mux := http.NewServeMux()
	s2s.Register(mux, kit.Gateway)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	old, fresh := shopAt(server.URL, gatewaytest.MerchantKey), shopAt(server.URL, nextKey)
	old.SHA256, fresh.SHA256, fresh.Password = false, false, nextPassword
	for _, step := range []struct {
		order string
		shop  *s2sclient.Client
		told  string
	}{
		{"ORDER-1", old, "SUCCESS SETTLED"}, {"ORDER-2", fresh, "SUCCESS SETTLED"}, {"", nil, ""},
		{"ORDER-3", fresh, "SUCCESS SETTLED"}, {"ORDER-4", old, "ERROR"},
	} {
		if step.shop == nil {
			kit.Advance(t, time.Hour)
			continue
		}
		told, answer := do(t, step.shop, sale(step.order, "10.00"))
		require.Equal(t, step.told, told, "%s: %s", step.order, answer.Raw)
	}
}

// restored: a backup of the running store, with a copy of the keys, is rehearsed elsewhere without due work, and then
// goes on there.
func restored(t *testing.T, h *host) {
	h.start()
	token := h.cardToken("ORDER-1")
	backup := h.shell(blocks(t, production, "sh")[5])
	h.sold("ORDER-2", "10.00") // after the backup
	elsewhere := newHost(t, h.folder)
	copyFile(t, backup, elsewhere.database)
	copyFile(t, filepath.Join(h.folder, "keys.json"), filepath.Join(elsewhere.folder, "keys.json"))
	elsewhere.shop = h.shop
	elsewhere.shop.URL = "http://" + elsewhere.site + "/post"
	elsewhere.launch("REHEARSAL=1")
	require.Contains(t, blocks(t, production, "sh")[7], "REHEARSAL=1 ./gateway")
	require.Eventually(t, func() bool {
		answer, err := elsewhere.try("curl http://$OPS/healthz")
		return err == nil && strings.Contains(answer, "no due work is done")
	}, patience, tick)
	told, _ := do(t, shopAt("http://"+elsewhere.site, gatewaytest.TestKey), sale("ORDER-0", "10.00"))
	require.Equal(t, "SUCCESS SETTLED", told)
	require.Contains(t, elsewhere.shell("curl http://$OPS/healthz"), `"callback":`, "its callback is due, and stays so")
	elsewhere.end()

	elsewhere.start()
	told, _ = do(t, elsewhere.shop, s2sclient.StatusByOrder("ORDER-1"))
	require.Equal(t, "SUCCESS SETTLED", told)
	told, answer := do(t, elsewhere.shop, s2sclient.StatusByOrder("ORDER-2"))
	require.NotContains(t, told, "SETTLED", "it came after the backup: %s", answer.Raw)
	elsewhere.soldBy(token, "ORDER-3")
	elsewhere.sold("ORDER-4", "10.00")
	elsewhere.end()
	h.end()
}

// otherKeys: with another key file, or none, the program does not start, and nothing in the database is changed.
func otherKeys(t *testing.T, h *host) {
	h.start()
	token := h.cardToken("ORDER-1")
	h.end()
	file := filepath.Join(h.folder, "keys.json")
	require.NoError(t, os.Rename(file, file+".right"))
	before := content(t, h.database)
	for range 2 { // the second start finds the file that the first made
		h.launch()
		<-h.gone
		require.Error(t, h.fault)
		require.Contains(t, h.log.String(), "KEYS has not the keys of this database")
		require.Equal(t, before, content(t, h.database))
	}
	require.NoError(t, os.Rename(file+".right", file))
	h.start()
	h.soldBy(token, "ORDER-2")
	h.end()
}

// content is every record of a store.
func content(t *testing.T, database string) map[string]string {
	t.Helper()
	db, err := bolt.Open(database)
	require.NoError(t, err)
	all := map[string]string{}
	require.NoError(t, db.View(t.Context(), func(r store.Reader) error {
		for e := range r.Scan(store.Range{Limit: 10_000}) {
			if e.Err != nil {
				return e.Err
			}
			all[string(e.Key)] = string(e.Value)
		}
		return nil
	}))
	require.NoError(t, db.Close())
	require.NotEmpty(t, all)
	return all
}

// addressless: it listens nowhere unless both addresses are set.
func addressless(t *testing.T, h *host) {
	for _, c := range []struct{ site, ops, missing string }{
		{"", h.ops, "SITE"}, {h.site, "", "OPS"}, {"", "", "SITE"},
	} {
		run := exec.CommandContext(t.Context(), "./gateway")
		run.Dir = h.folder
		run.Env = append(os.Environ(), "SITE="+c.site, "OPS="+c.ops, "PUBLIC_URL="+h.public, "DATABASE="+h.database,
			"KEYS="+filepath.Join(h.folder, "keys.json"), "LARKFIELD_PASSWORD="+password)
		out, err := run.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), c.missing+" is not set")
	}
}

// One start under a wrong key file, by a program that does not look: the guide's cure opens what either file sealed,
// and the merchant needs a new password.
func TestMixedKeys(t *testing.T) {
	t.Parallel()
	folder, db := t.TempDir(), memory.New()
	right, wrong := filepath.Join(folder, "right.json"), filepath.Join(folder, "wrong.json")
	gateOf := func(file string) *gateway.Gateway {
		secrets, err := keyfile.Open(file)
		require.NoError(t, err)
		acquirer, err := vcard.New(vcard.Config{Store: memory.New(), Secret: store.NewSecret(password),
			PublicURL: "https://pay.example"})
		require.NoError(t, err)
		gw, err := gateway.New(gateway.Config{Store: db, Keys: secrets, PublicURL: "https://pay.example",
			Connectors: map[string]methods.Connector{"acquirer": acquirer}})
		require.NoError(t, err)
		return gw
	}
	save := func(gw *gateway.Gateway, id, word string) error {
		return gw.SaveMerchant(t.Context(), store.Merchant{ID: id, Name: id, Key: "key of " + id,
			Password: store.NewSecret(word)})
	}
	opens := func(gw *gateway.Gateway, id string) error {
		_, err := gw.Merchant("key of "+id).Payment(t.Context(), "none")
		return err
	}
	first := gateOf(right)
	require.NoError(t, save(first, "one", password))
	require.NoError(t, save(first, "two", password))
	require.NoError(t, save(gateOf(wrong), "one", password))
	require.ErrorIs(t, opens(gateOf(right), "one"), gateway.ErrKeyGone)
	require.ErrorIs(t, opens(gateOf(wrong), "two"), gateway.ErrKeyGone)

	copyKeys(t, wrong, right)
	cured := gateOf(right)
	for _, id := range []string{"one", "two"} {
		require.ErrorIs(t, opens(cured, id), gateway.ErrNoPayment)
	}
	require.ErrorContains(t, save(cured, "one", password), "password")
	require.NoError(t, save(cured, "one", "another-merchant-password"))
	require.NoError(t, save(cured, "two", password))
}

// copyKeys copies the keys of one file into another as the guide says, and leaves its current and lookup key.
func copyKeys(t *testing.T, from, to string) {
	t.Helper()
	files := map[string]map[string]any{}
	for _, file := range []string{from, to} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var content map[string]any
		require.NoError(t, json.Unmarshal(text, &content))
		files[file] = content
	}
	files[to]["keys"] = append(files[to]["keys"].([]any), files[from]["keys"].([]any)...)
	text, err := json.Marshal(files[to])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, text, 0o600))
}

// endedInPayment: SIGTERM comes while the acquirer works. The shop gets its answer, and the store is closed whole.
func endedInPayment(t *testing.T, h *host) {
	gate := newGate(t)
	h.start("GATE=" + gate.URL)
	told := make(chan string, 1)
	go func() {
		answer, err := h.shop.Do(t.Context(), sale("ORDER-1", "7.77"))
		if err != nil {
			told <- err.Error()
			return
		}
		told <- string(answer.Raw)
	}()
	<-gate.asked
	require.NoError(t, h.run.Process.Signal(os.Interrupt))
	require.Eventually(t, func() bool { // it takes no new request
		conn, err := net.Dial("tcp", h.site)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, patience, tick)
	close(gate.open)
	require.Contains(t, <-told, `"status":"SETTLED"`)
	h.ended()
	left, err := filepath.Glob(h.database + "*")
	require.NoError(t, err)
	for _, file := range left {
		require.True(t, file == h.database || strings.HasPrefix(file, h.database+".ledger"), "a log is left: %s", file)
	}
	require.Equal(t, store.Settled, paymentOf(t, h.desk(), "ORDER-1").Status)
}

// killedInPayment: the acquirer has charged, and the process dies before it hears of it. The next one finds out.
func killedInPayment(t *testing.T, h *host) {
	gate := newGate(t)
	h.start("GATE=" + gate.URL)
	gone := make(chan struct{})
	go func() {
		_, _ = h.shop.Do(t.Context(), sale("ORDER-1", "7.77"))
		close(gone)
	}()
	<-gate.asked
	h.kill()
	<-gone
	h.start()
	defer h.end()
	require.Eventually(t, func() bool {
		text, _ := do(t, h.shop, s2sclient.StatusByOrder("ORDER-1"))
		return text == "SUCCESS SETTLED"
	}, patience, tick, "recovery has not asked")
}
