package checkout_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// raw sends bytes unchanged and returns the answer; nil when the server only closes the connection.
func (s *shop) raw(t *testing.T, write func(net.Conn)) *http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.server.URL, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	write(conn)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

const head = "POST " + pathSession + " HTTP/1.1\r\nHost: pay.example\r\nContent-Type: application/json\r\n"

// Bodies that do not match their headers (reliability.md, row 52): a 400 or a closed connection, and nothing is
// stored.
func TestBrokenBodies(t *testing.T) {
	t.Parallel()
	valid := purchase().text()
	for _, c := range []struct {
		name  string
		write func(net.Conn)
		want  string // the entry of the answer, if one is required
	}{
		{"shorter than Content-Length", func(conn net.Conn) {
			fmt.Fprintf(conn, head+"Content-Length: %d\r\n\r\n%s", len(valid)+1, valid)
			_ = conn.(*net.TCPConn).CloseWrite()
		}, "body: could not be read to its end"},
		{"longer than Content-Length", func(conn net.Conn) {
			fmt.Fprintf(conn, head+"Content-Length: %d\r\nConnection: close\r\n\r\n%s", len(valid)-1, valid)
		}, syntaxAt(len(valid) - 1)},
		{"Content-Length without end", func(conn net.Conn) {
			fmt.Fprint(conn, head+"Content-Length: 9223372036854775807\r\n\r\n")
			_, _ = io.CopyN(conn, endless{}, maxCreate+1)
		}, "body: must be at most 1048576 bytes"},
		{"chunks without end", func(conn net.Conn) {
			fmt.Fprint(conn, head+"Transfer-Encoding: chunked\r\n\r\n")
			for range maxCreate/1024 + 1 {
				if _, err := fmt.Fprintf(conn, "400\r\n%s\r\n", strings.Repeat(" ", 1024)); err != nil {
					return
				}
			}
		}, "body: must be at most 1048576 bytes"},
		{"chunk of no size", func(conn net.Conn) {
			fmt.Fprint(conn, head+"Transfer-Encoding: chunked\r\n\r\nzz\r\n"+valid+"\r\n0\r\n\r\n")
		}, "body: could not be read to its end"},
		{"chunks that stop", func(conn net.Conn) {
			fmt.Fprintf(conn, head+"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(valid), valid)
			_ = conn.(*net.TCPConn).CloseWrite()
		}, "body: could not be read to its end"},
		{"two lengths", func(conn net.Conn) {
			fmt.Fprintf(conn, head+"Content-Length: %d\r\nContent-Length: 2\r\n\r\n%s", len(valid), valid)
		}, ""},
		{"negative length", func(conn net.Conn) { fmt.Fprint(conn, head+"Content-Length: -1\r\n\r\n{}") }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			before := s.records(t)
			response := s.raw(t, c.write)
			require.Equal(t, before, s.records(t), "something was stored")
			if response == nil {
				require.Empty(t, c.want, "an answer was due")
				return
			}
			require.Equal(t, 400, response.StatusCode)
			if c.want != "" {
				text, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				requireFaults(t, answer{response.StatusCode, response.Header, string(text)}, c.want)
			}
		})
	}
}

// endless is a reader of spaces without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
