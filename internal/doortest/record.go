package doortest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TrafficDir is the variable of the environment that names a folder for the traffic of tests. Without it nothing is
// recorded.
const TrafficDir = "TOLLGATE_TRAFFIC"

// Exchange is a request of a test and its answer, as the folder has them: one JSON document on each line.
type Exchange struct {
	Test, Method, Path, ContentType string
	Body                            []byte
	Status                          int
	AnswerType                      string
	Answer                          []byte
}

// Recorded is a handler whose traffic is written into the folder of TrafficDir, for those who hold it against a
// description of the protocol.
func Recorded(t testing.TB, next http.Handler) http.Handler {
	t.Helper()
	dir := os.Getenv(TrafficDir)
	if dir == "" {
		return next
	}
	file, err := os.CreateTemp(dir, "*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	var mu sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, answer := &bytes.Buffer{}, &twice{ResponseWriter: w, status: 200}
		own := *r // the server looks at the body of its own request, to end the connection in good order
		own.Body = &tee{r.Body, io.TeeReader(r.Body, body)}
		next.ServeHTTP(answer, &own)
		line, err := json.Marshal(Exchange{Test: filepath.ToSlash(t.Name()), Method: r.Method, Path: r.URL.Path,
			ContentType: r.Header.Get("Content-Type"), Body: body.Bytes(), Status: answer.status,
			AnswerType: answer.Header().Get("Content-Type"), Answer: answer.text.Bytes()})
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			_, err = file.Write(append(line, '\n'))
		}
		if err != nil {
			t.Errorf("the traffic was not recorded: %v", err)
		}
	})
}

// tee is a body of which what the handler reads is kept.
type tee struct {
	io.Closer
	io.Reader
}

// twice keeps what a handler answers.
type twice struct {
	http.ResponseWriter
	status int
	text   bytes.Buffer
}

func (w *twice) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *twice) Write(p []byte) (int, error) {
	w.text.Write(p)
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the server.
func (w *twice) Unwrap() http.ResponseWriter { return w.ResponseWriter }
