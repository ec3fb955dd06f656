package crash

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

const acquirerLateness = time.Minute

// banker is vcard as an acquirer in its own process: it has a ledger in its own file and is called over HTTP. It
// outlives every gateway, and books each request that arrived complete, even if the child that sent it is dead.
type banker struct {
	*vcard.Connector
	orders
	dice *dice
	work sync.RWMutex // read by a request that has arrived, until it is booked

	mu       sync.Mutex
	seen     map[string]bool // keys that were asked about
	answered map[string]bool // keys whose outcome was learned by a question
}

// serveBank runs the process, which ends with the parent.
func serveBank(listener net.Listener) error {
	ledger, err := bolt.Open(os.Getenv(envFile))
	if err != nil {
		return err
	}
	a := &banker{dice: newDice(seedOf()), seen: map[string]bool{}, answered: map[string]bool{}}
	a.Connector, err = vcard.New(vcard.Config{
		Store: ledger, Secret: store.NewSecret("the acquirer of the crash tests"),
		PublicURL: "http://" + listener.Addr().String() + "/vcard", Now: a.now,
	})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	path := os.Getenv(envPath)
	mux.HandleFunc("POST "+path, a.serve)
	mux.HandleFunc("POST "+path+"/orders", a.take)
	mux.HandleFunc("GET "+path+"/books", a.books)
	mux.Handle("/vcard/", http.StripPrefix("/vcard", a.Pages()))
	fmt.Println("ready")
	return http.Serve(listener, mux)
}

// shownBooks is what the judge reads of the acquirer.
type shownBooks struct {
	Ledger    []vcard.Entry
	Recovered int // operations whose outcome was learned by a question
}

// books waits until every request that arrived is booked, and returns everything.
func (a *banker) books(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("wait") != "" {
		a.work.Lock()
		defer a.work.Unlock()
	}
	ledger, err := a.Ledger(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_ = json.NewEncoder(w).Encode(shownBooks{ledger, len(a.answered)})
}

func (a *banker) serve(w http.ResponseWriter, r *http.Request) {
	a.work.RLock()
	defer a.work.RUnlock()
	var q question
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, "not whole", http.StatusBadRequest) // the sender died while sending
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
	if a.dice.chance(a.standing().Percent) {
		panic(http.ErrAbortHandler) // the answer is lost on the way
	}
	_ = json.NewEncoder(w).Encode(answer) // the sender may be dead
}

func (a *banker) answer(ctx context.Context, op methods.Operation, q question) methods.Answer {
	switch {
	case q.Call == vcard.CallFind:
		return a.Find(ctx, op)
	case q.Call == vcard.CallComplete && q.Back != nil:
		return a.Complete(ctx, op, *q.Back)
	}
	return a.Perform(ctx, op)
}

// pass waits: 0 to 20 ms for both stages together, or as long as a test wants.
func (a *banker) pass(stage string, q question) {
	if !a.asked(passage{Stage: stage, Call: q.Call, Kind: q.Operation.Kind}) {
		time.Sleep(a.dice.upTo(10 * time.Millisecond))
	}
}

// count records which outcomes recovery learned: by Find, or by a repeated request.
func (a *banker) count(q question, answer methods.Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := q.Operation.Key
	again := q.Call == vcard.CallFind || q.Call == vcard.CallPerform && a.seen[key]
	if again && (answer.Result == methods.ResultApproved || answer.Result == methods.ResultDeclined) {
		a.answered[key] = true
	}
	a.seen[key] = a.seen[key] || q.Call == vcard.CallPerform
}

// dice is reproducible chance for many goroutines.
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
