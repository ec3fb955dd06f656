package callback

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A delivery that waits behind too many others is no fault of the merchant.
func TestConnectionsPerHost(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	full := make(chan struct{})
	target := raw(t, func(conn net.Conn) {
		if calls.Add(1) == maxConnsHost {
			close(full)
		}
		_, _ = io.Copy(io.Discard, conn)
	})
	n := local(time.Minute)
	t.Cleanup(n.Close)
	ctx, cancel := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	for range maxConnsHost {
		busy.Go(func() { n.Deliver(ctx, delivery(target)) })
	}
	<-full
	late, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	r := n.Deliver(late, delivery(target))
	require.Equal(t, Refused, r.Verdict)
	require.Contains(t, r.Detail, "no connection free")
	require.EqualValues(t, maxConnsHost, calls.Load())
	cancel()
	busy.Wait()
}

// A kept connection that the merchant has closed is no failed delivery: the request is sent again.
func TestStaleConnection(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	n, target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if hits.Add(1) == 2 {
			panic(http.ErrAbortHandler)
		}
		body, _ := io.ReadAll(r.Body)
		require.Equal(t, "id=1&status=success", string(body))
		require.NotContains(t, r.Header, "X-Idempotency-Key")
	})
	require.Equal(t, Accepted, n.Deliver(t.Context(), delivery(target)).Verdict)
	require.Equal(t, Accepted, n.Deliver(t.Context(), delivery(target)).Verdict)
	require.EqualValues(t, 3, hits.Load())
}

func TestTLS(t *testing.T) {
	t.Parallel()
	start := func(version uint16) *httptest.Server {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Protocol", r.Proto)
			if r.ProtoMajor != 2 {
				w.WriteHeader(http.StatusTeapot)
			}
			_, _ = io.WriteString(w, "OK")
		}))
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.EnableHTTP2 = true
		s.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: version}
		s.StartTLS()
		t.Cleanup(s.Close)
		return s
	}
	trusting := func(s *httptest.Server) *HTTPNotifier {
		n := local(5 * time.Second)
		n.RootCAs = x509.NewCertPool()
		n.RootCAs.AddCert(s.Certificate())
		t.Cleanup(n.Close)
		return n
	}
	now, old := start(tls.VersionTLS13), start(tls.VersionTLS11)
	require.Equal(t, Receipt{Verdict: Accepted, Status: 200}, trusting(now).Deliver(t.Context(), strict(now.URL)),
		"HTTP/2")
	require.Equal(t, "certificate not valid", local(5*time.Second).Deliver(t.Context(), strict(now.URL)).Detail)
	require.Equal(t, "TLS handshake failed", trusting(old).Deliver(t.Context(), strict(old.URL)).Detail)

	n, plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	r := n.Deliver(t.Context(), delivery("https"+strings.TrimPrefix(plain, "http")))
	require.Equal(t, Receipt{Verdict: Refused, Detail: "TLS handshake failed"}, r)
}

func TestConnectionRefused(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	r := local(5*time.Second).Deliver(t.Context(), delivery("http://"+l.Addr().String()+"/?key=secret"))
	require.Equal(t, Receipt{Verdict: Refused, Detail: "connection refused"}, r)
}

// resolver answers each A question with the next of the given addresses, and any other question with nothing.
func resolver(addresses ...string) *net.Resolver {
	var asked atomic.Int32
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer func() { _ = server.Close() }()
			var size [2]byte
			if _, err := io.ReadFull(server, size[:]); err != nil {
				return
			}
			query := make([]byte, binary.BigEndian.Uint16(size[:]))
			if _, err := io.ReadFull(server, query); err != nil {
				return
			}
			end := 12 // the header, then the labels of the name, each with its length
			for query[end] != 0 {
				end += 1 + int(query[end])
			}
			end += 5 // the empty label, type and class
			answer := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:end]...)
			if query[end-3] == 1 { // type A
				ip := netip.MustParseAddr(addresses[(int(asked.Add(1))-1)%len(addresses)]).As4()
				answer[7] = 1
				answer = append(append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4), ip[:]...)
			}
			_, _ = server.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...))
		}()
		return client, nil
	}}
}

// 127.0.0.1 is allowed and plays a public address; the second lookup returns an address that is not allowed.
func TestNameThatChangesItsAddress(t *testing.T) {
	t.Parallel()
	for _, second := range []string{"127.0.0.2", "10.0.0.1", "169.254.169.254"} {
		var hits atomic.Int32
		n, target := serve(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
		n.Dial.Resolver = resolver("127.0.0.1", second)
		target = strings.Replace(target, "127.0.0.1", "shop.example", 1)
		require.Equal(t, Receipt{Verdict: Accepted, Status: 200}, n.Deliver(t.Context(), delivery(target)))
		n.Close() // otherwise the open connection to an allowed address would be reused
		require.Equal(t, Receipt{Verdict: Refused, Detail: "address not allowed"}, n.Deliver(t.Context(), delivery(target)))
		require.EqualValues(t, 1, hits.Load())
	}
}

func TestNameThatDoesNotResolve(t *testing.T) {
	t.Parallel()
	n := local(5 * time.Second)
	n.Dial.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, net.ErrClosed
	}}
	r := n.Deliver(t.Context(), delivery("http://shop.example/?key=secret"))
	require.Equal(t, Receipt{Verdict: Refused, Detail: "name not resolved"}, r)
}

// A host in Unicode is dialled by its A-labels (decision bg).
func TestUnicodeHost(t *testing.T) {
	t.Parallel()
	n := local(time.Minute)
	n.once.Do(n.build)
	var dialled string
	n.transport.DialContext = func(_ context.Context, _, address string) (net.Conn, error) {
		dialled = address
		return nil, ErrAddress
	}
	require.Equal(t, "address not allowed", n.Deliver(t.Context(), delivery("https://bücher.example/ü")).Detail)
	require.Equal(t, "xn--bcher-kva.example:443", dialled)
}
