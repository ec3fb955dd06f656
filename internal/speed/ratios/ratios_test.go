package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/store"
)

// TestLoad: the client reads an answer to its end, however its length is told, and reports one that is no 200.
func TestLoad(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 10_000)
	for _, c := range []struct {
		name   string
		answer func(http.ResponseWriter)
		fault  string
	}{
		{name: "with a length", answer: func(w http.ResponseWriter) { _, _ = io.WriteString(w, "short") }},
		{name: "without a body", answer: func(http.ResponseWriter) {}},
		{name: "in chunks", answer: func(w http.ResponseWriter) { _, _ = io.WriteString(w, large) }},
		{name: "refused", fault: "HTTP/1.1 400 Bad Request",
			answer: func(w http.ResponseWriter) { http.Error(w, "no", http.StatusBadRequest) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bodies := make(chan string, 200)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				text, _ := io.ReadAll(r.Body)
				bodies <- r.URL.Path + " " + string(text)
				c.answer(w)
			}))
			defer server.Close()
			requests := requestsOf("/a", asForm, "", 200, func(int64) []byte { return []byte("b=c") }, 0)
			_, err := load(server.Listener.Addr().String(), requests)
			if c.fault != "" {
				require.ErrorContains(t, err, c.fault)
				return
			}
			require.NoError(t, err)
			require.Len(t, bodies, 200)
			require.Equal(t, "/a b=c", <-bodies)
		})
	}
}

// TestServers: each server takes the requests that it is measured with.
func TestServers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		role, path, contentType string
		body                    func(int64) []byte
	}{
		{bareServer, "/api/v1/session", "application/json", speed.SessionJSON},
		{sessionServer, "/api/v1/session", "application/json", speed.SessionJSON},
		{memoryServer, "/post", asForm, speed.SaleForm},
		{boltServer, "/post", asForm, speed.SaleForm},
	} {
		t.Run(c.role, func(t *testing.T) {
			t.Parallel()
			handler, end, err := handlerOf(context.Background(), c.role, filepath.Join(t.TempDir(), "a.db"))
			require.NoError(t, err)
			server := httptest.NewServer(handler)
			_, err = load(server.Listener.Addr().String(), requestsOf(c.path, c.contentType, "", 64, c.body, 0))
			server.Close()
			require.NoError(t, err)
			require.NoError(t, end())
		})
	}
	_, _, err := handlerOf(t.Context(), "none", "")
	require.ErrorContains(t, err, `no server is called "none"`)
}

// printed are rows of the parts that need no other process.
var printed = map[string][]string{
	"durable": {`ratio="durable sale in process with 64 callers, of raw bbolt"`},
	"exclusive": {
		`measure="time inside the exclusive section of a sale, on memory"`,
		`measure="time inside the exclusive section of an S2S sale, on memory"`,
		`measure="time inside the exclusive section of a sale, on bolt"`,
		`measure="time inside the exclusive section of an S2S sale, on bolt"`,
	},
	"idle":  {`measure="idle Tick on memory"`, `measure="idle Tick on bolt"`},
	"purge": {`measured_once="worst step of a purge of expired sessions, on memory"`},
	"schedules": {
		`measured_once="all schedules that are due in one minute on bolt, until all are stored as paid"`,
		`measured_once="the same, until all callbacks are delivered"`,
	},
	"start and status": {
		`measure="start on the file with all payments"`,
		`measure="status p50 among all payments on bolt, of a raw Get and Unmarshal"`,
	},
}

// TestParts runs what needs no other process, in small.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, p := range parts[1:] {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			b := &bench{sizes: sizes{repeat: 1, sales: 100, payments: 100, sessions: 200, schedules: 20}, out: &out}
			require.NoError(t, b.measure(t.Context(), p.run))
			require.NotEmpty(t, printed[p.name])
			for _, row := range printed[p.name] {
				require.Contains(t, out.String(), "speed: "+row)
			}
			require.NoDirExists(t, b.folder)
		})
	}
}

// TestPaymentShape: a payment's document with every field fits into the struct of the reference.
func TestPaymentShape(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile(filepath.Join("..", "..", "..", "store", "testdata", "records", "payment.json"))
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(bytes.Replace(document, []byte(`"v":1,`), nil, 1)))
	decoder.DisallowUnknownFields()
	p := reflect.New(paymentShape)
	require.NoError(t, decoder.Decode(p.Interface()))
	require.Equal(t, store.Status("Status 15"), p.Elem().FieldByName("Status").Interface())
}
