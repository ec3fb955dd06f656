// Package notifiertest is the contract of callback.Notifier as a test suite. A notifier that passes it, under the race
// detector too, can deliver the callbacks of a gateway:
//
//	func TestContract(t *testing.T) {
//		notifiertest.Run(t, notifiertest.Subject{
//			New: func(tb testing.TB) callback.Notifier { return myqueue.New(tb) },
//			Arrived: func(tb testing.TB, n callback.Notifier) []notifiertest.Message { return n.(*myqueue.Queue).Drain() },
//		})
//	}
//
// A notifier that posts to the merchant by itself sets Posts instead of Arrived: the suite is then the merchant.
package notifiertest

import (
	"testing"
	"time"

	"github.com/tollgatepay/gateway/callback"
)

// Message is what arrived of one attempt.
type Message struct {
	URL         string
	ContentType string
	Body        []byte
}

// Subject is a notifier under test. New and one of Arrived and Posts are required.
type Subject struct {
	// New returns a notifier. Each check calls it.
	New func(tb testing.TB) callback.Notifier
	// Arrived returns what the notifier has passed on so far, in any order: the messages of a queue, the lines of a log.
	Arrived func(tb testing.TB, n callback.Notifier) []Message
	// Posts says that the notifier posts over HTTP to the delivery's URL, which is one of the suite at 127.0.0.1, and
	// judges the answer.
	Posts bool
	// Timeout is how long a notifier that posts waits for an answer. Zero leaves out what has to wait for it.
	Timeout time.Duration
	// Patience is how long one call may take, and how far it may outlast its context; 10 s when zero.
	Patience time.Duration
}

// Run checks the whole contract, each part as a subtest.
func Run(t *testing.T, s Subject) {
	t.Helper()
	if s.New == nil || (s.Arrived == nil) != s.Posts {
		t.Fatal("notifiertest: Subject needs New, and either Arrived or Posts")
	}
	for _, c := range checks() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if missing := c.missing(s); missing != "" {
				t.Skip("skipped: " + missing)
			}
			c.run(newProbe(t, s))
		})
	}
}

// check is one part of the contract.
type check struct {
	name    string
	posts   bool // only of a notifier that posts
	timeout bool // only with Subject.Timeout
	run     func(*probe)
}

func (c *check) missing(s Subject) string {
	switch {
	case c.posts && !s.Posts:
		return "the notifier does not post"
	case c.timeout && s.Timeout == 0:
		return "the subject has no Timeout"
	}
	return ""
}
