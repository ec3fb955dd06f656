package postgres_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/store"
)

// buildServer builds examples/server, which is a module of its own.
func buildServer(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "server")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir, build.Env = "../../examples/server", append(os.Environ(), "GOWORK=off")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// shop is a merchant who sends requests to several servers. Of their callbacks it counts the copies of each.
type shop struct {
	client   *s2sclient.Client
	receiver *s2sclient.Receiver
	config   string // of the servers
	mu       sync.Mutex
	copies   map[string]int // by the callback's id
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{copies: map[string]int{}, client: &s2sclient.Client{
		Key: "2f1a9f0e-7b1c-4f57-9d5e-6a0c3f7e1b11", Password: "shop-password-0001",
		HTTP: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}}
	s.receiver = s.client.Receiver()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.copies[r.Header.Get("X-Tollgate-Callback-Id")]++
		s.mu.Unlock()
		s.receiver.ServeHTTP(w, r)
	}))
	t.Cleanup(site.Close)
	text, err := json.Marshal(map[string]any{
		"merchants": []map[string]any{{"id": "m1", "name": "Shop", "key": s.client.Key, "password": s.client.Password,
			"notification_url": site.URL}},
		"mids": []store.MID{{ID: "live", MerchantID: "m1", Name: "Live", Connector: "vcard"}},
	})
	require.NoError(t, err)
	s.config = filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(s.config, text, 0o600))
	return s
}

// ask sends a request to a server and requires a status.
func (s *shop) ask(t *testing.T, server string, fields s2sclient.Fields, status string) *s2sclient.Answer {
	t.Helper()
	s.client.URL = server + "/post"
	a, err := s.client.Do(t.Context(), fields)
	require.NoError(t, err)
	require.Equal(t, status, a.Status(), "%s", a.Raw)
	return a
}

// runServer starts the program. end stops it as an administrator does, and requires that it had nothing to complain of.
func runServer(t *testing.T, program string, args ...string) (base string, end func()) {
	t.Helper()
	var log strings.Builder
	server := exec.Command(program, append([]string{"-addr", "127.0.0.1:0"}, args...)...)
	server.Dir, server.Stderr = t.TempDir(), &log
	out, err := server.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = server.Wait()
		require.NoError(t, err, log.String())
	}
	end = sync.OnceFunc(func() {
		require.NoError(t, server.Process.Signal(syscall.SIGTERM))
		require.NoError(t, server.Wait(), log.String())
		require.NotContains(t, log.String(), "level=ERROR")
	})
	t.Cleanup(end)
	return strings.TrimSpace(strings.TrimPrefix(first, "listening on ")), end
}

// TestServers: two processes of the demo server share a database. What is paid at one is seen and voided at the other,
// and each callback is sent once, by the one server or the other. A server with other keys is refused.
func TestServers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	program, database, s := buildServer(t), newServer(t), newShop(t)
	keys := filepath.Join(t.TempDir(), "tollgate.keys")
	args := []string{"-store", database.URL(), "-keys", keys, "-config", s.config}
	one, endOne := runServer(t, program, args...)
	two, endTwo := runServer(t, program, args...)
	const sales = 20
	for i := range sales {
		here, there := one, two
		if i%2 == 1 {
			here, there = there, here
		}
		sale := s2sclient.Sale(fmt.Sprintf("ORD-%d", i), "10.00", "USD", s2sclient.TestCard("01", "2038"))
		paid := s.ask(t, here, sale, "SETTLED")
		s.ask(t, there, s2sclient.FollowUp("GET_TRANS_STATUS", paid.TransID()), "SETTLED")
		s.ask(t, there, s2sclient.FollowUp("VOID", paid.TransID()), "VOID")
		s.ask(t, here, s2sclient.FollowUp("GET_TRANS_STATUS", paid.TransID()), "VOID")
		_, err := s.receiver.Wait(t.Context(), paid.TransID(), 2)
		require.NoError(t, err)
	}
	endOne()
	endTwo()
	require.Empty(t, s.receiver.Problems())
	require.Len(t, s.copies, 2*sales)
	for id, copies := range s.copies {
		require.Equal(t, 1, copies, id)
	}

	for name, c := range map[string]struct{ keys, want string }{
		"no keys":    {filepath.Join(t.TempDir(), "lost.keys"), "its keys are not"},
		"other keys": {otherKeys(t, program), "are not those of the database"},
	} {
		refused := exec.CommandContext(t.Context(), program, "-addr", "127.0.0.1:0", "-store", "postgres:"+database.URL(),
			"-keys", c.keys)
		refused.WaitDelay = time.Second
		out, err := refused.CombinedOutput()
		require.Error(t, err, name)
		require.Contains(t, string(out), c.want, name)
	}
}

// otherKeys returns a key file that another server has made.
func otherKeys(t *testing.T, program string) string {
	t.Helper()
	keys := filepath.Join(t.TempDir(), "other.keys")
	_, end := runServer(t, program, "-store", "bolt:other.db", "-keys", keys)
	end()
	return keys
}
