package guides_test

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/s2sclient"
)

// newDatabase starts a PostgreSQL server and returns its URL. It is what the tests of store/postgres start, too.
func newDatabase(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "serve")
	compile := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./internal/cluster/serve")
	compile.Dir = "../../store/postgres"
	out, err := compile.CombinedOutput()
	require.NoError(t, err, string(out))
	run := exec.Command(program)
	input, err := run.StdinPipe()
	require.NoError(t, err)
	output, err := run.StdoutPipe()
	require.NoError(t, err)
	var faults strings.Builder
	run.Stderr = &faults
	require.NoError(t, run.Start())
	t.Cleanup(func() {
		require.NoError(t, input.Close())
		require.NoError(t, run.Wait(), faults.String())
	})
	url, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err, faults.String())
	return strings.TrimSpace(url)
}

// Two instances of the guide's program on one database: what is paid at one is known at the other, a key that one of
// them makes opens at the other, and what one leaves open when it is killed the other finishes.
func TestInstances(t *testing.T) {
	t.Parallel()
	code := blocks(t, production, "go")
	binaries := build(t, shorter(t, code[0]), code[1], code[3], blocks(t, moving, "go")[0])
	database, gate := newDatabase(t), newGate(t)
	one, two := newHost(t, binaries), newHost(t, binaries)
	one.database, two.database, two.folder = database, database, one.folder // and with it the keys
	one.start("GATE=" + gate.URL)
	two.start()
	shop := one.shop // one shop, which sends to either
	at := func(h *host) *s2sclient.Client {
		shop.URL = "http://" + h.site + "/post"
		return shop
	}
	token := one.cardToken("ORDER-1")
	told, _ := do(t, at(two), s2sclient.StatusByOrder("ORDER-1"))
	require.Equal(t, "SUCCESS SETTLED", told)
	told, answer := do(t, at(two), sale("ORDER-1", "10.00"))
	require.Equal(t, "ERROR", told, "twice: %s", answer.Raw)
	one.shell(blocks(t, production, "sh")[4])
	told, answer = do(t, at(one), sale("ORDER-2", "10.00").With("req_token", "Y"))
	require.Equal(t, "SUCCESS SETTLED", told, "%s", answer.Raw)
	two.shop = at(two)
	two.soldBy(answer.Body.Text("card_token"), "ORDER-3")
	two.soldBy(token, "ORDER-4")

	gone := make(chan struct{})
	at(one)
	go func() {
		_, _ = shop.Do(t.Context(), sale("ORDER-5", "7.77"))
		close(gone)
	}()
	<-gate.asked
	one.kill()
	<-gone
	require.Eventually(t, func() bool {
		told, _ := do(t, at(two), s2sclient.StatusByOrder("ORDER-5"))
		return told == "SUCCESS SETTLED"
	}, patience, tick, "the other instance has not asked")
	two.end()
}

// The guide's two lines copy the database into another, on which the program goes on.
func TestRestoredDatabase(t *testing.T) {
	t.Parallel()
	code := blocks(t, production, "go")
	h := newHost(t, build(t, code[0], code[1], code[3], blocks(t, moving, "go")[0]))
	h.database = newDatabase(t)
	h.start()
	token := h.cardToken("ORDER-1")
	restored := newDatabase(t)
	h.shell(blocks(t, production, "sh")[6], "DATABASE="+h.database, "RESTORED="+restored)
	h.end()
	h.database = restored
	h.start()
	told, answer := do(t, h.shop, s2sclient.StatusByOrder("ORDER-1"))
	require.Equal(t, "SUCCESS SETTLED", told, "%s", answer.Raw)
	h.soldBy(token, "ORDER-2")
	h.sold("ORDER-3", "10.00")
	h.end()
}
