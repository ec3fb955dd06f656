package storetest_test

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// disk is the data of a small store. A transaction works on a copy, and is committed if nothing that it read has
// changed.
type disk struct {
	mu      sync.Mutex
	entries map[string]string
}

// tiny is a small store on a disk, which others may share. defect is what is wrong with it; empty for nothing.
type tiny struct {
	disk   *disk
	own    chan struct{} // holds a token while this instance writes
	defect string
	closed bool
	runs   sync.WaitGroup
}

func newTiny(d *disk, defect string) *tiny {
	return &tiny{disk: d, own: make(chan struct{}, 1), defect: defect}
}

// view is one transaction on a copy.
type view struct {
	s        *tiny
	entries  map[string]string
	read     map[string]string // key and value as they were, "-" for none, "+" before a value
	scans    []store.Range
	written  map[string]bool
	scanning int
	done     bool
}

func (s *tiny) begin() (*view, error) {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.closed && s.defect != "works when closed" {
		return nil, store.ErrClosed
	}
	s.runs.Add(1)
	v := &view{s: s, entries: s.disk.entries, read: map[string]string{}, written: map[string]bool{}}
	if s.defect != "a view sees what is written meanwhile" {
		v.entries = maps.Clone(s.disk.entries)
	}
	return v, nil
}

func (s *tiny) View(ctx context.Context, fn func(store.Reader) error) error {
	if err := ctx.Err(); err != nil && s.defect != "ignores its context" {
		return err
	}
	v, err := s.begin()
	if err != nil {
		return err
	}
	defer v.end()
	if err := fn(v); err != nil {
		return err
	}
	return s.ended(ctx)
}

func (v *view) end() {
	v.done = true
	v.s.runs.Done()
}

func (s *tiny) ended(ctx context.Context) error {
	if s.defect == "ignores its context" {
		return nil
	}
	return ctx.Err()
}

func (s *tiny) Update(ctx context.Context, fn func(store.Tx) error) error {
	for {
		committed, err := s.try(ctx, fn)
		if committed || err != nil {
			return err
		}
	}
}

func (s *tiny) try(ctx context.Context, fn func(store.Tx) error) (committed bool, err error) {
	if err := ctx.Err(); err != nil && s.defect != "ignores its context" {
		return false, err
	}
	if s.defect == "serializable in one process" {
		select {
		case s.own <- struct{}{}:
			defer func() { <-s.own }()
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	v, err := s.begin()
	if err != nil {
		return false, err
	}
	if s.defect == "keeps a part after a panic" {
		defer func() {
			if fault := recover(); fault != nil {
				s.commit(v)
				panic(fault)
			}
		}()
	}
	defer v.end()
	if err := fn(v); err != nil {
		if s.defect == "keeps a part after an error" {
			s.commit(v)
		}
		return false, err
	}
	if err := s.ended(ctx); err != nil {
		return false, err
	}
	return s.commit(v), nil
}

// commit applies what was written, unless what was read has changed.
func (s *tiny) commit(v *view) bool {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if !s.unchanged(v) {
		return false
	}
	for key := range v.written {
		if value, ok := v.entries[key]; ok {
			s.disk.entries[key] = value
		} else {
			delete(s.disk.entries, key)
		}
	}
	return true
}

func (s *tiny) unchanged(v *view) bool {
	switch s.defect {
	case "loses updates", "serializable in one process":
		return true
	case "keeps a part after an error", "keeps a part after a panic":
	}
	for key, was := range v.read {
		if s.defect == "write skew" && !v.written[key] {
			continue
		}
		if state(s.disk.entries, key) != was {
			return false
		}
	}
	for _, r := range v.scans {
		if s.defect != "phantoms" && !slices.Equal(v.selected(s.disk.entries, r), v.selected(v.before(), r)) {
			return false
		}
	}
	return true
}

// before returns the entries as they were when the transaction began, as far as it knows.
func (v *view) before() map[string]string {
	was := maps.Clone(v.entries)
	for key := range v.written {
		switch old := v.read[key]; old[0] {
		case '-':
			delete(was, key)
		default:
			was[key] = old[1:]
		}
	}
	return was
}

func state(entries map[string]string, key string) string {
	if value, ok := entries[key]; ok {
		return "+" + value
	}
	return "-"
}

func (v *view) note(key string) {
	if _, known := v.read[key]; !known {
		v.read[key] = state(v.entries, key)
	}
}

func (v *view) fault() error {
	if v.done && v.s.defect != "works when it is over" {
		return store.ErrDone
	}
	return nil
}

func (v *view) Get(key []byte) ([]byte, error) {
	if err := v.fault(); err != nil {
		return nil, err
	}
	if err := store.CheckKey(key); err != nil && v.s.defect != "takes any key" {
		return nil, err
	}
	v.note(string(key))
	value, ok := v.entries[string(key)]
	if !ok {
		return nil, store.ErrNotFound
	}
	return []byte(value), nil
}

// selected returns keys and values of a range.
func (v *view) selected(entries map[string]string, r store.Range) (list []string) {
	low, high := r.Bounds()
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if bytes.Compare([]byte(key), low) >= 0 && (high == nil || bytes.Compare([]byte(key), high) < 0) {
			list = append(list, key, entries[key])
		}
	}
	return list
}

func (v *view) Scan(r store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		if err := v.fault(); err != nil {
			yield(store.Entry{Err: err})
			return
		}
		v.scans = append(v.scans, r)
		found, limit := v.selected(v.entries, r), r.Limit
		if r.Reverse && v.s.defect != "scans in one direction" {
			for i, j := 0, len(found)-2; i < j; i, j = i+2, j-2 {
				found[i], found[i+1], found[j], found[j+1] = found[j], found[j+1], found[i], found[i+1]
			}
		}
		if v.s.defect == "one too many" {
			limit++
		}
		v.scanning++
		defer func() { v.scanning-- }()
		for i := 0; i < min(len(found), 2*limit); i += 2 {
			entry := store.Entry{Key: []byte(found[i]), Value: []byte(found[i+1])}
			if err := v.fault(); err != nil && v.s.defect != "scans when it is over" {
				entry = store.Entry{Err: err}
			}
			if !yield(entry) || entry.Err != nil {
				return
			}
		}
	}
}

func (v *view) may(key, value []byte) error {
	if err := v.fault(); err != nil {
		return err
	}
	if v.scanning > 0 && v.s.defect != "writes in a scan" {
		return store.ErrScanOpen
	}
	if v.s.defect == "takes any key" {
		return nil
	}
	if err := store.CheckKey(key); err != nil || value == nil {
		return err
	}
	return store.CheckValue(value)
}

func (v *view) write(key []byte, value string) {
	v.note(string(key))
	v.written[string(key)], v.entries[string(key)] = true, value
}

func (v *view) Put(key, value []byte) error {
	if value == nil && v.s.defect != "takes any key" {
		return store.ErrValue
	}
	if err := v.may(key, value); err != nil {
		return err
	}
	v.write(key, string(value))
	return nil
}

func (v *view) Insert(key, value []byte) error {
	if value == nil && v.s.defect != "takes any key" {
		return store.ErrValue
	}
	if err := v.may(key, value); err != nil {
		return err
	}
	v.note(string(key))
	if _, there := v.entries[string(key)]; there && v.s.defect != "inserts over" {
		return store.ErrExists
	}
	v.write(key, string(value))
	return nil
}

func (v *view) Delete(key []byte) error {
	if err := v.may(key, nil); err != nil {
		return err
	}
	v.note(string(key))
	if _, there := v.entries[string(key)]; !there && v.s.defect == "deletes only what is there" {
		return store.ErrNotFound
	}
	v.written[string(key)] = true
	delete(v.entries, string(key))
	return nil
}

func (s *tiny) Close() error {
	s.disk.mu.Lock()
	again := s.closed
	s.closed = true
	s.disk.mu.Unlock()
	if s.defect != "closes at once" {
		s.runs.Wait()
	}
	if again && s.defect == "closes once" {
		return store.ErrClosed
	}
	return nil
}
