package methodstest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// restPayment is a payment or a refund in the API of the acquirer of these tests.
type restPayment struct {
	ID       string `json:"id,omitempty"`
	Key      string `json:"key,omitempty"`
	Kind     string `json:"kind"` // charge, hold, capture or refund
	Of       string `json:"of,omitempty"`
	Units    string `json:"units"` // of the smallest unit of the currency
	Currency string `json:"currency"`
	Card     string `json:"card,omitempty"` // a name of a test card
	Back     string `json:"back,omitempty"`
	Status   string `json:"status,omitempty"` // paid, refused or away
	Reason   string `json:"reason,omitempty"`
	Page     string `json:"page,omitempty"`
	Proof    string `json:"-"`
}

// restAcquirer is an acquirer over HTTP with books: it keeps the Idempotency-Key of a request, and answers the same
// again.
type restAcquirer struct {
	*httptest.Server
	mu     sync.Mutex
	by     map[string]*restPayment // by key, and by id
	count  map[string]int          // effects, by the key of the gateway
	faults map[string][]restFault  // by the key of the gateway

	closing chan struct{}
}

// restFault is what happens to the next request about a key.
type restFault struct {
	status       int  // is answered, and nothing is done
	lost, answer bool // the connection breaks before anything is done, or before the answer
	stalls       bool
}

func newRestAcquirer(tb testing.TB) *restAcquirer {
	a := &restAcquirer{by: map[string]*restPayment{}, count: map[string]int{}, faults: map[string][]restFault{},
		closing: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /payments", a.pay)
	mux.HandleFunc("GET /payments/{key}", a.tell)
	mux.HandleFunc("POST /payments/{id}/confirm", a.confirm)
	a.Server = httptest.NewServer(mux)
	tb.Cleanup(func() {
		close(a.closing)
		a.Close()
	})
	return a
}

func (a *restAcquirer) fault(key string, f restFault) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.faults[key] = append(a.faults[key], f)
}

// fails reports whether a request about a key was answered, or not, by a fault. The returned function ends one whose
// answer is lost.
func (a *restAcquirer) fails(w http.ResponseWriter, r *http.Request, key string) (done bool, end func()) {
	a.mu.Lock()
	list := a.faults[key]
	if len(list) == 0 {
		a.mu.Unlock()
		return false, func() {}
	}
	f := list[0]
	a.faults[key] = list[1:]
	a.mu.Unlock()
	switch {
	case f.lost && f.answer:
		return false, func() { panic(http.ErrAbortHandler) }
	case f.lost:
		panic(http.ErrAbortHandler)
	case f.stalls:
		select {
		case <-r.Context().Done():
		case <-a.closing:
		}
	default:
		w.WriteHeader(f.status)
		_, _ = io.WriteString(w, `{"status":"refused","reason":"an error","units":"1000","currency":"USD","key":"`+key+`"}`)
	}
	return true, nil
}

func (a *restAcquirer) pay(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var p restPayment
	if json.Unmarshal(body, &p) != nil || r.Header.Get("X-Api-Key") != "key-1" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	p.Key = r.Header.Get("Idempotency-Key")
	done, end := a.fails(w, r, p.Key)
	if done {
		return
	}
	defer end()
	status, answer := a.book(p)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

// book books a payment under its key the first time, and answers the same afterwards.
func (a *restAcquirer) book(p restPayment) (int, restPayment) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if before := a.by[p.Key]; p.Key != "" && before != nil {
		if before.Units != p.Units || before.Currency != p.Currency {
			return http.StatusConflict, restPayment{}
		}
		return http.StatusOK, *before
	}
	p.ID, p.Status = "pay-"+randomText(), "paid"
	of := a.by[p.Of]
	switch {
	case p.Card == "refused":
		p.Status, p.Reason = "refused", "Insufficient funds"
	case p.Card == "away":
		p.Status, p.Page, p.Proof = "away", a.URL+"/page/"+p.ID, randomText()
	case p.Kind == "capture" || p.Kind == "refund":
		if of == nil || of.Status != "paid" || a.left(of, p.Kind).Cmp(unitsOf(p.Units)) < 0 {
			p.Status, p.Reason = "refused", "Not enough is left"
		}
	}
	a.by[p.Key], a.by[p.ID] = &p, &p
	if p.Status == "paid" {
		a.count[p.Key]++
	}
	return http.StatusOK, p
}

func unitsOf(text string) store.Amount {
	amount, err := store.ParseAmount(text)
	if err != nil {
		return store.Amount{}
	}
	return amount
}

// left is what can still be captured of a hold, or refunded of what was captured.
func (a *restAcquirer) left(of *restPayment, kind string) store.Amount {
	taken, captured := store.Amount{}, store.Amount{}
	for id, p := range a.by {
		switch {
		case id != p.ID || p.Of != of.ID || p.Status != "paid":
		case p.Kind == kind:
			taken = taken.Add(unitsOf(p.Units))
		case p.Kind == "capture":
			captured = captured.Add(unitsOf(p.Units))
		}
	}
	whole := unitsOf(of.Units)
	if of.Kind == "hold" && kind == "refund" {
		whole = captured
	}
	left, _ := whole.Sub(taken)
	return left
}

func (a *restAcquirer) tell(w http.ResponseWriter, r *http.Request) {
	done, end := a.fails(w, r, r.PathValue("key"))
	if done {
		return
	}
	defer end()
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.by[r.PathValue("key")]
	if p == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(p)
}

// confirm ends a payment whose payer was away, by the proof that the browser brings back.
func (a *restAcquirer) confirm(w http.ResponseWriter, r *http.Request) {
	var given struct{ Proof string }
	_ = json.NewDecoder(r.Body).Decode(&given)
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.by[r.PathValue("id")]
	if p == nil || p.Proof != given.Proof {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if p.Status == "away" {
		p.Status = "paid"
		a.count[p.Key]++
	}
	_ = json.NewEncoder(w).Encode(p)
}

// restSubject is the connector c, made for the acquirer, under the suite.
func restSubject(tb testing.TB, make func(base string) methods.Connector) Subject {
	a := newRestAcquirer(tb)
	card := func(name string) func(*methods.Operation) {
		return func(op *methods.Operation) {
			op.MID.Secrets = map[string]store.Secret{"api_key": store.NewSecret("key-1")}
			op.Parameters = []byte(`{"card":"` + name + `"}`)
		}
	}
	with := func(f restFault) func(testing.TB, methods.Connector, methods.Operation) {
		return func(_ testing.TB, _ methods.Connector, op methods.Operation) { a.fault(op.Key, f) }
	}
	return Subject{
		New:     func(testing.TB) methods.Connector { return make(a.URL) },
		Approve: card("good"), Decline: card("refused"), Away: card("away"),
		Payer: func(tb testing.TB, _ methods.Connector, op methods.Operation, answer methods.Answer) methods.Return {
			a.mu.Lock()
			defer a.mu.Unlock()
			id := answer.Redirect.URL[strings.LastIndex(answer.Redirect.URL, "/")+1:]
			require.NotNil(tb, a.by[id])
			return methods.Return{Method: "GET", Params: map[string][]string{"proof": {a.by[id].Proof}}}
		},
		LoseRequest: with(restFault{lost: true}), LoseAnswer: with(restFault{lost: true, answer: true}),
		Stall: with(restFault{stalls: true}),
		Fail: func(_ testing.TB, _ methods.Connector, op methods.Operation, status int) {
			a.fault(op.Key, restFault{status: status})
		},
		Effects: func(_ testing.TB, _ methods.Connector, op methods.Operation) int {
			a.mu.Lock()
			defer a.mu.Unlock()
			return a.count[op.Key]
		},
		Booked: func(tb testing.TB, _ methods.Connector, op methods.Operation) (store.Amount, string) {
			a.mu.Lock()
			defer a.mu.Unlock()
			p := a.by[op.Key]
			require.NotNil(tb, p, "the acquirer has nothing under the key")
			amount, err := (*methods.Currencies)(nil).Major(p.Units, p.Currency)
			require.NoError(tb, err)
			return amount, p.Currency
		},
		Others:  map[string]string{"JPY": "1000", "KWD": "1.234"},
		Without: []store.Operation{store.OpVoid, store.OpReversal, store.OpCredit, store.OpDebit, store.OpCalc},
	}
}
