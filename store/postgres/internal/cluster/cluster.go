// Package cluster runs PostgreSQL servers for tests: each has a folder and a socket of its own, and ends with the
// process that started it.
package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Cluster is the files of a server, and the server while it runs.
type Cluster struct {
	folder string // of everything
	port   int    // names the socket; no network address is opened
	cred   *syscall.Credential
	server *exec.Cmd
	ended  chan struct{} // closed when the server has ended
}

// ErrMissing: there is no PostgreSQL on this machine.
var ErrMissing = errors.New("cluster: no initdb found; install PostgreSQL, on Debian with: apt-get install postgresql")

// New makes an empty cluster below a folder, in memory if that is empty and the system has a folder there. It is not
// started.
func New(parent string) (*Cluster, error) {
	c, err := newCluster(parent)
	if err != nil {
		return nil, err
	}
	if err := c.run(program("initdb", "--pgdata", c.data(), "--username", "postgres", "--auth", "trust",
		"--encoding", "UTF8", "--locale", "C", "--no-sync")); err != nil {
		return nil, errors.Join(err, c.Remove())
	}
	return c, nil
}

// Copy makes a cluster of the files of another one that does not run. For an empty one that takes a tenth of the time
// of New.
func (c *Cluster) Copy(parent string) (*Cluster, error) {
	other, err := newCluster(parent)
	if err != nil {
		return nil, err
	}
	if err := other.run(exec.Command("cp", "-a", c.data(), other.data())); err != nil {
		return nil, errors.Join(err, other.Remove())
	}
	return other, nil
}

// newCluster makes the folder, which belongs to the user who runs the server.
func newCluster(parent string) (*Cluster, error) {
	if parent == "" {
		parent = os.TempDir()
		if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
			parent = "/dev/shm"
		}
	}
	if bin() == "" {
		return nil, ErrMissing
	}
	folder, err := os.MkdirTemp(parent, "tollgate-pg-")
	if err != nil {
		return nil, err
	}
	c := &Cluster{folder: folder, port: 5432}
	if os.Getuid() != 0 {
		return c, nil
	}
	owner, err := user.Lookup("postgres") // the server refuses to run as root
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.ParseUint(owner.Uid, 10, 32)
	gid, _ := strconv.ParseUint(owner.Gid, 10, 32)
	c.cred = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return c, os.Chown(folder, int(uid), int(gid))
}

// bin returns the folder of the server's programs, the latest version's, or "".
func bin() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil { // the other programs may have no link beside it
			return filepath.Dir(real)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int {
		return strings.Compare(fmt.Sprintf("%60s", a), fmt.Sprintf("%60s", b))
	}))
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

// program is a command of PostgreSQL.
func program(name string, args ...string) *exec.Cmd {
	return exec.Command(filepath.Join(bin(), name), args...)
}

// owned lets a command run as the user who owns the cluster, and end with the thread that starts it.
func (c *Cluster) owned(cmd *exec.Cmd) *exec.Cmd {
	cmd.Dir = c.folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.cred, Pdeathsig: syscall.SIGQUIT}
	return cmd
}

func (c *Cluster) run(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if out, err := c.owned(cmd).CombinedOutput(); err != nil {
		return fmt.Errorf("cluster: %s: %w: %s", filepath.Base(cmd.Path), err, out)
	}
	return nil
}

// defaults are settings of every server of tests. What makes a commit durable stays on. A primary keeps what a standby
// has not received when it comes back after a crash: without that the standby is lost where a segment of the log ends.
var defaults = map[string]string{
	"listen_addresses": "", "max_connections": "200", "shared_buffers": "64MB", "max_wal_size": "512MB",
	"log_min_messages": "fatal", "log_min_error_statement": "panic", "wal_retrieve_retry_interval": "50ms",
	"wal_keep_size": "128MB",
}

// Start starts the server with these settings and waits until it answers.
func (c *Cluster) Start(settings map[string]string) error {
	args := []string{"-D", c.data(), "-k", c.folder, "-p", strconv.Itoa(c.port)}
	for _, all := range []map[string]string{defaults, settings} {
		for name, value := range all {
			args = append(args, "-c", name+"="+value)
		}
	}
	if err := c.launch(args); err != nil {
		return err
	}
	return c.awake()
}

func (c *Cluster) launch(args []string) error {
	log, err := os.OpenFile(filepath.Join(c.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	server := c.owned(program("postgres", args...))
	server.Stdout, server.Stderr = log, log
	started, ended := make(chan error), make(chan struct{})
	go func() { // the thread that starts the server must not end before it
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := errors.Join(server.Start(), log.Close())
		started <- err
		if err == nil {
			_ = server.Wait()
		}
		close(ended)
	}()
	c.server, c.ended = server, ended
	return <-started
}

// Log is the end of what the server has logged.
func (c *Cluster) Log() string {
	text, _ := os.ReadFile(filepath.Join(c.folder, "log"))
	return string(text[max(0, len(text)-2000):])
}

// awake waits until the server answers, or has ended.
func (c *Cluster) awake() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		conn, err := pgx.Connect(ctx, c.URL())
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-c.ended:
			return fmt.Errorf("cluster: the server has ended: %s", c.Log())
		case <-time.After(5 * time.Millisecond):
		}
	}
	return ctx.Err()
}

// URL is how to connect to the database postgres of the cluster.
func (c *Cluster) URL() string {
	return "postgres:///postgres?user=postgres&port=" + strconv.Itoa(c.port) + "&host=" + url.QueryEscape(c.folder)
}

// Stop ends the server: with SIGINT as an administrator does, with SIGQUIT at once.
func (c *Cluster) Stop(how syscall.Signal) error {
	if c.server == nil {
		return nil
	}
	if err := c.Signal(syscall.SIGCONT); err != nil {
		return err
	}
	if err := c.server.Process.Signal(how); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-c.ended
	c.server = nil
	return nil
}

// Running reports whether the server runs.
func (c *Cluster) Running() bool {
	select {
	case <-c.ended:
		return false
	default:
		return c.server != nil
	}
}

// Signal sends a signal to all processes of the server, as SIGSTOP and SIGCONT. After SIGSTOP all of them stand still.
func (c *Cluster) Signal(signal syscall.Signal) error {
	first := c.server.Process.Pid
	if err := send(signal, first); err != nil { // one that stands still makes no others
		return err
	}
	return send(signal, children(first)...)
}

// Kill ends all processes of the server with SIGKILL: nothing of it runs another instruction.
func (c *Cluster) Kill() error {
	if err := c.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	pids := children(c.server.Process.Pid)
	_ = send(syscall.SIGKILL, append(pids, c.server.Process.Pid)...) // it may have ended by itself
	<-c.ended
	c.server = nil
	// A server whose first process is gone can be started only when the others are gone too.
	return await(pids, gone)
}

// send sends a signal to processes, of which some may have ended, and waits until those that are to stand still do.
func send(signal syscall.Signal, pids ...int) error {
	for _, pid := range pids {
		if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	if signal == syscall.SIGSTOP {
		return await(pids, stopped)
	}
	return nil
}

// await waits until each process has a state or has ended.
func await(pids []int, state byte) error {
	for until := time.Now().Add(time.Minute); len(pids) > 0; {
		switch p, runs := look(pids[0]); {
		case !runs || p.state == state:
			pids = pids[1:]
		case time.Now().After(until):
			return fmt.Errorf("cluster: process %d is in state %c, and not in %c", pids[0], p.state, state)
		default:
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// children returns the processes that a process has started. The system's own list of them may leave out some while
// others end.
func children(pid int) (found []int) {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range all {
		child, _ := strconv.Atoi(filepath.Base(path))
		if p, runs := look(child); runs && p.parent == pid {
			found = append(found, child)
		}
	}
	return found
}

// process is what the system tells of a process.
type process struct {
	state  byte
	parent int
}

const (
	stopped = 'T'
	gone    = 'Z'
)

// look returns what a process does. One that has ended and was not collected does not run.
func look(pid int) (p process, runs bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p, false
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // a name may have spaces
	if len(fields) < 2 {
		return p, false
	}
	p.state = fields[0][0]
	p.parent, _ = strconv.Atoi(fields[1])
	return p, p.state != gone && p.state != 'X'
}

// Remove stops the server and removes everything.
func (c *Cluster) Remove() error { return errors.Join(c.Stop(syscall.SIGQUIT), os.RemoveAll(c.folder)) }
