package difftest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// Subject is a store under comparison.
type Subject struct {
	// Name is the name of the store in a reported difference.
	Name string
	// Store has to be empty when a list begins. Empty removes everything.
	Store store.Store
	// Reopen closes Store and opens the same data again. When nil, the store goes on without reopening, which has to
	// look the same.
	Reopen func(store.Store) (store.Store, error)
}

// Compare runs the list on each subject and returns nil when all gave the same answers. The error names the first
// step and call where one differs from the first subject.
func Compare(ctx context.Context, list List, subjects ...*Subject) error {
	var first []line
	for i, subject := range subjects {
		said := subject.run(ctx, list)
		if i == 0 {
			first = said
			continue
		}
		if err := differ(subjects[0].Name, subject.Name, first, said); err != nil {
			return err
		}
	}
	return nil
}

// Empty removes everything from the subject's store.
func (s *Subject) Empty(ctx context.Context) error {
	return s.Store.Update(ctx, func(tx store.Tx) error {
		var keys [][]byte
		for e := range tx.Scan(store.Range{Limit: 1 << 30}) {
			if e.Err != nil {
				return e.Err
			}
			keys = append(keys, e.Key)
		}
		for _, key := range keys {
			if err := tx.Delete(key); err != nil {
				return err
			}
		}
		return nil
	})
}

// line is a call and the answer to it.
type line struct {
	step   int
	call   string
	answer string
}

func differ(nameA, nameB string, a, b []line) error {
	for i := range max(len(a), len(b)) {
		x, y := at(a, i), at(b, i)
		if x != y {
			return fmt.Errorf("difftest: step %d, %s: %s says %s, %s says %s", x.step, x.call, nameA, x.answer, nameB, y.answer)
		}
	}
	return nil
}

func at(lines []line, i int) line {
	if i < len(lines) {
		return lines[i]
	}
	return line{call: "end of the list", answer: "no more answers"}
}

// errOwn is what a failing function returns; Update has to return it unchanged.
var errOwn = errors.New("difftest: the function's own error")

// sentinels are the errors that every store reports.
var sentinels = []error{
	errOwn, store.ErrNotFound, store.ErrExists, store.ErrUnknownCommit, store.ErrScanOpen, store.ErrDone, store.ErrKey,
	store.ErrValue, store.ErrClosed, context.Canceled, context.DeadlineExceeded,
}

// nameOf returns the sentinel that an error is (errors.Is); the text around it may differ between stores.
func nameOf(err error) string {
	if err == nil {
		return "ok"
	}
	for _, known := range sentinels {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "unknown fault: " + err.Error()
}

// run runs the list on one subject, and ends with the whole content, read in both directions.
func (s *Subject) run(ctx context.Context, list List) (all []line) {
	var stale store.Reader
	for i, step := range list {
		said := s.step(ctx, step, &stale)
		for j := range said {
			said[j].step = i
		}
		all = append(all, said...)
	}
	whole := Op{Verb: Scan, Range: store.Range{Limit: 1 << 30}}
	back := whole
	back.Range.Reverse = true
	for _, kind := range []Kind{View, Update} {
		said := s.step(ctx, Step{Kind: kind, Ops: []Op{whole, back}}, &stale)
		for j := range said {
			said[j].step = len(list)
		}
		all = append(all, said...)
	}
	return all
}

// step runs a step. A function may run more than once; its last run counts.
func (s *Subject) step(ctx context.Context, step Step, stale *store.Reader) (said []line) {
	if step.Kind == Reopen {
		return s.reopen()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if step.Kind == Cancelled {
		cancel()
	}
	handle := *stale
	body := func(r store.Reader, tx store.Tx) error {
		said = nil
		for _, op := range step.Ops {
			said = append(said, call(r, tx, handle, op)...)
		}
		*stale = r
		return end(step.End, cancel)
	}
	thrown, err := s.transact(ctx, step.Kind, body)
	if step.Kind == View && step.End == Cancel && errors.Is(err, context.Canceled) {
		err = nil // a View may notice at its end that its context has ended, and need not
	}
	return append(said, line{call: fmt.Sprintf("end %d of a transaction of kind %d", step.End, step.Kind),
		answer: fmt.Sprint(nameOf(err), " ", thrown)})
}

func end(how End, cancel func()) error {
	switch how {
	case Fail:
		return errOwn
	case Panic:
		panic("difftest: the function's own panic")
	case Cancel:
		cancel()
	}
	return nil
}

func (s *Subject) transact(ctx context.Context, kind Kind,
	body func(store.Reader, store.Tx) error) (thrown any, err error) {
	defer func() { thrown = recover() }()
	if kind == View {
		return nil, s.Store.View(ctx, func(r store.Reader) error { return body(r, nil) })
	}
	return nil, s.Store.Update(ctx, func(tx store.Tx) error { return body(tx, tx) })
}

func (s *Subject) reopen() []line {
	if s.Reopen == nil {
		return []line{{call: "reopen", answer: "ok"}}
	}
	again, err := s.Reopen(s.Store)
	if err == nil {
		s.Store = again
	}
	return []line{{call: "reopen", answer: nameOf(err)}}
}

// call makes one call; a scan answers in many lines.
func call(r store.Reader, tx store.Tx, stale store.Reader, op Op) []line {
	name := fmt.Sprintf("verb %d of key %.20q, range %+v", op.Verb, op.Key, op.Range)
	switch {
	case op.Verb == Get:
		return []line{{call: name, answer: get(r, op.Key)}}
	case op.Verb == Scan:
		return scan(r, tx, name, op)
	case op.Verb == Stale && stale != nil:
		return append(scan(stale, nil, name, Op{Range: store.Range{Limit: 3}}), line{call: name, answer: get(stale, op.Key)})
	case tx == nil || op.Verb == Stale:
		return nil
	}
	return []line{{call: name, answer: nameOf(write(tx, op))}}
}

func get(r store.Reader, key []byte) string {
	value, err := r.Get(key)
	return fmt.Sprintf("%s %.40q of %d bytes, nil %t", nameOf(err), value, len(value), value == nil)
}

// write passes copies and overwrites them afterwards: the store has to keep its own.
func write(tx store.Tx, op Op) error {
	key, value := slices.Clone(op.Key), slices.Clone(op.Value)
	defer func() { spoil(key); spoil(value) }()
	switch op.Verb {
	case Put:
		return tx.Put(key, value)
	case Insert:
		return tx.Insert(key, value)
	}
	return tx.Delete(key)
}

func spoil(text []byte) {
	for i := range text {
		text[i] = '!'
	}
}

func scan(r store.Reader, tx store.Tx, name string, op Op) (said []line) {
	for e := range r.Scan(op.Range) {
		answer := fmt.Sprintf("%s %.20q=%.40q of %d bytes", nameOf(e.Err), e.Key, e.Value, len(e.Value))
		if op.Write && tx != nil {
			answer += ", a write: " + nameOf(tx.Put(op.Key, op.Value))
		}
		said = append(said, line{call: name, answer: answer})
		spoil(e.Key)
		spoil(e.Value)
		if len(said) == op.Stop {
			break
		}
	}
	return append(said, line{call: name, answer: "end"})
}
