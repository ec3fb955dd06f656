package wire_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres/internal/wire"
)

var networks = []string{"tcp", "unix"}

// connect returns both ends of a connection.
func connect(t *testing.T, network string) (near, far net.Conn) {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "s")
	}
	l, err := net.Listen(network, address)
	require.NoError(t, err)
	defer l.Close()
	near, err = net.Dial(network, l.Addr().String())
	require.NoError(t, err)
	far, err = l.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = near.Close(), far.Close() })
	return near, far
}

// outcome is what a caller can tell of a call.
type outcome struct {
	n     int
	cause error
	wait  bool // the error is one of time
}

// causes are the errors that a caller may ask for.
var causes = []error{
	io.EOF, os.ErrDeadlineExceeded, net.ErrClosed, syscall.ECONNRESET, syscall.EPIPE, syscall.ENOTCONN,
}

func of(n int, err error) outcome {
	o := outcome{n: n, cause: err}
	for _, cause := range causes {
		if errors.Is(err, cause) {
			o.cause = cause
		}
	}
	var wait net.Error
	o.wait = errors.As(err, &wait) && wait.Timeout()
	return o
}

// large is more than the socket holds.
const large = 16 << 20

// ways are what can become of a read or a write. Each returns what its calls have returned.
var ways = []struct {
	name string
	do   func(t *testing.T, near, far net.Conn) []outcome
}{
	{"reads what is there", func(t *testing.T, near, far net.Conn) []outcome {
		write(t, far, "one two")
		first := make([]byte, 3)
		n, err := near.Read(first)
		require.Equal(t, "one", string(first))
		rest := make([]byte, 100)
		m, fault := near.Read(rest)
		require.Equal(t, " two", string(rest[:m]))
		return []outcome{of(n, err), of(m, fault)}
	}},
	{"reads what comes later", func(t *testing.T, near, far net.Conn) []outcome {
		late := time.AfterFunc(10*time.Millisecond, func() { _, _ = far.Write([]byte("late")) })
		defer late.Stop()
		return []outcome{of(near.Read(make([]byte, 100)))}
	}},
	{"reads nothing", func(t *testing.T, near, _ net.Conn) []outcome { return []outcome{of(near.Read(nil))} }},
	{"writes nothing", func(t *testing.T, near, _ net.Conn) []outcome { return []outcome{of(near.Write(nil))} }},
	{"writes what the other end can read", func(t *testing.T, near, far net.Conn) []outcome {
		o := of(near.Write([]byte("hello")))
		heard := make([]byte, 5)
		_, err := io.ReadFull(far, heard)
		require.NoError(t, err)
		require.Equal(t, "hello", string(heard))
		return []outcome{o}
	}},
	{"writes more than fits", func(t *testing.T, near, far net.Conn) []outcome {
		sent := random()
		heard := make(chan []byte)
		go func() {
			all, _ := io.ReadAll(io.LimitReader(far, large))
			heard <- all
		}()
		o := of(near.Write(sent))
		require.True(t, bytes.Equal(sent, <-heard))
		return []outcome{o}
	}},
	{"both at once", func(t *testing.T, near, far net.Conn) []outcome {
		go func() { _, _ = io.Copy(far, far) }()
		wrote, sent := make(chan outcome), random()
		go func() { wrote <- of(near.Write(sent)) }()
		back := make([]byte, large)
		_, err := io.ReadFull(near, back)
		require.NoError(t, err)
		require.True(t, bytes.Equal(sent, back))
		return []outcome{<-wrote}
	}},
	{"the other end has closed", func(t *testing.T, near, far net.Conn) []outcome {
		write(t, far, "last")
		require.NoError(t, far.Close())
		return []outcome{of(near.Read(make([]byte, 100))), of(near.Read(make([]byte, 100)))}
	}},
	{"the other end closes meanwhile", func(t *testing.T, near, far net.Conn) []outcome {
		defer time.AfterFunc(10*time.Millisecond, func() { _ = far.Close() }).Stop()
		return []outcome{of(near.Read(make([]byte, 100)))}
	}},
	{"the other end resets", func(t *testing.T, near, far net.Conn) []outcome {
		if tcp, ok := far.(*net.TCPConn); ok {
			require.NoError(t, tcp.SetLinger(0))
		} else {
			write(t, near, "never read") // then a socket of the file system does too
		}
		require.NoError(t, far.Close())
		first := of(near.Read(make([]byte, 100)))
		return []outcome{first, of(near.Write([]byte("too late")))}
	}},
	{"writes after the other end has closed", func(t *testing.T, near, far net.Conn) []outcome {
		require.NoError(t, far.Close())
		for until := time.Now().Add(5 * time.Second); time.Now().Before(until); {
			if o := of(near.Write([]byte("anyone?"))); o.cause != nil && o.cause != syscall.ECONNRESET {
				return []outcome{o}
			}
		}
		return nil
	}},
	{"the deadline has passed", func(t *testing.T, near, far net.Conn) []outcome {
		write(t, far, "there")
		require.NoError(t, near.SetDeadline(time.Unix(1, 0)))
		return []outcome{of(near.Read(make([]byte, 100))), of(near.Write([]byte("no")))}
	}},
	{"the deadline passes while it reads", func(t *testing.T, near, _ net.Conn) []outcome {
		require.NoError(t, near.SetReadDeadline(time.Now().Add(10*time.Millisecond)))
		first := of(near.Read(make([]byte, 100)))
		require.NoError(t, near.SetReadDeadline(time.Time{}))
		return []outcome{first, of(near.Write([]byte("on")))}
	}},
	{"the deadline passes while it writes", func(t *testing.T, near, _ net.Conn) []outcome {
		all := random()
		require.NoError(t, near.SetWriteDeadline(time.Now().Add(10*time.Millisecond)))
		o := of(near.Write(all))
		require.Positive(t, o.n)
		require.Less(t, o.n, large)
		o.n = 0 // how much the socket holds varies
		return []outcome{o}
	}},
	{"is closed", func(t *testing.T, near, _ net.Conn) []outcome {
		require.NoError(t, near.Close())
		return []outcome{of(near.Read(make([]byte, 100))), of(near.Write([]byte("no")))}
	}},
	{"is closed while it reads", func(t *testing.T, near, _ net.Conn) []outcome {
		defer time.AfterFunc(10*time.Millisecond, func() { _ = near.Close() }).Stop()
		return []outcome{of(near.Read(make([]byte, 100)))}
	}},
}

func write(t *testing.T, to net.Conn, text string) {
	t.Helper()
	_, err := to.Write([]byte(text))
	require.NoError(t, err)
}

func random() []byte {
	all := make([]byte, large)
	_, _ = rand.Read(all)
	return all
}

// TestSameAsPlain: a caller cannot tell the connection from the one that it is of.
func TestSameAsPlain(t *testing.T) {
	t.Parallel()
	for _, network := range networks {
		for _, way := range ways {
			t.Run(network+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				near, far := connect(t, network)
				plain := way.do(t, near, far)
				require.NotEmpty(t, plain)
				near, far = connect(t, network)
				require.Equal(t, plain, way.do(t, wire.Of(near), far))
			})
		}
	}
}

// TestErrorsNameBothEnds: an error reads like one of package net.
func TestErrorsNameBothEnds(t *testing.T) {
	t.Parallel()
	near, far := connect(t, "tcp")
	require.NoError(t, far.(*net.TCPConn).SetLinger(0))
	require.NoError(t, far.Close())
	_, err := wire.Of(near).Read(make([]byte, 1))
	require.EqualError(t, err,
		"read tcp "+near.LocalAddr().String()+"->"+near.RemoteAddr().String()+": read: connection reset by peer")
}

// hosts is a connection of a host that does more than a socket.
type hosts struct{ *net.TCPConn }

// TestOf: what is no plain socket stays as it is.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, network := range networks {
		near, _ := connect(t, network)
		require.Equal(t, runtime.GOOS == "linux", wire.Of(near) != near)
	}
	tcp, _ := connect(t, "tcp")
	host := &hosts{tcp.(*net.TCPConn)}
	require.Same(t, host, wire.Of(host))
	pipe, _ := net.Pipe()
	require.Same(t, pipe, wire.Of(pipe))
}
