package sim

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Total adds up reports. It is safe for concurrent use.
type Total struct {
	mu         sync.Mutex
	begun      time.Time
	Seeds      int
	Steps      int
	Longest    int // world, in steps
	Payments   int
	Deliveries int
	Violations int
	Virtual    time.Duration
	Faults     [lastFault]int
	Actions    [lastAction]int
}

// Add adds a report.
func (t *Total) Add(r Report) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Seeds++
	t.Steps += r.Steps
	t.Longest = max(t.Longest, r.Steps)
	t.Payments += r.Payments
	t.Deliveries += r.Deliveries
	t.Violations += len(r.Violations)
	t.Virtual += r.Virtual / time.Hour
	for f, n := range r.Faults {
		t.Faults[f] += n
	}
	for a, n := range r.Actions {
		t.Actions[a] += n
	}
}

// Done reports whether enough is done.
func (t *Total) Done(enough func(*Total) bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return enough(t)
}

// String returns the line for machines.
func (t *Total) String() string {
	took := time.Since(t.begun)
	var faults, actions []string
	all := 0
	for f := range lastFault {
		all += t.Faults[f]
		faults = append(faults, fmt.Sprintf("%s:%d", f, t.Faults[f]))
	}
	for a := range lastAction {
		actions = append(actions, fmt.Sprintf("%s:%d", a, t.Actions[a]))
	}
	return fmt.Sprintf("sim: seeds=%d steps=%d longest=%d seconds=%.1f steps/s=%.0f violations=%d "+
		"payments=%d deliveries=%d virtual_hours=%d injected=%d faults={%s} requests={%s}",
		t.Seeds, t.Steps, t.Longest, took.Seconds(), float64(t.Steps)/took.Seconds(), t.Violations, t.Payments, t.Deliveries,
		int64(t.Virtual), all,
		strings.Join(faults, " "), strings.Join(actions, " "))
}
