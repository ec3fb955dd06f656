package crash

import (
	"context"
	secret "crypto/rand"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

const acquirerLateness = time.Minute

// acquirer is vcard as its own house: a ledger in its own file, reached over HTTP. It outlives every
// child, and books what has arrived whole though the child that sent it is dead.
type acquirer struct {
	*vcard.Connector
	server *httptest.Server
	path   string
	dice   *dice
	loses  atomic.Int64   // of a hundred answers, on the way
	work   sync.WaitGroup // requests that have arrived

	mu       sync.Mutex
	seen     map[string]bool                // keys that were asked for
	answered map[string]bool                // keys whose outcome was learned by asking again
	gate     func(stage string, q question) // tests stop calls here; nil lets them pass
}

func newAcquirer(t *testing.T, c *clock, d *dice) *acquirer {
	t.Helper()
	ledger, err := bolt.Open(filepath.Join(t.TempDir(), "acquirer.db"))
	require.NoError(t, err)
	a := &acquirer{dice: d, seen: map[string]bool{}, answered: map[string]bool{}}
	mux := http.NewServeMux()
	a.server = httptest.NewServer(mux)
	a.Connector, err = vcard.New(vcard.Config{
		Store: ledger, Secret: store.NewSecret("the acquirer of the crash tests"),
		PublicURL: a.server.URL + "/vcard", Now: c.Now,
	})
	require.NoError(t, err)
	a.path = "/rpc/" + secret.Text() // a port may be another's a moment later: strangers find nothing here
	mux.HandleFunc("POST "+a.path, a.serve)
	mux.Handle("/vcard/", http.StripPrefix("/vcard", a.Pages()))
	t.Cleanup(func() {
		a.server.Close()
		a.work.Wait()
		require.NoError(t, ledger.Close())
	})
	return a
}

func (a *acquirer) serve(w http.ResponseWriter, r *http.Request) {
	a.work.Add(1)
	defer a.work.Done()
	var q question
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, "not whole", http.StatusBadRequest) // the sender died over it
		return
	}
	op, err := q.operation()
	if err != nil {
		http.Error(w, "no card", http.StatusBadRequest)
		return
	}
	a.pass("before", q)
	answer := a.answer(context.WithoutCancel(r.Context()), op, q)
	a.count(q, answer)
	a.pass("after", q)
	if a.dice.chance(int(a.loses.Load())) {
		panic(http.ErrAbortHandler) // the answer is lost on the way
	}
	_ = json.NewEncoder(w).Encode(answer) // nobody may be there to read it
}

func (a *acquirer) answer(ctx context.Context, op methods.Operation, q question) methods.Answer {
	switch {
	case q.Call == vcard.CallFind:
		return a.Find(ctx, op)
	case q.Call == vcard.CallComplete && q.Back != nil:
		return a.Complete(ctx, op, *q.Back)
	}
	return a.Perform(ctx, op)
}

// pass takes its time: 0 to 20 ms for both stages together, or as long as a test wants.
func (a *acquirer) pass(stage string, q question) {
	a.mu.Lock()
	gate := a.gate
	a.mu.Unlock()
	if gate != nil {
		gate(stage, q)
		return
	}
	time.Sleep(a.dice.upTo(10 * time.Millisecond))
}

// count notes which outcomes were told to recovery: by Find, or to a request that came again.
func (a *acquirer) count(q question, answer methods.Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := q.Operation.Key
	again := q.Call == vcard.CallFind || q.Call == vcard.CallPerform && a.seen[key]
	if again && (answer.Result == methods.ResultApproved || answer.Result == methods.ResultDeclined) {
		a.answered[key] = true
	}
	a.seen[key] = a.seen[key] || q.Call == vcard.CallPerform
}

// hold makes every call go through gate from now on.
func (a *acquirer) hold(gate func(stage string, q question)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gate = gate
}

// recovered is how many operations got their outcome by asking again.
func (a *acquirer) recovered() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.answered)
}

// dice is chance that can be played again, for many goroutines.
type dice struct {
	mu sync.Mutex
	r  *rand.Rand
}

func newDice(seed uint64) *dice { return &dice{r: rand.New(rand.NewPCG(seed, 1))} }

func (d *dice) intN(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.IntN(n)
}

func (d *dice) chance(percent int) bool                  { return d.intN(100) < percent }
func (d *dice) upTo(most time.Duration) time.Duration    { return time.Duration(d.intN(int(most))) }
func (d *dice) between(a, b time.Duration) time.Duration { return a + d.upTo(b-a) }
