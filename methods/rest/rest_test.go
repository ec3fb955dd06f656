package rest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

// charge is what the acquirer of these tests answers.
type charge struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

var op = methods.Operation{
	Kind: store.OpSale, Key: "key-1", Amount: store.MustAmount("10.00"), Currency: "EUR",
}

func read(c charge) methods.Answer {
	if c.Status != "paid" {
		return methods.Declined(op, "the acquirer says "+c.Status)
	}
	return methods.Approved(op, c.ID)
}

func client(t testing.TB, base string, change ...func(*rest.Options)) *rest.Client {
	t.Helper()
	var o rest.Options
	for _, c := range change {
		c(&o)
	}
	c, err := rest.New(base, o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// asks sends a charge and a question about it, and returns both results.
func asks(t testing.TB, c *rest.Client, ctx context.Context) (performed, found methods.Answer) {
	t.Helper()
	charge := rest.Request{Path: "/charges", Body: map[string]string{"pan": "secret-body"}}
	performed = rest.Performed(c.Send(ctx, charge), op, read)
	return performed, rest.Found(c.Send(ctx, rest.Request{Path: "/charges/secret-path"}), op, read)
}

func serve(t testing.TB, answer http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s
}

// Each status has one meaning for an operation, and one for a question about it.
func TestStatuses(t *testing.T) {
	t.Parallel()
	status := 0
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		if status != http.StatusNoContent && status != http.StatusNotModified {
			_, _ = io.WriteString(w, `{"id":"ch-1","status":"paid"}`)
		}
	})
	nothing := map[int]bool{}
	for _, known := range []int{400, 401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 429, 431} {
		nothing[known] = true
	}
	c := client(t, s.URL)
	for status = 200; status < 600; status++ {
		performed, found := asks(t, c, t.Context())
		want, asked := methods.ResultUnknown, methods.ResultUnknown
		switch {
		case status == 204: // no body
		case status < 300:
			want, asked = methods.ResultApproved, methods.ResultApproved
		case nothing[status]:
			want = methods.ResultNotSent
		}
		if status == 404 {
			asked = methods.ResultNotFound
		}
		require.Equal(t, want, performed.Result, "%d, performed: %s", status, performed.Cause)
		require.Equal(t, asked, found.Result, "%d, found: %s", status, found.Cause)
		if want != methods.ResultApproved {
			require.Contains(t, performed.Cause, strconv.Itoa(status))
		}
	}
}

// A status that the acquirer declines with is its answer, and not a request that it refused.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, status := range []int{402, 422} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"status":"refused by the issuer"}`)
		})
		performed, found := asks(t, client(t, s.URL, func(o *rest.Options) { o.Answers = []int{402, 422} }), t.Context())
		require.Equal(t, methods.ResultDeclined, performed.Result)
		require.Equal(t, "the acquirer says refused by the issuer", performed.Reason)
		require.Equal(t, methods.ResultDeclined, found.Result)
	}
}

// failure is a way in which a request gets no whole answer.
type failure struct {
	name   string
	answer http.HandlerFunc
	want   methods.Result // of the operation; the question is always unknown
}

var failures = []failure{
	{"closes without an answer", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, methods.ResultUnknown},
	{"a cut body", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "500")
		_, _ = io.WriteString(w, `{"id":"ch-1","status":"paid"}`)
	}, methods.ResultUnknown},
	{"a cut body of 404", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "500")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{`)
	}, methods.ResultNotSent},
	{"half a line", raw("HTTP/1.1 20"), methods.ResultUnknown},
	{"no HTTP", raw("SSH-2.0-OpenSSH\r\n"), methods.ResultUnknown},
	{"chunks without an end", raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1c\r\n" +
		`{"id":"ch-1","status":"paid"}`), methods.ResultUnknown},
	{"too long", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"id":"ch-1","status":"paid","more":"`+strings.Repeat("x", rest.DefaultMaxBytes)+`"}`)
	}, methods.ResultUnknown},
	{"an empty body", func(http.ResponseWriter, *http.Request) {}, methods.ResultUnknown},
	{"null", text("null"), methods.ResultUnknown},
	{"a page", text("<html>welcome</html>"), methods.ResultUnknown},
	{"half an object", text(`{"id":"ch-1","status":"paid"`), methods.ResultUnknown},
	{"two objects", text(`{"id":"ch-1","status":"paid"}{"status":"refused"}`), methods.ResultUnknown},
	{"another type", text(`{"id":1,"status":true}`), methods.ResultUnknown},
	{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere" {
			_, _ = io.WriteString(w, `{"id":"ch-1","status":"paid"}`)
			return
		}
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}, methods.ResultUnknown},
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

// raw writes bytes in place of an answer and closes.
func raw(bytes string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(conn, bytes)
		_ = conn.Close()
	}
}

// An answer that is not whole is no answer.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			performed, found := asks(t, client(t, serve(t, f.answer).URL), t.Context())
			require.Equal(t, f.want, performed.Result, performed.Cause)
			require.Equal(t, methods.ResultUnknown, found.Result, found.Cause)
			for _, cause := range []string{performed.Cause, found.Cause} {
				require.NotEmpty(t, cause)
				require.NotContains(t, cause, "secret")
			}
		})
	}
}

// What never reached the acquirer is not sent; a question about it stays without an answer.
func TestNotSent(t *testing.T) {
	t.Parallel()
	untrusted := httptest.NewUnstartedServer(http.HandlerFunc(text(`{"id":"ch-1","status":"paid"}`)))
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		base string
		ctx  context.Context
	}{
		"a connection is refused":       {"http://127.0.0.1:1", t.Context()},
		"a certificate is not trusted":  {untrusted.URL, t.Context()},
		"no such host":                  {"https://no-such-host.invalid", t.Context()},
		"the context ended before":      {serve(t, text(`{"id":"ch-1","status":"paid"}`)).URL, ended},
		"a handshake that does not end": {silent(t), briefly(t)},
	} {
		performed, found := asks(t, client(t, c.base), c.ctx)
		require.Equal(t, methods.ResultNotSent, performed.Result, "%s: %s", name, performed.Cause)
		require.Equal(t, methods.ResultUnknown, found.Result, name)
		require.NotContains(t, performed.Cause+found.Cause, "secret", name)
	}
}

func briefly(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// silent is the address of a TLS server that never begins its handshake.
func silent(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	return "https://" + listener.Addr().String()
}

// A request without an answer in time may have been performed.
func TestNoAnswerInTime(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		cancel()
		<-r.Context().Done()
	})
	a := rest.Performed(client(t, s.URL).Send(ctx, rest.Request{Path: "/charges", Body: 1}), op, read)
	require.Equal(t, methods.ResultUnknown, a.Result)
	require.Equal(t, "the acquirer did not answer in time", a.Cause)
}

// A request with a key is sent once, also where the acquirer takes it and closes a connection that was used before:
// package net/http would send it again.
func TestSentOnce(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"Idempotency-Key", "X-Idempotency-Key", "X-Request-Key"} {
		for _, inHeader := range []bool{false, true} {
			var arrived atomic.Int32
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					_, _ = io.WriteString(w, `{}`)
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				if r.Header.Get(header) == "key-1" {
					arrived.Add(1)
				}
				panic(http.ErrAbortHandler)
			})
			c := client(t, s.URL, func(o *rest.Options) { o.KeyHeader = header })
			require.Equal(t, 200, c.Send(t.Context(), rest.Request{Path: "/"}).Status)
			r := rest.Request{Path: "/charges", Key: "key-1", Body: 1}
			if inHeader {
				r.Key, r.Header = "", http.Header{header: {"key-1"}}
			}
			require.Equal(t, methods.ResultUnknown, rest.Performed(c.Send(t.Context(), r), op, read).Result)
			require.EqualValues(t, 1, arrived.Load(), header)
		}
	}
}

// A request arrives as it was asked for.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Saw", fmt.Sprintf("%s %s %q %q %q %s", r.Method, r.RequestURI, r.Header.Get("Content-Type"),
			r.Header.Get("X-Api-Key"), r.Header.Get("Idempotency-Key"), body))
	})
	c := client(t, s.URL+"/v1/", func(o *rest.Options) { o.KeyHeader = "idempotency-key" })
	secret := http.Header{"x-api-key": {"hush"}}
	for name, c2 := range map[string]struct {
		r    rest.Request
		want string
	}{
		"JSON": {rest.Request{Path: "/charges", Key: "k", Header: secret, Body: map[string]int{"a": 1}},
			`POST /v1/charges "application/json" "hush" "k" {"a":1}`},
		"a form": {rest.Request{Path: "/charges", Body: url.Values{"a": {"1"}}},
			`POST /v1/charges "application/x-www-form-urlencoded" "" "" a=1`},
		"bytes": {rest.Request{Path: "/c", Header: http.Header{"content-type": {"text/xml"}}, Body: []byte("<a/>")},
			`POST /v1/c "text/xml" "" "" <a/>`},
		"a question": {rest.Request{Path: "/c/" + url.PathEscape("a/b"), Query: url.Values{"x": {"1 2"}}},
			`GET /v1/c/a%2Fb?x=1+2 "" "" ""`},
		"another method": {rest.Request{Method: http.MethodDelete, Path: "/c"}, `DELETE /v1/c "" "" ""`},
	} {
		reply := c.Send(t.Context(), c2.r)
		require.Equal(t, c2.want, reply.Header.Get("X-Saw"), name)
	}
	require.Equal(t, http.Header{"x-api-key": {"hush"}}, secret, "the caller's header is unchanged")
}

// A request that cannot be sent is not sent, and the cause says what is wrong and shows nothing of it.
func TestWrongRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a wrong request was sent") })
	c := client(t, s.URL)
	for name, r := range map[string]rest.Request{
		"no slash":         {Path: "charges-secret"},
		"a query":          {Path: "/c?secret=1"},
		"a key for nobody": {Path: "/c", Key: "secret"},
		"no JSON":          {Path: "/c", Body: map[string]any{"secret": func() {}}},
		"no method":        {Method: "B A D", Path: "/secret"},
		"no path":          {Path: "/%zz-secret"},
	} {
		a := rest.Performed(c.Send(t.Context(), r), op, read)
		require.Equal(t, methods.ResultNotSent, a.Result, name)
		require.NotEmpty(t, a.Cause, name)
		require.NotContains(t, a.Cause, "secret", name)
	}
	require.Equal(t, methods.ResultNotSent, rest.Performed(rest.Reply{}, op, read).Result, "the zero reply")
	require.Equal(t, methods.ResultUnknown, rest.Found(rest.Reply{}, op, read).Result, "the zero reply")
}

// A client of a URL or with options that cannot be right is refused.
func TestNew(t *testing.T) {
	t.Parallel()
	for _, base := range []string{
		"", "acquirer.example", "/v1", "ftp://acquirer.example", "https://", "https://user:secret@a.example",
		"https://a.example?key=secret", "https://a.example#x", "https://a.example?", "http://a.example", "http://192.0.2.1",
	} {
		_, err := rest.New(base, rest.Options{})
		require.Error(t, err, base)
		require.NotContains(t, err.Error(), "secret")
	}
	for _, base := range []string{
		"https://a.example", "https://a.example/v1/", "http://127.0.0.1:8080", "http://[::1]", "http://localhost",
	} {
		_, err := rest.New(base, rest.Options{})
		require.NoError(t, err, base)
	}
	_, err := rest.New("http://a.example", rest.Options{Plain: true})
	require.NoError(t, err)
	for _, o := range []rest.Options{
		{MaxBytes: -1}, {Answers: []int{302}}, {Answers: []int{402, 500}}, {Answers: []int{200}},
	} {
		_, err := rest.New("https://a.example", o)
		require.Error(t, err, "%+v", o)
	}
	require.Panics(t, func() { rest.Must(rest.New("", rest.Options{})) })
	require.NotNil(t, rest.Must(rest.New("https://a.example", rest.Options{})))
}

// The limit of an answer is exact.
func TestMaxBytes(t *testing.T) {
	t.Parallel()
	body := `{"id":"ch-1","status":"paid"}`
	s := serve(t, text(body))
	for limit, want := range map[int64]methods.Result{
		int64(len(body)): methods.ResultApproved, int64(len(body)) - 1: methods.ResultUnknown,
	} {
		performed, _ := asks(t, client(t, s.URL, func(o *rest.Options) { o.MaxBytes = limit }), t.Context())
		require.Equal(t, want, performed.Result)
	}
}

// A transport of the host that does not tell how far it came may have sent the request.
func TestTransportThatTellsNothing(t *testing.T) {
	t.Parallel()
	c := client(t, "https://a.example", func(o *rest.Options) { o.Transport = failing{} })
	a := rest.Performed(c.Send(t.Context(), rest.Request{Path: "/c", Body: 1}), op, read)
	require.Equal(t, methods.ResultUnknown, a.Result)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	a = rest.Performed(c.Send(ended, rest.Request{Path: "/c", Body: 1}), op, read)
	require.Equal(t, methods.ResultNotSent, a.Result, "the transport was not asked")
}

type failing struct{}

func (failing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Err: io.ErrUnexpectedEOF}
}

// A cut answer is unknown, also where its status could be a decline.
func TestCutDecline(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "500")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = io.WriteString(w, `{"status":"refused"`)
	})
	performed, _ := asks(t, client(t, s.URL, func(o *rest.Options) { o.Answers = []int{422} }), t.Context())
	require.Equal(t, methods.ResultUnknown, performed.Result)
}

// Another answer than JSON is read with Failed and Missing.
func TestOtherBodies(t *testing.T) {
	t.Parallel()
	s := serve(t, text("OK|ch-1"))
	reply := client(t, s.URL).Send(t.Context(), rest.Request{Path: "/c", Body: url.Values{}})
	_, failed := reply.Failed(op)
	require.False(t, failed)
	_, missing := reply.Missing(op)
	require.False(t, missing)
	require.Equal(t, "OK|ch-1", string(reply.Body))
}

// FuzzAnswer: no bytes of an acquirer panic, and none is approved but a whole object that says so.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 29\r\n\r\n" + `{"id":"ch-1","status":"paid"}`))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\n" + `{"id":"ch-1","status":"paid"}`))
	f.Add([]byte("HTTP/1.1 404 Not Found\r\n\r\n"))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		c := client(t, "http://localhost", func(o *rest.Options) { o.Transport = answering(bytes) })
		performed, found := asks(t, c, t.Context())
		require.Contains(t, []methods.Result{methods.ResultApproved, methods.ResultDeclined, methods.ResultNotSent,
			methods.ResultUnknown}, performed.Result)
		require.NotEqual(t, methods.ResultNotSent, found.Result)
		if performed.Result == methods.ResultApproved {
			require.Contains(t, string(bytes), "paid")
			require.Contains(t, string(bytes), " 2")
		}
	})
}

// answering is a transport that reads an answer from bytes.
type answering []byte

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return http.ReadResponse(bufio.NewReader(strings.NewReader(string(a))), r)
}
