package crash

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// This file takes the place of the one of the same name in internal/crash: the gateways have their records on
// PostgreSQL, and two of them run at once. They listen at one port, so that a caller meets either. What befalls the
// server is done by the process that runs these tests and owns the server (store/postgres, TestCrash).

const (
	envURL     = "TOLLGATE_CRASH_URL"
	envControl = "TOLLGATE_CRASH_CONTROL" // where the server's owner is told to strike; empty: it is not
	// In how many cycles of TestKills the server is killed once, and its standby promoted once.
	serverEvery    = 5
	promotionEvery = 50
)

// openRecords opens the store of a child, in a schema for each world. The server may be away for a while.
func openRecords(file string) (store.Store, error) {
	return postgres.Open(context.Background(), postgres.Config{URL: os.Getenv(envURL), Connections: 8,
		Schema: fmt.Sprintf("w%x", sha256.Sum256([]byte(file)))[:20], Patience: time.Minute})
}

// checkFile has nothing to check: the server keeps its files.
func (w *world) checkFile() {}

// aboutRecords is what the owner of the server knows about it when a child does not come up.
func aboutRecords() string {
	if os.Getenv(envControl) == "" {
		return ""
	}
	r, err := http.Get(os.Getenv(envControl) + "/tell") //nolint:noctx // of a test
	if err != nil {
		return err.Error()
	}
	defer r.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(r.Body)
	return fmt.Sprintf("%s %v", text, err)
}

// others is what runs beside the first gateway, and what befell it.
type others struct {
	twin                       *process
	ready                      chan struct{} // closed when the twin serves
	since                      time.Duration // lead of the clock when it was launched
	twins, servers, promotions int
}

// strike kills the second gateway in some cycles, and the server in others. It returns when the server is back.
func (o *others) strike(w *world, cycle int) {
	w.t.Helper()
	if o.twin == nil {
		o.twin = &process{file: w.child.file, listener: w.child.listener, env: w.child.env, url: w.child.url,
			errors: w.child.errors}
		w.t.Cleanup(func() { o.twin.kill(w.t) })
	}
	promotes := cycle%promotionEvery == promotionEvery/2-3
	if os.Getenv(envControl) == "" || !promotes && cycle%serverEvery != serverEvery-1 {
		o.killTwin(w)
		return
	}
	o.launch(w)
	o.await(w) // it does not start without a server
	w.burst()  // the one before may be over
	time.Sleep(w.dice.upTo(30 * time.Millisecond))
	if promotes {
		o.promotions++
		command(w, "promote")
	} else {
		o.servers++
		command(w, "kill")
	}
}

// killTwin kills the second gateway often, and starts it where it does not run.
func (o *others) killTwin(w *world) {
	w.t.Helper()
	if o.twin.cmd != nil && w.dice.chance(40) {
		time.Sleep(w.dice.upTo(30 * time.Millisecond))
		o.twin.kill(w.t)
		o.twins++
	}
	o.launch(w)
}

// launch starts the second gateway where it does not run.
func (o *others) launch(w *world) {
	w.t.Helper()
	if o.twin.cmd == nil {
		o.ready, o.since = o.twin.launch(w.t), w.clock.lead()
	}
}

// expect ends the second gateway before the clock leads it further than half the lateness of the acquirer. A request
// that it was about to send would then be later than the acquirer has promised, though no time has passed.
func (o *others) expect(w *world, d time.Duration) {
	if o.twin != nil && w.clock.lead()+d-o.since > acquirerLateness/2 {
		o.quieten(w)
	}
}

// await waits until the second gateway serves.
func (o *others) await(w *world) {
	w.t.Helper()
	o.twin.await(w.t, o.ready)
}

// command tells the owner of the server what to do, and returns when the server takes writes again.
func command(w *world, what string) {
	w.t.Helper()
	r, err := http.Post(os.Getenv(envControl)+"/"+what, "", nil) //nolint:noctx // of a test
	require.NoError(w.t, err)
	require.NoError(w.t, r.Body.Close())
	require.Equal(w.t, http.StatusOK, r.StatusCode, what)
}

// quieten ends the second gateway.
func (o *others) quieten(w *world) {
	w.t.Helper()
	if o.twin != nil && o.twin.cmd != nil {
		o.twin.kill(w.t)
		o.twins++
	}
}

// struck is the figures.
func (o *others) struck() []string {
	if o.twin == nil {
		return nil
	}
	return []string{fmt.Sprintf("second_gateway_killed=%d", o.twins), fmt.Sprintf("server_killed=%d", o.servers),
		fmt.Sprintf("standby_promoted=%d", o.promotions)}
}
