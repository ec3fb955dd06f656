package doortest

import (
	"bytes"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// lines is a log that can be written while it is read.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Serve returns a server that runs until the test ends. The test fails when the server logs an error, such as a panic
// of a handler. Send with the server's own Client: the default client of net/http is shared, and any test that closes
// a server breaks its connections.
func Serve(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	complaints := &lines{}
	server := httptest.NewUnstartedServer(Recorded(t, h))
	server.Config.ErrorLog = log.New(complaints, "", 0)
	server.Start()
	t.Cleanup(func() {
		server.Close()
		if text := complaints.String(); text != "" {
			t.Errorf("the server complained: %s", text)
		}
	})
	return server
}
