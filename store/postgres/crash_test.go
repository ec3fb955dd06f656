package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

// overlaid runs tests of another package with a file of it replaced by one below testdata of this module.
func overlaid(t *testing.T, replaced, by string, env []string, args ...string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	file, err := filepath.Abs(filepath.Join("testdata", by))
	require.NoError(t, err)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, replaced): file}})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(name, overlay, 0o600))
	patience := 2 * time.Hour
	if deadline, ok := t.Deadline(); ok {
		patience = time.Until(deadline) * 9 / 10 // so that they end by themselves, and say where they were
	}
	args = append([]string{"test", "-count=1", "-timeout=" + patience.String(), "-overlay", name, "-v"}, args...)
	tests := exec.CommandContext(t.Context(), "go",
		append(args, "github.com/tollgatepay/gateway/"+filepath.ToSlash(filepath.Dir(replaced)))...)
	tests.Env = append(append(os.Environ(), "GOWORK=off"), env...)
	out, err := tests.CombinedOutput()
	require.NoError(t, err, "%s", complaint(out))
	return string(out)
}

// complaint is the end of what tests said, without what passed.
func complaint(out []byte) string {
	var told []string
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "--- PASS") && !strings.HasPrefix(line, "=== ") {
			told = append(told, line)
		}
	}
	return strings.Join(told[max(0, len(told)-600):], "")
}

// owner has a server and its standby, and strikes as the crash harness tells it.
type owner struct {
	mu               sync.Mutex
	primary, standby *cluster.Cluster
}

// kill kills the primary and starts it again.
func (o *owner) kill() error { return errors.Join(o.primary.Kill(), o.primary.Start(nil)) }

// promote kills the primary, promotes the standby, and makes the old primary the standby of that.
func (o *owner) promote() error {
	o.primary, o.standby = o.standby, o.primary
	return errors.Join(o.standby.Kill(), o.primary.Promote(), o.standby.Follow(o.primary))
}

// tell returns the sessions of both servers with what each waits for, their replication, and the end of their logs.
func (o *owner) tell(ctx context.Context) string {
	var told strings.Builder
	for _, c := range []*cluster.Cluster{o.primary, o.standby} {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		fmt.Fprintf(&told, "-- %s\n", c.URL())
		for _, question := range []string{
			"select pid, state, wait_event, pg_blocking_pids(pid)::text, now() - query_start, query from pg_stat_activity",
			"select application_name, state, sync_state, sent_lsn::text, flush_lsn::text from pg_stat_replication",
			"select status, flushed_lsn::text, latest_end_time from pg_stat_wal_receiver",
		} {
			fmt.Fprintln(&told, strings.Join(rowsOf(ctx, c, question), "\n"))
		}
		fmt.Fprintln(&told, c.Log())
	}
	return told.String()
}

// rowsOf is the rows of an answer, each as a line.
func rowsOf(ctx context.Context, c *cluster.Cluster, question string) []string {
	conn, err := pgx.Connect(ctx, c.URL())
	if err != nil {
		return []string{err.Error()}
	}
	defer conn.Close(ctx) //nolint:errcheck // only read
	rows, _ := conn.Query(ctx, question)
	lines, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		values, err := row.Values()
		return fmt.Sprint(values), err
	})
	if err != nil {
		return append(lines, err.Error())
	}
	return lines
}

// TestTold: the owner tells the replication of a pair. Of a server that does not answer it tells the log.
func TestTold(t *testing.T) {
	t.Parallel()
	primary, standby := newPair(t)
	at := &owner{primary: primary, standby: standby}
	require.Regexp(t, `streaming sync [0-9A-F]+/`, at.tell(t.Context()))
	require.NoError(t, primary.Stop(syscall.SIGQUIT))
	require.Contains(t, at.tell(t.Context()), "connect")
	require.Contains(t, at.tell(t.Context()), "could not connect to the primary server")
}

// ServeHTTP does what the path says.
func (o *owner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if r.URL.Path == "/tell" {
		_, _ = io.WriteString(w, o.tell(r.Context())) // the answer of a test
		return
	}
	do, ok := map[string]func() error{"/kill": o.kill, "/promote": o.promote}[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if err := do(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// TestCrash runs the crash harness of internal/crash on this store: two processes of the gateway at a time, which share
// schedules, callbacks and recovery, are killed anywhere and at every point, and the server is killed and its standby
// promoted meanwhile. The judge reads the books of the acquirer and of the merchant. In 1,000 kills the server is
// killed 200 times, and the standby is promoted 20 times, with the servers on the disk of TMPDIR:
//
//	TOLLGATE_PG_CRASHES=1000 go test -run TestCrash -timeout 120m -v .
func TestCrash(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the tests of another package")
	}
	const replaced, by = "internal/crash/records_test.go", "crash/records_test.go"
	t.Run("at every point", func(t *testing.T) {
		t.Parallel()
		env := []string{"TOLLGATE_CRASH_URL=" + shared.URL()}
		if os.Getenv("TOLLGATE_PG_CRASHES") == "" {
			env = append(env, "TOLLGATE_SHARE=20") // one point of four
		}
		out := overlaid(t, replaced, by, env, "-parallel=2",
			"-run=^(TestKillAtEveryPoint|TestStop|TestKillBeforeReceipt|TestAwayDuringKill)$")
		told := regexp.MustCompile(`crash: points_in_turn=[1-9].*`)
		require.Regexp(t, told, out)
		t.Logf("%s", told.FindString(out))
	})
	t.Run("anywhere", func(t *testing.T) {
		t.Parallel()
		parent := ""
		if os.Getenv("TOLLGATE_PG_CRASHES") != "" {
			parent = os.TempDir() // where flushes take time, so that more kills come during one
		}
		primary, standby := newPairBelow(t, parent)
		at := &owner{primary: primary, standby: standby}
		control := httptest.NewServer(at)
		t.Cleanup(control.Close)
		kills := rounds(t, "TOLLGATE_PG_CRASHES", 30)
		out := overlaid(t, replaced, by, []string{"TOLLGATE_CRASH_URL=" + cluster.URL(primary, standby),
			"TOLLGATE_CRASH_CONTROL=" + control.URL, "TOLLGATE_KILLS=" + strconv.Itoa(max(kills, 25))},
			"-run=^TestKills$")
		told := regexp.MustCompile(`crash: kills=\d+ .* lost=0 charged_twice=0 .* callbacks_lost=0 .*` +
			`server_killed=[1-9]\d* standby_promoted=[1-9].*`)
		require.Regexp(t, told, out)
		t.Logf("%s", told.FindString(out))
	})
}
