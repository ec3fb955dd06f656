package sim

import (
	"slices"
	"strings"
	"time"
)

// endpoint is the behaviour of one URL, host or merchant, by the committed attempts (callbacks.md, "Timeouts and
// blocking").
type endpoint struct {
	name     string
	limit    int
	timeouts []timeout // since the last success or block
	until    time.Time // of the newest block
}

type timeout struct {
	at       time.Time
	merchant string
}

func (e *endpoint) blocked(at time.Time) bool { return at.Before(e.until) }

// timedOut adds a timeout: five within five minutes block for fifteen minutes. A host counts at most five of one
// merchant.
func (e *endpoint) timedOut(at time.Time, merchant string) {
	if e.blocked(at) {
		return
	}
	own := 0
	e.timeouts = slices.DeleteFunc(e.timeouts, func(t timeout) bool { return at.Sub(t.at).Abs() > 5*time.Minute })
	for _, t := range e.timeouts {
		if t.merchant == merchant {
			own++
		}
	}
	if strings.HasPrefix(e.name, "host ") && own >= 5 {
		return
	}
	if e.timeouts = append(e.timeouts, timeout{at, merchant}); len(e.timeouts) == e.limit {
		e.timeouts, e.until = nil, at.Add(15*time.Minute)
	}
}

// blocks is everything that may be blocked.
type blocks map[string]*endpoint

func (b blocks) named(name string, limit int) *endpoint {
	if b[name] == nil {
		b[name] = &endpoint{name: name, limit: limit}
	}
	return b[name]
}

// of returns what may block a callback: its URL, its host and its merchant.
func (b blocks) of(c *callbackRecord) [3]*endpoint {
	return [3]*endpoint{b.named("URL "+c.URL, 5), b.named("host "+hostOf(c.URL), 20), b.named("merchant "+c.Merchant, 20)}
}

// addAttempt adds an attempt. A success resets every count; a timeout while the URL is blocked does not count.
func (b blocks) addAttempt(c *callbackRecord, attempt attemptRecord) {
	all := b.of(c)
	known := all[0].blocked(attempt.At.Time)
	for _, e := range all {
		switch {
		case attempt.Verdict == "accepted":
			e.timeouts = nil
		case attempt.Verdict == "timeout" && !known:
			e.timedOut(attempt.At.Time, c.Merchant)
		}
	}
}

func hostOf(url string) string {
	return strings.Split(url, "/")[2]
}
