package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is a server in a process of its own.
type process struct {
	command *exec.Cmd
	input   io.Closer // its end ends a server of ours; nil for stripe-mock
	address string
}

// start starts this command as a server.
func start(ctx context.Context, role, path string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{command: exec.CommandContext(ctx, self, "-serve", role, "-file", path)}
	p.command.Stderr = os.Stderr
	input, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.input = input
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if p.address = strings.TrimSpace(line); err != nil {
		return nil, errors.Join(fmt.Errorf("the server %s printed no address: %w", role, err), p.stop())
	}
	return p, nil
}

// stripeVersion is the stripe-mock of the comparison.
const stripeVersion = "v0.197.0"

// fetchStripe installs stripe-mock through the module proxy, into a folder of this run: it is in no go.mod of ours.
func fetchStripe(ctx context.Context, folder string) (string, error) {
	command := exec.CommandContext(ctx, "go", "install", "github.com/stripe/stripe-mock@"+stripeVersion)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOBIN="+folder, "GOWORK=off", "GOFLAGS=")
	if said, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("stripe-mock %s cannot be fetched through the Go module proxy, and ratios to it "+
			"need it: %w\n%s", stripeVersion, err, said)
	}
	return filepath.Join(folder, "stripe-mock"), nil
}

// startStripe starts stripe-mock on a free port.
func startStripe(ctx context.Context, folder string) (*process, error) {
	binary, err := fetchStripe(ctx, folder)
	if err != nil {
		return nil, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &process{address: free.Addr().String()}
	if err := free.Close(); err != nil {
		return nil, err
	}
	p.command = exec.CommandContext(ctx, binary, "-http-addr", p.address)
	p.command.Stderr = os.Stderr
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	if err := p.ready(ctx); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

// ready waits until the server takes connections.
func (p *process) ready(ctx context.Context) error {
	var last error
	for range 100 {
		conn, err := net.Dial("tcp", p.address)
		if err == nil {
			return conn.Close()
		}
		last = err
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return fmt.Errorf("stripe-mock takes no connections: %w", last)
}

// stop ends the server and waits for its end.
func (p *process) stop() error {
	if p.input == nil {
		_ = p.command.Process.Kill()
		_ = p.command.Wait() // reports that it was killed
		return nil
	}
	return errors.Join(p.input.Close(), p.command.Wait())
}

// ticksPerSecond is the unit of /proc/PID/stat on every Linux.
const ticksPerSecond = 100

// cpu returns the CPU time that the server has used, of user and system.
func (p *process) cpu() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("the CPU time of a server is read from /proc, as on Linux: %w", err)
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name may contain spaces
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc has no CPU time: %q", text)
	}
	user, errUser := strconv.Atoi(fields[11])
	system, errSystem := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / ticksPerSecond, errors.Join(errUser, errSystem)
}
