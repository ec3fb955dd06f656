package postgres

import (
	"slices"
	"strings"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// recent is what an instance has read and written lately. It may be out of date, since others write too: what is
// decided by it is compared with the database before anything comes of it. A value that is out of date costs a second
// run and is no mistake.
type recent struct {
	mu    sync.Mutex
	pairs map[string]store.Pair
	older map[string]store.Pair // goes when there are enough younger ones
	bytes int                   // that came into pairs
	kinds map[string]int        // how far the keys of a kind are likely to have no value
	moved map[string]int        // how far keys are likely to have been changed by others
	again map[string]int        // how many keys of a kind are still to be written as ones that may have values
}

const (
	recentBytes = 8 << 20  // of each generation
	recentPair  = 16 << 10 // a larger pair is read again
	recentEntry = 64       // bytes that a pair takes beside its own
	recentKinds = 1024
	kindLength  = 4 // at most
	// A kind of keys is scored: one up for an answer without a value, two down for one with. From likelyAbsent on a key
	// that is not known is taken to have none, as those of new records have.
	likelyAbsent = 4
	mostLikely   = 8
	// So is a key: two up for an answer that is not what was remembered, one down for one that is. From likelyMoved on it
	// is asked for, so that instances which change the same key do not lose against each other all the time.
	likelyMoved = 2
	mostMoved   = 4096 // keys
	// A key that is written and was not read is taken to be new. When one was not, so many of its kind are not taken so.
	writtenAgain = 1000
)

// recall returns what is known or likely under a key.
func (r *recent) recall(key []byte) (store.Pair, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.moved[string(key)] >= likelyMoved {
		return "", false
	}
	if pair, ok := r.pairs[string(key)]; ok {
		return pair, true
	}
	if pair, ok := r.older[string(key)]; ok {
		delete(r.older, pair.Key())
		r.keep(pair)
		return pair, true
	}
	if r.kinds[kind(string(key[:min(len(key), kindLength)]))] < likelyAbsent {
		return "", false
	}
	return store.NewPair(key, nil), true
}

// kind returns the part of a key that keys of the same kind begin with: tables end their names with a zero.
func kind(key string) string {
	name, _, _ := strings.Cut(key[:min(len(key), kindLength)], "\x00")
	return name
}

// learn takes answers of the database, with or without values.
func (r *recent) learn(pairs []store.Pair) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, pair := range pairs {
		r.score(pair)
		r.compare(pair)
		r.keep(pair)
	}
}

// outdates reports whether something that was read is known to have changed.
func (r *recent) outdates(read *seen) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(read.list, func(pair store.Pair) bool {
		known, ok := r.remembered(pair.Key())
		return ok && known != pair
	})
}

func (r *recent) score(pair store.Pair) {
	name := kind(pair.Key())
	score, known := r.kinds[name]
	switch {
	case !known && len(r.kinds) == recentKinds:
	case pair.HasValue():
		r.kinds[name] = max(score-2, 0)
	default:
		r.kinds[name] = min(score+1, mostLikely)
	}
}

// remembered returns what is known under a key. The mutex is held.
func (r *recent) remembered(key string) (store.Pair, bool) {
	pair, ok := r.pairs[key]
	if !ok {
		pair, ok = r.older[key]
	}
	return pair, ok
}

// compare scores a key by what was remembered of it.
func (r *recent) compare(pair store.Pair) {
	key := pair.Key()
	known, ok := r.remembered(key)
	score := r.moved[key]
	switch {
	case ok && known != pair:
		if len(r.moved) == mostMoved {
			clear(r.moved)
		}
		r.moved[key] = min(score+2, mostLikely)
	case score > 1:
		r.moved[key] = score - 1
	case score == 1:
		delete(r.moved, key)
	}
}

// sortOut takes what is written under keys that were not read. It adds to fresh what is so under keys that are likely
// to have no value, and returns the rest in the memory of blind. When one of these keys has a value, the whole group is
// sent again.
func (r *recent) sortOut(fresh, blind []store.Pair) (_, rest []store.Pair) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rest = blind[:0]
	for _, pair := range blind {
		if r.isNew(pair.Key()) {
			fresh = append(fresh, pair)
		} else {
			rest = append(rest, pair)
		}
	}
	clear(blind[len(rest):])
	return fresh, rest
}

// isNew reports whether a key that is written is likely to have no value. The mutex is held.
func (r *recent) isNew(key string) bool {
	if pair, ok := r.remembered(key); ok && pair.HasValue() {
		return false
	}
	name := kind(key)
	left := r.again[name]
	switch {
	case left > 1:
		r.again[name] = left - 1
	case left == 1:
		delete(r.again, name)
	}
	return left == 0
}

// overwrote takes the keys of a group that sortOut has taken for new. Not all of them were, and nothing tells which.
func (r *recent) overwrote(keys []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range keys {
		name := kind(key)
		if r.again[name] == 0 && len(r.again) == recentKinds {
			clear(r.again)
		}
		r.again[name] = writtenAgain
	}
}

// wrote takes what was committed.
func (r *recent) wrote(pairs []store.Pair) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, pair := range pairs {
		r.keep(pair)
	}
}

func (r *recent) keep(pair store.Pair) {
	if len(pair) > recentPair {
		delete(r.pairs, pair.Key())
		delete(r.older, pair.Key())
		return
	}
	if r.bytes += recentEntry + len(pair); r.bytes > recentBytes {
		clear(r.older)
		r.older, r.pairs, r.bytes = r.pairs, r.older, 0
	}
	r.pairs[pair.Key()] = pair
}

func newRecent() *recent {
	return &recent{
		pairs: map[string]store.Pair{}, older: map[string]store.Pair{},
		kinds: map[string]int{}, moved: map[string]int{}, again: map[string]int{},
	}
}
