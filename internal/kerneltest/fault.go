package kerneltest

import (
	"errors"
	"strings"
	"sync"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
)

// Fault makes the n-th call of one port fail. A mode with a crash fails every call after it as well,
// of every port, as those of a process that is dead.
type Fault struct {
	Port, Mode string
	N          int

	mu    sync.Mutex
	Armed bool
	calls int
	Fired bool
	dead  bool

	Softly bool              // what an issuer refuses may be tried elsewhere
	Strict bool              // the acquirer is idempotent in nothing
	taken  map[string]bool   // what it was told to complete, by key and continuation
	Links  map[string]string // where the acquirer tells what becomes of it, by its key
}

// Strike counts a call of a port and says what befalls it: "" nothing, "dead", or the mode.
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

// Keep remembers the notification link of an operation, as the acquirer does.
func (s *Fault) Keep(op methods.Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Links == nil {
		s.Links = map[string]string{}
	}
	s.Links[op.Key] = strings.TrimPrefix(op.NotificationURL, notifyBase)
}

// Takes reports what is completed for the first time.
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
