package crash

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// delivery is a callback as it reached the merchant.
type delivery struct {
	ID       string
	Body     string
	Form     url.Values
	Accepted bool // the merchant answered that it has it
}

// merchant is a shop that writes down every callback before it answers.
type merchant struct {
	server  *httptest.Server
	dice    *dice
	refuses atomic.Int64 // of a hundred callbacks, for now

	mu   sync.Mutex
	log  []delivery
	wake chan struct{}        // closed and made anew with every delivery
	gate func(after delivery) // tests stop the merchant's answer here; nil lets it pass
}

func newMerchant(t *testing.T, d *dice) *merchant {
	t.Helper()
	m := &merchant{dice: d, wake: make(chan struct{})}
	m.server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.server.Close)
	return m
}

func (m *merchant) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the sender died over it
	}
	form, err := url.ParseQuery(string(body))
	d := delivery{
		ID: r.Header.Get("X-Tollgate-Callback-Id"), Body: string(body), Form: form,
		Accepted: err == nil && !m.dice.chance(int(m.refuses.Load())),
	}
	m.note(d)
	if !d.Accepted {
		http.Error(w, "come again", http.StatusInternalServerError)
	}
}

func (m *merchant) note(d delivery) {
	m.mu.Lock()
	m.log = append(m.log, d)
	gate := m.gate
	close(m.wake)
	m.wake = make(chan struct{})
	m.mu.Unlock()
	if gate != nil {
		gate(d)
	}
}

// hold makes every answer go through gate from now on.
func (m *merchant) hold(gate func(delivery)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gate = gate
}

// deliveries is the log so far.
func (m *merchant) deliveries() []delivery {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]delivery(nil), m.log...)
}

// wait returns the first delivery that is wanted, when it comes.
func (m *merchant) wait(t *testing.T, wanted func(delivery) bool) delivery {
	t.Helper()
	late := time.After(startTime)
	for {
		m.mu.Lock()
		wake := m.wake
		m.mu.Unlock()
		for _, d := range m.deliveries() {
			if wanted(d) {
				return d
			}
		}
		select {
		case <-wake:
		case <-late:
			t.Fatal("a callback did not come")
		}
	}
}
