package callback

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"
)

const formType = "application/x-www-form-urlencoded; charset=utf-8"

func local(timeout time.Duration) *HTTPNotifier {
	return &HTTPNotifier{Timeout: timeout, Dial: Dial{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}}
}

func delivery(target string) Delivery {
	return Delivery{ID: "cb-1", Attempt: 1, URL: target, ContentType: formType, Body: []byte("id=1&status=success")}
}

func strict(target string) Delivery {
	d := delivery(target)
	d.RequireOK = true
	return d
}

// serve starts a merchant's server on the loopback address and a notifier that may call it.
func serve(t *testing.T, h http.HandlerFunc) (*HTTPNotifier, string) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	n := local(5 * time.Second)
	t.Cleanup(n.Close)
	return n, s.URL
}

func TestAcknowledgement(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		status  int
		body    string
		any, ok Verdict // without and with RequireOK
	}{
		{"OK", 200, "OK", Accepted, Accepted},
		{"lower case and space", 200, " \r\nok\n", Accepted, Accepted},
		{"mixed case, 201", 201, "oK", Accepted, Accepted},
		{"299", 299, "OK", Accepted, Accepted},
		{"empty", 200, "", Accepted, Refused},
		{"204", 204, "", Accepted, Refused},
		{"ERROR", 200, "ERROR", Accepted, Refused},
		{"OK and more", 200, "OK!", Accepted, Refused},
		{"quoted", 200, `"OK"`, Accepted, Refused},
		{"Kelvin sign", 200, "O\u212a", Accepted, Refused},
		{"one byte off", 200, "/K", Accepted, Refused},
		{"OK after the limit", 200, strings.Repeat(" ", maxAnswer) + "OK", Accepted, Refused},
		{"OK at the limit", 200, strings.Repeat(" ", maxAnswer-2) + "OK", Accepted, Accepted},
		{"300", 300, "OK", Refused, Refused},
		{"404", 404, "OK", Refused, Refused},
		{"410", 410, "OK", Refused, Refused},
		{"500", 500, "OK", Refused, Refused},
		{"599", 599, "OK", Refused, Refused},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n, target := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			r := n.Deliver(t.Context(), delivery(target))
			require.Equal(t, c.any, r.Verdict, r.Detail)
			require.Equal(t, c.status, r.Status)
			r = n.Deliver(t.Context(), strict(target))
			require.Equal(t, c.ok, r.Verdict, r.Detail)
			require.Equal(t, r.Verdict == Accepted, r.Detail == "")
		})
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	var got []*http.Request
	var bodies []string
	n, target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got, bodies = append(got, r), append(bodies, string(body))
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
	})
	d := delivery(target + "/path?x=1#part")
	require.Equal(t, Receipt{Verdict: Accepted, Status: 200}, n.Deliver(t.Context(), d))
	d.Attempt = 2
	require.Equal(t, Accepted, n.Deliver(t.Context(), d).Verdict)

	require.Equal(t, http.Header{
		"User-Agent": {"Tollgate"}, "Content-Type": {formType}, "Content-Length": {"19"},
		"X-Tollgate-Callback-Id": {"cb-1"}, "X-Tollgate-Attempt": {"1"},
	}, got[0].Header)
	require.Equal(t, http.MethodPost, got[0].Method)
	require.Equal(t, "/path?x=1", got[0].RequestURI)
	require.Equal(t, []string{"id=1&status=success", "id=1&status=success"}, bodies)

	second := got[1].Header.Clone()
	require.Equal(t, "2", second.Get("X-Tollgate-Attempt"))
	second.Set("X-Tollgate-Attempt", "1")
	require.Equal(t, got[0].Header, second)
	require.Equal(t, got[0].RemoteAddr, got[1].RemoteAddr, "the connection is used again")
}

func TestRedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		var hits atomic.Int32
		n, target := serve(t, func(w http.ResponseWriter, r *http.Request) {
			hits.Add(1)
			http.Redirect(w, r, "/secret-place", status)
		})
		r := n.Deliver(t.Context(), delivery(target))
		require.Equal(t, Refused, r.Verdict)
		require.Equal(t, status, r.Status)
		require.Contains(t, r.Detail, "redirects are not followed")
		require.EqualValues(t, 1, hits.Load())
	}
}

func TestZeroValueIsStrict(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	_, target := serve(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	var n HTTPNotifier
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(target, "http://"))
	for _, host := range []string{
		"127.0.0.1", "[::ffff:127.0.0.1]", "[::1]", "[::]", "0.0.0.0", "2130706433", "0x7f.1", "0177.0.0.1", "127.1",
		"127.0.0.1.", "100.64.0.1", "169.254.169.254", "[64:ff9b::7f00:1]", "\uff11\uff12\uff17.0.0.1",
	} {
		r := n.Deliver(t.Context(), delivery("http://"+host+":"+port+"/"))
		require.Equal(t, Receipt{Verdict: Refused, Detail: "address not allowed"}, r, host)
	}
	require.Zero(t, hits.Load())
	require.Nil(t, n.transport.Proxy)
	require.Equal(t, DefaultTimeout, n.timeout())
}

func TestBadURL(t *testing.T) {
	t.Parallel()
	for _, target := range []string{
		"", "/path", "shop.example", "http:", "http://", "http:///path", "http://:80/", "ftp://shop.example/",
		"file:///etc/passwd", "javascript:alert(1)", "http://user:secret@127.0.0.1/", "http://127.0.0.1:0/",
		"http://127.0.0.1:65536/", "http://127.0.0.1:x/", "http://a b/", "http://a\r\nb/", "http://[::1/",
		"http://%31%32%37.0.0.1/", "\x00",
	} {
		r := local(time.Second).Deliver(t.Context(), delivery(target))
		require.Equal(t, Receipt{Verdict: Refused, Detail: "URL not valid"}, r, "%q", target)
	}
}

func TestContentNeverPanics(t *testing.T) {
	t.Parallel()
	n, target := serve(t, func(http.ResponseWriter, *http.Request) {})
	d := delivery(target)
	d.ID = "a\r\nX-Injected: 1"
	require.Equal(t, Refused, n.Deliver(t.Context(), d).Verdict)
	d = Delivery{URL: target}
	require.Equal(t, Accepted, n.Deliver(t.Context(), d).Verdict)
}

func TestSlowMerchant(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name    string
		answer  string // what the server sends before it stops
		any, ok Verdict
	}{
		{"nothing", "", TimedOut, TimedOut},
		{"half a header", "HTTP/1.1 200 OK\r\nX-A: ", TimedOut, TimedOut},
		{"endless informational", "HTTP/1.1 103 Early Hints\r\n\r\n", TimedOut, TimedOut},
		{"no body", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", Accepted, TimedOut},
		{"half a body", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nO", Accepted, TimedOut},
		{"endless body", "HTTP/1.1 200 OK\r\n\r\nOK", Accepted, TimedOut},
		{"error without body", "HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\n", TimedOut, TimedOut},
		{"upgrade", "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", Refused, Refused},
	}
	n := local(2 * time.Second) // long enough for the answer to arrive on a busy machine
	t.Cleanup(n.Close)
	got := make([][2]Receipt, len(cases))
	var waiting sync.WaitGroup // all at once, because each takes the whole time-out
	for i, c := range cases {
		target := raw(t, func(conn net.Conn) {
			readRequest(conn)
			_, _ = io.WriteString(conn, c.answer)
			_, _ = io.Copy(io.Discard, conn) // until the notifier hangs up
		})
		waiting.Go(func() { got[i][0] = n.Deliver(t.Context(), delivery(target)) })
		waiting.Go(func() { got[i][1] = n.Deliver(t.Context(), strict(target)) })
	}
	waiting.Wait()
	for i, c := range cases {
		require.Equal(t, c.any, got[i][0].Verdict, "%s: %s", c.name, got[i][0].Detail)
		require.Equal(t, c.ok, got[i][1].Verdict, "%s: %s", c.name, got[i][1].Detail)
	}
}

// raw starts a TCP server whose connections are handled by serve, each closed at the end.
func raw(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer func() { _ = conn.Close() }()
				serve(conn)
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		open.Wait()
	})
	return "http://" + l.Addr().String() + "/"
}

// readRequest reads a whole request: an answer before that would be ignored.
func readRequest(conn net.Conn) {
	if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
		_, _ = io.Copy(io.Discard, r.Body)
	}
}

func TestBrokenAnswers(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, answer string
		any, ok      Verdict
	}{
		{"nothing", "", Refused, Refused},
		{"not HTTP", "SSH-2.0-x\r\n", Refused, Refused},
		{"cut body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nOK", Accepted, Refused},
		{"large header", "HTTP/1.1 200 OK\r\nX-A: " + strings.Repeat("a", 2*maxAnswer) + "\r\n\r\nOK", Refused, Refused},
		{"to the end of the connection", "HTTP/1.0 200 OK\r\n\r\nOK", Accepted, Accepted},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			target := raw(t, func(conn net.Conn) {
				readRequest(conn)
				_, _ = io.WriteString(conn, c.answer)
			})
			n := local(5 * time.Second)
			t.Cleanup(n.Close)
			require.Equal(t, c.any, n.Deliver(t.Context(), delivery(target)).Verdict)
			require.Equal(t, c.ok, n.Deliver(t.Context(), strict(target)).Verdict)
		})
	}
}

// The handler writes until the notifier closes the connection. That it returns proves that the reading is bounded.
func TestHugeBody(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	n, target := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		block := []byte(strings.Repeat("OK\n", 1<<14))
		for sent.Load() < 1<<30 {
			m, err := w.Write(block)
			if sent.Add(int64(m)); err != nil {
				return
			}
		}
	})
	require.Equal(t, Accepted, n.Deliver(t.Context(), delivery(target)).Verdict)
	require.Equal(t, Refused, n.Deliver(t.Context(), strict(target)).Verdict)
	require.Less(t, sent.Load(), int64(1<<28))
}

func TestCallerEnds(t *testing.T) {
	t.Parallel()
	target, asked := silent(t)
	second, askedLate := silent(t) // its own endpoint: the cancelled call may still reach the first one late
	n := local(time.Minute)
	t.Cleanup(n.Close) // before the endpoints wait for their connections to end
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	require.Equal(t, Receipt{Verdict: Refused, Detail: "delivery cancelled"}, n.Deliver(ctx, delivery(target)))
	require.Equal(t, Receipt{Verdict: Refused, Detail: "delivery cancelled"}, n.Deliver(ctx, delivery(target)))

	late := deadline{t.Context(), make(chan struct{})}
	go func() {
		<-askedLate
		close(late.passed)
	}()
	require.Equal(t, TimedOut, n.Deliver(late, delivery(second)).Verdict)
	require.Equal(t, Refused, n.Deliver(late, delivery(second)).Verdict, "the merchant was not called at all")
}

// silent returns an endpoint that reports each connection and never answers.
func silent(t *testing.T) (url string, asked chan struct{}) {
	asked = make(chan struct{}, 2)
	return raw(t, func(conn net.Conn) {
		asked <- struct{}{}
		_, _ = io.Copy(io.Discard, conn)
	}), asked
}

// deadline is a context whose deadline passes when the test decides.
type deadline struct {
	context.Context
	passed chan struct{}
}

func (d deadline) Done() <-chan struct{} { return d.passed }

func (d deadline) Err() error {
	select {
	case <-d.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestDetail(t *testing.T) {
	t.Parallel()
	n, target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", r.URL.Query().Get("after"))
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "try\r\n\x1b[31m later, card 4111 1111 1111 1111 \u202e"+strings.Repeat("é", 200))
	})
	r := n.Deliver(t.Context(), strict(target+"?after=120"))
	require.Equal(t, "status 503: "+string([]rune("try [31m later, card [number] " +
		strings.Repeat("é", 200))[:maxExcerpt]), r.Detail)
	require.Equal(t, 2*time.Minute, r.RetryAfter)
	for _, after := range []string{"-1", "yesterday", ""} {
		require.Zero(t, n.Deliver(t.Context(), strict(target+"?after="+after)).RetryAfter)
	}
	require.Equal(t, MaxRetryAfter,
		n.Deliver(t.Context(), strict(target+"?after="+url.QueryEscape("1000000000"))).RetryAfter)
}

// TestRetryAfterAtADate: the date until which a merchant wants to be left alone is measured by the merchant's clock, so
// that the clock of this machine may be wrong. Without one it is measured by that.
func TestRetryAfterAtADate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ahead  time.Duration // of the merchant's clock
		silent bool          // about what it is
		want   time.Duration
	}{
		"same clock":           {0, false, 5 * time.Minute},
		"merchant ahead":       {time.Hour, false, 5 * time.Minute},
		"merchant behind":      {-time.Hour, false, 5 * time.Minute},
		"a date of the past":   {time.Hour, false, 0},
		"no clock":             {0, true, time.Hour},
		"no clock, and behind": {-2 * time.Hour, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, target := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				theirs := time.Now().Add(c.ahead).UTC()
				w.Header()["Date"] = []string{theirs.Format(http.TimeFormat)}
				if c.silent {
					w.Header()["Date"] = nil
				}
				until := theirs.Add(c.want)
				if c.want == 0 {
					until = theirs.Add(-time.Second)
				}
				w.Header().Set("Retry-After", until.Format(http.TimeFormat))
				w.WriteHeader(http.StatusServiceUnavailable)
			})
			got := n.Deliver(t.Context(), strict(target)).RetryAfter
			if c.silent && c.want > 0 { // seconds of a date, and the time until it was read
				require.Positive(t, got)
				require.LessOrEqual(t, got, c.want)
				return
			}
			require.Equal(t, c.want, got)
		})
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add("4111111111111111")
	f.Add("4111-1111-1111-1111\xff\n\u0661")
	f.Fuzz(func(t *testing.T, text string) {
		got := excerpt(text)
		require.LessOrEqual(t, len([]rune(got)), maxExcerpt)
		digits := 0
		for _, c := range got {
			require.True(t, unicode.IsPrint(c))
			if digits++; !unicode.IsDigit(c) {
				digits = 0
			}
			require.Less(t, digits, 12)
		}
	})
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// An acknowledged callback does not wait for a body that is not needed.
func TestDrainIsShort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		a := attempt{host: t.Context(), call: ctx, cancel: cancel}
		start := time.Now()
		a.drain(readFunc(func([]byte) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}))
		require.Equal(t, drainTime, time.Since(start))
	})
}
