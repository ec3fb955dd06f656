package notifiertest

import (
	"io"
	"net/http"
	"slices"
	"sync"
)

// merchant is the endpoint of a notifier that posts.
type merchant struct {
	mu    sync.Mutex
	got   []Message
	reply func(http.ResponseWriter)
	gone  chan struct{} // of a merchant who does not answer
}

func (m *merchant) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m.mu.Lock()
	if r.Method == http.MethodPost {
		m.got = append(m.got, Message{"http://" + r.Host + r.RequestURI, r.Header.Get("Content-Type"), body})
	}
	reply, gone := m.reply, m.gone
	m.mu.Unlock()
	switch {
	case gone != nil:
		<-gone
	case reply != nil:
		reply(w)
	default:
		_, _ = io.WriteString(w, "OK")
	}
}

func (m *merchant) answer(reply func(http.ResponseWriter)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reply = reply
}

// stall makes the merchant take requests and answer none, until leave.
func (m *merchant) stall() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gone = make(chan struct{})
}

// leave ends what waits for an answer.
func (m *merchant) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone != nil {
		close(m.gone)
		m.gone = nil
	}
}

func (m *merchant) messages() []Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.got)
}
