package callback

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Five time-outs within five minutes block a URL for fifteen (decisions g and ak). A host or a merchant is blocked
// for as long by wideCount time-outs, each of which counted for its URL: so four URLs have to be dead, and nothing
// else of the host or merchant may have been accepted meanwhile. Of one merchant a host counts no more than a URL
// would, so that no merchant can block a host for the others.
const (
	blockCount  = 5
	wideCount   = 20
	blockWindow = 5 * time.Minute
	blockTime   = 15 * time.Minute
)

// EndpointTime is how long the record of an endpoint counts after its newest time-out, or after the end of its
// block.
const EndpointTime = blockWindow

// Endpoint is the record of time-outs of a callback URL. There is one per URL, shared by every merchant that uses
// the URL; a host and a merchant have one too, as if they were URLs. It is a value: the methods return a changed
// copy and never write to the receiver. The zero value, with or without URL, is an endpoint without time-outs.
type Endpoint struct {
	URL          string      `json:"url"`
	Timeouts     []time.Time `json:"timeouts,omitempty"` // those that still count
	By           []string    `json:"by,omitempty"`       // of a host: the merchant of each
	BlockedUntil time.Time   `json:"blocked_until,omitzero"`
}

// After returns the endpoint after an attempt that ended at now with verdict v. The fifth time-out in five minutes
// (both ends included) blocks the URL from now on for fifteen minutes and starts a new count. An accepted callback
// resets the count and forgets a block that is over; a refused one changes nothing. A time-out during a block, of an
// attempt that was already under way or sent by hand, does not count and does not lengthen the block.
func (e Endpoint) After(v Verdict, now time.Time) Endpoint {
	return e.after(v, now, scope{limit: blockCount})
}

func (e Endpoint) after(v Verdict, now time.Time, s scope) Endpoint {
	switch v {
	case Accepted:
		e.Timeouts, e.By = nil, nil
		if _, blocked := e.Blocked(now); !blocked {
			e.BlockedUntil = time.Time{}
		}
	case Refused: // the URL answers
	case TimedOut:
		if _, blocked := e.Blocked(now); !blocked {
			return e.timedOut(now, s)
		}
	}
	return e
}

func (e Endpoint) timedOut(now time.Time, s scope) Endpoint {
	now = now.Round(0) // a stored time has no monotonic reading
	was, by, own := e.Timeouts, e.By, 0
	e.Timeouts, e.By = nil, nil
	for i, t := range was {
		if now.Sub(t).Abs() > blockWindow { // Abs: a clock that was set back leaves no lasting count
			continue
		}
		e.Timeouts = append(e.Timeouts, t)
		if i < len(by) {
			if e.By = append(e.By, by[i]); by[i] == s.by {
				own++
			}
		}
	}
	if s.shared && own >= blockCount {
		return e
	}
	if e.Timeouts = append(e.Timeouts, now); s.shared {
		e.By = append(e.By, s.by)
	}
	if len(e.Timeouts) >= s.limit {
		e.Timeouts, e.By, e.BlockedUntil = nil, nil, now.Add(blockTime)
	}
	return e
}

// Blocked reports whether the URL is blocked at now, and until when. The block ends by itself at until.
func (e Endpoint) Blocked(now time.Time) (until time.Time, blocked bool) {
	if !now.Before(e.BlockedUntil) {
		return time.Time{}, false
	}
	return e.BlockedUntil, true
}

// Unblock lifts a block by hand and drops the time-outs.
func (e Endpoint) Unblock() Endpoint {
	return Endpoint{URL: e.URL}
}

// clean reports whether the record is empty.
func (e Endpoint) clean() bool { return len(e.Timeouts) == 0 && e.BlockedUntil.IsZero() }

// endpoints holds the records that are not empty.
var endpoints = store.Table[Endpoint]{Prefix: "ep", Version: 1}

// scope is what time-outs are counted for: the URL, its host, or the merchant.
type scope struct {
	id     string // key in the table
	url    string // URL in the record
	limit  int
	shared bool   // by merchants, none of which may block it for the others
	by     string // the merchant whose time-out counts
}

func scopeOfURL(url string) scope {
	id := endpointID(url)
	return scope{id: string(id[:]), url: url, limit: blockCount}
}
func scopeOfMerchant(id string) scope {
	return scope{id: "m:" + id, url: "merchant " + id, limit: wideCount}
}
func scopeOfHost(host, by string) scope {
	return scope{"h:" + host, "host " + host, wideCount, true, by}
}

// hostOf returns the host of a URL in one spelling. The host of a sink is what all its targets share: its scheme, and
// a host if it has one.
func hostOf(text string) string {
	if host, ok := plainHost(text); ok {
		return host
	}
	u, err := url.Parse(text)
	if err != nil || len(u.Hostname()) > 255 {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if sink := sinkOf(text); sink != "" {
		return sink + ":" + host
	}
	return host
}

// plainHost returns the host of a URL that needs no parsing. Most are.
func plainHost(text string) (host string, ok bool) {
	host, ok = strings.CutPrefix(text, "https://")
	if !ok || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '%' }) {
		return "", false
	}
	host, _, _ = strings.Cut(host, "/")
	named := host != "" && len(host) <= 255 && !strings.HasSuffix(host, ".")
	return host, named && strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
}

// count updates the records of a callback's URL, host and merchant. A time-out while the URL is already blocked
// does not count. It returns those that are blocked now or no longer.
func count(tx store.Tx, c *store.CallbackRecord, v Verdict, now time.Time) (moved []Endpoint, err error) {
	own, err := endpointOf(tx, scopeOfURL(c.URL))
	if err != nil {
		return nil, err
	}
	_, blocked := own.Blocked(now)
	for _, s := range []scope{scopeOfURL(c.URL), scopeOfHost(hostOf(c.URL), c.MerchantID), scopeOfMerchant(c.MerchantID)} {
		if blocked && v == TimedOut {
			break
		}
		after, changed, err := countFor(tx, s, v, now)
		if err != nil {
			return nil, err
		}
		if changed {
			moved = append(moved, after)
		}
	}
	return moved, nil
}

// countFor updates one record and removes it when it is empty. moved means that a block began or is forgotten.
func countFor(tx store.Tx, s scope, v Verdict, now time.Time) (after Endpoint, moved bool, err error) {
	before, err := endpointOf(tx, s)
	if err != nil {
		return after, false, err
	}
	after = before.after(v, now, s)
	switch {
	case after.clean() && before.clean():
	case after.clean():
		err = endpoints.Delete(tx, s.id)
	default:
		err = endpoints.Put(tx, after, s.id)
	}
	return after, !after.BlockedUntil.Equal(before.BlockedUntil), err
}

// endpointID returns a key that is short even for a long URL: 128 bits of its hash.
func endpointID(url string) (id [22]byte) {
	sum := sha256.Sum256([]byte(url))
	base64.RawURLEncoding.Encode(id[:], sum[:16])
	return id
}

// endpointOf reads a record. One that cannot be read counts as empty and is written anew.
func endpointOf(r store.Reader, s scope) (Endpoint, error) {
	endpoint, err := endpoints.Get(r, s.id)
	if errors.Is(err, store.ErrNotFound) || store.IsUnreadable(err) {
		return Endpoint{URL: s.url}, nil
	}
	return endpoint, err
}

// blocks reads the blocks of scopes, each once.
type blocks struct {
	r    store.Reader
	now  time.Time
	read map[string]store.Block
}

// of returns the block of a scope, with a zero end for none.
func (b blocks) of(id string) (store.Block, error) {
	if block, ok := b.read[id]; ok {
		return block, nil
	}
	endpoint, err := endpointOf(b.r, scope{id: id})
	if err != nil {
		return store.Block{}, err
	}
	block := store.Block{}
	if until, blocked := endpoint.Blocked(b.now); blocked {
		block = store.Block{Name: id, Until: until}
	}
	b.read[id] = block
	return block, nil
}
