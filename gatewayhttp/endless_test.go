package gatewayhttp_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/s2s"
)

// wrapped hides the server's own writer, as most middleware does.
type wrapped struct{ http.ResponseWriter }

// A body that is longer than its limit and never ends is answered at every door, behind middleware too.
func TestEndlessBodies(t *testing.T) {
	t.Parallel()
	limits := map[string]int{"POST /return/x": 64 << 10, "POST /notify/x": 64 << 10, "POST /auth/x": 64 << 10,
		"POST /auth/x/answer": 64 << 10, "POST /auth/x/wallet": 64 << 10, "POST /sdk/collect": 1 << 10}
	for _, list := range [][]contract.Call{checkout.Contract(), hpf.Contract(), s2s.Contract()} {
		for _, c := range list {
			if c.Token {
				continue // without a session it is refused before its body is read
			}
			for _, path := range c.Paths {
				limits[c.Method+" "+path] = max(limits[c.Method+" "+path], c.Limit)
			}
		}
	}
	server := httptest.NewServer(mounted(t, gatewaytest.New(t), gatewayhttp.Options{
		Middleware: []func(http.Handler) http.Handler{func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(wrapped{w}, r) })
		}}}))
	t.Cleanup(server.Close)
	address := server.Listener.Addr().String()
	for door, limit := range limits {
		t.Run(door, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", address)
			require.NoError(t, err)
			t.Cleanup(func() { _ = conn.Close() })
			require.NoError(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
			kind := "application/json"
			if strings.HasPrefix(door, "POST /auth") || strings.HasPrefix(door, "POST /return") {
				kind = "application/x-www-form-urlencoded"
			}
			body := strings.Repeat(" ", limit+1024)
			_, err = fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nSec-Fetch-Site: same-origin\r\n",
				door, address, kind)
			require.NoError(t, err)
			_, err = fmt.Fprintf(conn, "Token: x\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body)
			require.NoError(t, err)
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err, "no answer came")
			require.GreaterOrEqual(t, answer.StatusCode, 400)
			require.Equal(t, true, answer.Close)
			_, err = io.Copy(io.Discard, answer.Body)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
		})
	}
}
