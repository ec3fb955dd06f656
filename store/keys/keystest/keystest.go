// Package keystest is the contract of keys.Provider as a test suite. A provider that passes it, under the race
// detector too, can serve a gateway:
//
//	func TestContract(t *testing.T) {
//		keystest.Run(t, keystest.Subject{
//			New:    func(tb testing.TB) keys.Provider { return mykms.Open(newRing(tb)) },
//			Rotate: func(tb testing.TB, p keys.Provider) { p.(*mykms.Keys).Rotate() },
//		})
//	}
//
// What the Subject cannot do is skipped by name, so that the output of go test -v shows how much of the contract
// was checked.
package keystest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tollgatepay/gateway/store/keys"
)

// Subject is a provider under test, with functions that the port itself does not have. Only New is required. A
// provider that rotates or destroys keys has to set Rotate and Destroy; otherwise that part of the contract is not
// checked.
type Subject struct {
	// New returns a provider with keys of its own: it opens nothing that an earlier one wrapped. Each check calls it,
	// several at a time.
	New func(tb testing.TB) keys.Provider
	// Reopen returns a second provider over the keys of p, as another process or a restart would have it.
	Reopen func(tb testing.TB, p keys.Provider) keys.Provider
	// Rotate gives p a new current key.
	Rotate func(tb testing.TB, p keys.Provider)
	// Destroy destroys the key of that id, which is not the current one.
	Destroy func(tb testing.TB, p keys.Provider, id string)
	// Outage takes the source of the keys, the service or the file, away from p until over is called.
	Outage func(tb testing.TB, p keys.Provider) (over func())
	// Patience is how long one call may take, and how far it may outlast its context; 10 s when zero.
	Patience time.Duration
}

// Run checks the whole contract, each part as a subtest.
func Run(t *testing.T, s Subject) {
	t.Helper()
	if s.New == nil {
		t.Fatal("keystest: Subject.New is required")
	}
	for _, c := range checks() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if missing := c.needs.missing(s); missing != "" {
				t.Skip("skipped: " + missing)
			}
			c.run(newProbe(t, s))
		})
	}
}

// check is one part of the contract.
type check struct {
	name  string
	needs needs
	run   func(*probe)
}

func checks() []check {
	return slices.Concat(wrapChecks(), sliceChecks(), lookupChecks(), rotationChecks(), callChecks())
}

// needs are the functions of a Subject that a check needs.
type needs struct{ reopen, rotate, destroy, outage bool }

// missing names the function that the subject does not have, or nothing.
func (n needs) missing(s Subject) string {
	var missing []string
	for _, row := range []struct {
		needed, there bool
		name          string
	}{
		{n.reopen, s.Reopen != nil, "Reopen"},
		{n.rotate, s.Rotate != nil, "Rotate"},
		{n.destroy, s.Destroy != nil, "Destroy"},
		{n.outage, s.Outage != nil, "Outage"},
	} {
		if row.needed && !row.there {
			missing = append(missing, "the subject has no "+row.name)
		}
	}
	return strings.Join(missing, "; ")
}
