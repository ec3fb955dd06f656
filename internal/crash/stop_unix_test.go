//go:build unix

package crash

import (
	"os"
	"syscall"
)

// stop is SIGSTOP, and resume SIGCONT.
func stop(p *os.Process) error   { return p.Signal(syscall.SIGSTOP) }
func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
