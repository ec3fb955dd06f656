package crash

import (
	"bufio"
	"bytes"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// startTime bounds how long a child may take to start.
const startTime = 30 * time.Second

// process is a child that is killed and restarted on the same file. The parent owns the port: a caller without a
// running child waits for the next one.
type process struct {
	file     string
	listener *os.File
	env      []string
	url      string
	errors   *buffer

	cmd   *exec.Cmd
	gone  chan struct{} // closed when it has ended
	hold  *os.File      // its standard input: it ends itself when that closes
	kills int
}

func newProcess(t *testing.T, file string, env ...string) *process {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	handle, err := listener.(*net.TCPListener).File()
	require.NoError(t, err)
	p := &process{file: file, listener: handle, url: "http://" + listener.Addr().String(), errors: &buffer{}}
	p.env = append(env, envFile+"="+file, envPublic+"="+p.url)
	t.Cleanup(func() {
		p.kill(t)
		require.NoError(t, handle.Close())
		require.NoError(t, listener.Close())
	})
	return p
}

// launch starts a child; ready is closed when it serves.
func (p *process) launch(t *testing.T, env ...string) (ready chan struct{}) {
	t.Helper()
	p.cmd = exec.Command(os.Args[0], "-test.run=^$")
	p.cmd.Env = append(append(os.Environ(), p.env...), env...)
	p.cmd.ExtraFiles = []*os.File{p.listener}
	p.cmd.Stderr = p.errors
	in, hold, err := os.Pipe()
	require.NoError(t, err)
	p.cmd.Stdin, p.hold = in, hold
	out, words, err := os.Pipe()
	require.NoError(t, err)
	p.cmd.Stdout = words
	require.NoError(t, p.cmd.Start())
	cmd, gone := p.cmd, make(chan struct{})
	p.gone = gone
	go func() {
		defer close(gone)
		_ = cmd.Wait() // the error says that it was killed
	}()
	require.NoError(t, in.Close())
	require.NoError(t, words.Close())
	ready = make(chan struct{})
	go func() {
		defer out.Close() //nolint:errcheck // only read
		if line, _ := bufio.NewReader(out).ReadString('\n'); line == "ready\n" {
			close(ready)
		}
	}()
	return ready
}

// start launches a child and waits until it serves.
func (p *process) start(t *testing.T, env ...string) {
	t.Helper()
	p.await(t, p.launch(t, env...))
}

// await waits until a child that was launched serves. Where it does not, it has the child say what it waits for.
func (p *process) await(t *testing.T, ready chan struct{}) {
	t.Helper()
	what := "did not come up"
	select {
	case <-ready:
		return
	case <-p.gone:
		what = "has ended"
	case <-time.After(startTime):
		_ = p.cmd.Process.Signal(syscall.SIGQUIT) // Go prints its stacks; killed below where there is no such signal
		select {
		case <-p.gone:
		case <-time.After(startTime):
		}
	}
	p.kill(t)
	t.Fatalf("the child %s: %s\n%s", what, p.errors, aboutRecords())
}

// kill sends SIGKILL, which the child cannot handle. It returns when the process has ended.
func (p *process) kill(t *testing.T) {
	t.Helper()
	if p.cmd == nil {
		return
	}
	_ = p.cmd.Process.Kill() // it may have killed itself
	<-p.gone
	require.NoError(t, p.hold.Close())
	p.cmd = nil
	p.kills++
}

// buffer collects what children log.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends.
func (b *buffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(text)
}

// String returns everything.
func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
