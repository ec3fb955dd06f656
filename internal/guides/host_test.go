package guides_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
)

const (
	production = "guides/production.md"
	moving     = "guides/move-from-the-platform.md"
)

// build writes the files of Go code that pages show, each under the name in its first line, and builds a program of
// them as the guide says, with the connectors of testdata. Of two files of one name the last one stays.
func build(t *testing.T, shown ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	for from, to := range map[string]string{"go.mod": "go.mod", "go.sum": "go.sum",
		"testdata/host/connectors.go": "connectors.go"} {
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(folder, to), text, 0o600))
	}
	for _, code := range shown {
		first, _, _ := strings.Cut(code, "\n")
		name, ok := strings.CutPrefix(first, "// ")
		require.True(t, ok && strings.HasSuffix(name, ".go"), "the code begins with %q", first)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(code), 0o600))
	}
	script := "go mod edit -module=host"
	for _, module := range []string{"", "/observe/prometheus", "/store/postgres"} {
		script += " -replace=github.com/tollgatepay/gateway" + module + "=" + root + module
	}
	run := exec.CommandContext(t.Context(), "bash", "-c", "set -e\n"+script+"\n"+blocks(t, production, "sh")[0])
	run.Dir, run.Env = folder, append(os.Environ(), "GOWORK=off")
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	return folder
}

// host is the guide's program while it runs.
type host struct {
	t                           *testing.T
	folder                      string // of its files
	site, ops, database, public string
	shop                        *s2sclient.Client // with the live key
	run                         *exec.Cmd
	log                         *bytes.Buffer // to be read when it has ended
	gone                        chan struct{} // closed when it has ended, with fault
	fault                       error
}

// newHost is a host with files and addresses of its own, which is not started. The program lies in binaries.
func newHost(t *testing.T, binaries string) *host {
	t.Helper()
	own := loopback()
	h := &host{t: t, folder: t.TempDir(), site: own + ":8080", ops: own + ":9090", public: "https://pay.example"}
	h.database, h.shop = filepath.Join(h.folder, "payments.db"), shopAt("http://"+h.site, gatewaytest.MerchantKey)
	require.NoError(t, os.Link(filepath.Join(binaries, "gateway"), filepath.Join(h.folder, "gateway")))
	return h
}

// start starts the program by the guide's own lines, with places of the test's, and waits until it is well.
func (h *host) start(env ...string) *host {
	h.t.Helper()
	h.launch(env...)
	well := blocks(h.t, production, "sh")[2]
	well, _, _ = strings.Cut(well, "\n")
	require.Eventually(h.t, func() bool {
		if _, err := h.try(well); err == nil {
			return true
		}
		return h.hasEnded()
	}, patience, tick, "it is not well")
	require.False(h.t, h.hasEnded(), "it has ended")
	return h
}

func (h *host) launch(env ...string) {
	h.t.Helper()
	script := blocks(h.t, production, "sh")[1]
	for from, to := range map[string]string{"127.0.0.1:8080": h.site, "127.0.0.1:9090": h.ops,
		"https://pay.example": h.public, "/var/lib/gateway/payments.db": h.database,
		"/etc/gateway/keys.json": filepath.Join(h.folder, "keys.json"), "/var/backups/gateway": h.folder,
		"./gateway": "exec ./gateway"} {
		require.Contains(h.t, script, from)
		script = strings.Replace(script, from, to, 1)
	}
	h.log = &bytes.Buffer{}
	h.run = exec.Command("bash", "-c", "set -eu\n"+script)
	h.run.Dir, h.run.Env = h.folder, append(os.Environ(), append(env, "LARKFIELD_PASSWORD="+password)...)
	h.run.Stdout, h.run.Stderr = h.log, h.log
	inGroup(h.run)
	require.NoError(h.t, h.run.Start())
	h.gone = make(chan struct{})
	run, log, gone := h.run, h.log, h.gone
	go func() {
		h.fault = run.Wait()
		close(gone)
	}()
	h.t.Cleanup(func() {
		killGroup(run)
		if <-gone; h.t.Failed() {
			h.t.Log(log)
		}
	})
}

// try runs a script of a page as an operator of the host, in its folder.
func (h *host) try(script string, env ...string) (string, error) {
	run := exec.CommandContext(h.t.Context(), "bash", "-c", "set -eu\n"+strings.ReplaceAll(script, "curl ", "curl -sS "))
	run.Dir, run.Env = h.folder, append(os.Environ(), append(env, "OPS="+h.ops)...)
	out, err := run.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (h *host) shell(script string, env ...string) string {
	h.t.Helper()
	out, err := h.try(script, env...)
	require.NoError(h.t, err, "%s: %s", script, out)
	return out
}

// end asks the program to end, and requires that it does, without a fault.
func (h *host) end() {
	h.t.Helper()
	require.NoError(h.t, h.run.Process.Signal(syscall.SIGTERM))
	h.ended()
}

func (h *host) ended() {
	h.t.Helper()
	<-h.gone
	require.NoError(h.t, h.fault, h.log)
}

func (h *host) hasEnded() bool {
	select {
	case <-h.gone:
		return true
	default:
		return false
	}
}

// kill ends the program at once.
func (h *host) kill() {
	h.t.Helper()
	require.NoError(h.t, h.run.Process.Kill())
	<-h.gone
	require.Error(h.t, h.fault)
}

// shopAt is a shop by a key of the guide's merchant.
func shopAt(base, key string) *s2sclient.Client {
	return &s2sclient.Client{URL: base + "/post", Key: key, Password: password, SHA256: true,
		HTTP: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
}

// do sends a request and returns its result and status, like SUCCESS SETTLED.
func do(t *testing.T, c *s2sclient.Client, fields s2sclient.Fields) (told string, answer *s2sclient.Answer) {
	t.Helper()
	answer, err := c.Do(t.Context(), fields)
	require.NoError(t, err)
	if answer.Body == nil {
		return string(answer.Raw), answer
	}
	return strings.TrimSpace(answer.Result() + " " + answer.Status()), answer
}

// sale is an order by the card that is paid, with what the guide's mapping requires.
func sale(order, amount string) s2sclient.Fields {
	return s2sclient.Sale(order, amount, "USD", s2sclient.TestCard("01", "2038"))
}

// sold sells an order, and returns the answer.
func (h *host) sold(order, amount string) *s2sclient.Answer {
	h.t.Helper()
	told, answer := do(h.t, h.shop, sale(order, amount))
	require.Equal(h.t, "SUCCESS SETTLED", told, "%s", answer.Raw)
	return answer
}

// get returns the status and the body of an address.
func get(t *testing.T, address string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text)
}

// loopback is an address of this machine that no other test has: ports that are free now may be taken later.
func loopback() string {
	return fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
}
