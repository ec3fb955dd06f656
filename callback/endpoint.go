package callback

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Five time-outs within five minutes block a URL for fifteen (decisions g and ak).
const (
	blockCount  = 5
	blockWindow = 5 * time.Minute
	blockTime   = 15 * time.Minute
)

// Endpoint remembers how a callback URL behaved. There is one per URL, shared by every merchant that
// uses the URL. It is a value: the methods return a changed copy and never write to the receiver. The
// zero value, with or without URL, is an endpoint of good standing.
type Endpoint struct {
	URL          string      `json:"url"`
	Timeouts     []time.Time `json:"timeouts,omitempty"` // those that still count, at most four
	BlockedUntil time.Time   `json:"blocked_until,omitzero"`
}

// After is the endpoint once an attempt ended at now with verdict v. The fifth time-out in five minutes
// (both ends included) blocks the URL from now on for fifteen minutes and starts a new count. An
// accepted callback resets the count; a refused one changes nothing. A time-out during a block, of an
// attempt that was already under way or sent by hand, neither counts nor lengthens the block.
func (e Endpoint) After(v Verdict, now time.Time) Endpoint {
	switch v {
	case Accepted:
		e.Timeouts = nil
	case TimedOut:
		if _, blocked := e.Blocked(now); !blocked {
			return e.timedOut(now)
		}
	}
	return e
}

func (e Endpoint) timedOut(now time.Time) Endpoint {
	now = now.Round(0) // a stored time has no monotonic reading
	recent := slices.DeleteFunc(slices.Clone(e.Timeouts), func(t time.Time) bool {
		return now.Sub(t).Abs() > blockWindow // Abs: a clock that was set back leaves no lasting count
	})
	e.Timeouts = append(recent, now)
	if len(e.Timeouts) >= blockCount {
		e.Timeouts, e.BlockedUntil = nil, now.Add(blockTime)
	}
	return e
}

// Blocked reports whether nothing is to be sent to the URL at now, and until when. The block ends by
// itself: at until the URL is free again.
func (e Endpoint) Blocked(now time.Time) (until time.Time, blocked bool) {
	if !now.Before(e.BlockedUntil) {
		return time.Time{}, false
	}
	return e.BlockedUntil, true
}

// Unblock lifts a block by hand and forgets the time-outs.
func (e Endpoint) Unblock() Endpoint {
	return Endpoint{URL: e.URL}
}

// clean reports whether there is nothing to remember.
func (e Endpoint) clean() bool { return len(e.Timeouts) == 0 && e.BlockedUntil.IsZero() }

// endpoints holds those of which there is something to remember.
var endpoints = store.Table[Endpoint]{Prefix: "ep", Version: 1}

// count keeps an endpoint's record only while there is something to remember.
func count(tx store.Tx, url string, v Verdict, now time.Time) error {
	before, err := endpointOf(tx, url)
	if err != nil {
		return err
	}
	after := before.After(v, now)
	switch {
	case after.clean() && before.clean():
		return nil
	case after.clean():
		return endpoints.Delete(tx, endpointID(url))
	default:
		return endpoints.Put(tx, after, endpointID(url))
	}
}

// endpointID is short however long the URL is.
func endpointID(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:])
}

func endpointOf(r store.Reader, url string) (Endpoint, error) {
	endpoint, err := endpoints.Get(r, endpointID(url))
	if errors.Is(err, store.ErrNotFound) {
		return Endpoint{URL: url}, nil
	}
	return endpoint, err
}

// Unblock lifts the block of a URL by hand.
func Unblock(tx store.Tx, url string) error { return endpoints.Delete(tx, endpointID(url)) }
