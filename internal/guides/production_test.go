package guides_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/observe/gauges"
	"github.com/tollgatepay/gateway/observe/prometheus"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
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
		return strings.HasPrefix(h.shell(lines[2]), "in doubt: "+answer.TransID())
	}, patience, time.Second/2) // each look is a shell of its own
	scraped := h.shell(lines[1])
	require.Contains(t, scraped, "\ntollgate_doubts_waiting 1\n")
	require.Contains(t, scraped, "\ntollgate_store_readable 1\n")
	require.Contains(t, scraped, "\ntollgate_due_running 1\n")
	for _, path := range []string{"/healthz", "/metrics", "/waiting", "/keys/rotate", "/backup"} {
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
	id := h.shell(blocks(t, production, "sh")[3])
	require.NotEqual(t, before.Current(), id)
	after, err := keyfile.Open(file)
	require.NoError(t, err)
	require.Equal(t, after.Current(), id)
	require.Equal(t, id, h.shell("curl -f -X POST http://$OPS/keys/reload"))
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

// restored: a backup of the running store, with a copy of the keys, goes on elsewhere; without the keys no card opens.
func restored(t *testing.T, h *host) {
	h.start()
	token := h.cardToken("ORDER-1")
	backup := h.shell(blocks(t, production, "sh")[4])
	h.sold("ORDER-2", "10.00") // after the backup
	elsewhere := newHost(t, h.folder)
	copyFile(t, backup, elsewhere.database)
	copyFile(t, filepath.Join(h.folder, "keys.json"), filepath.Join(elsewhere.folder, "keys.json"))
	elsewhere.shop = h.shop
	elsewhere.shop.URL = "http://" + elsewhere.site + "/post"
	elsewhere.start()
	told, _ := do(t, elsewhere.shop, s2sclient.StatusByOrder("ORDER-1"))
	require.Equal(t, "SUCCESS SETTLED", told)
	told, answer := do(t, elsewhere.shop, s2sclient.StatusByOrder("ORDER-2"))
	require.NotContains(t, told, "SETTLED", "it came after the backup: %s", answer.Raw)
	elsewhere.soldBy(token, "ORDER-3")
	elsewhere.sold("ORDER-4", "10.00")
	elsewhere.end()

	require.NoError(t, os.Remove(filepath.Join(elsewhere.folder, "keys.json")))
	elsewhere.start()
	told, answer = do(t, elsewhere.shop, s2sclient.SaleByToken("ORDER-5", "10.00", "USD", token))
	require.NotContains(t, told, "SUCCESS", "%s", answer.Raw)
	elsewhere.end()
	h.end()
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
