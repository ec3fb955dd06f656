package kerneltest

import (
	"errors"
	"strings"
	"sync"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
)

// Fault makes the n-th call of one port fail. A mode with a crash also fails every later call of every port, like a
// process that is dead.
type Fault struct {
	Port, Mode string
	N          int

	mu    sync.Mutex
	Armed bool
	calls int
	Fired bool
	dead  bool

	Softly bool              // an issuer's decline may be retried elsewhere
	Strict bool              // the acquirer is not idempotent
	taken  map[string]bool   // completed returns, by key and continuation
	Links  map[string]string // notification links by the acquirer's key
}

// Strike counts a call of a port and returns its fault: "" for none, "dead", or the mode.
func (s *Fault) Strike(port string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return "dead"
	}
	if port != s.Port || !s.Armed {
		return ""
	}
	if s.calls++; s.calls != s.N {
		return ""
	}
	s.Fired = true
	s.dead = strings.HasPrefix(s.Mode, "crash")
	return s.Mode
}

// Keep stores the notification link of an operation, as the acquirer does.
func (s *Fault) Keep(op methods.Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Links == nil {
		s.Links = map[string]string{}
	}
	s.Links[op.Key] = strings.TrimPrefix(op.NotificationURL, notifyBase)
}

// Takes reports whether a return is completed for the first time.
func (s *Fault) Takes(op methods.Operation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken == nil {
		s.taken = map[string]bool{}
	}
	key := op.Key + " " + string(op.Continuation)
	before := s.taken[key]
	s.taken[key] = true
	return !before
}

// ErrInjected is every fault that TestEveryFault makes.
var ErrInjected = errors.New("injected fault")

const notifyBase = gatewaytest.PublicURL + "/notify/"
