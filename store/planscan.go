package store

import (
	"bytes"
	"errors"
	"iter"
)

// planScan is a scan of a plan: the range, bounded to what the caller took of it, and the entries it found there.
// The plan stands if the same scan finds the same entries, so a new entry between them is noticed too.
type planScan struct {
	within Range
	seen   []Pair
}

// A plan keeps scans of up to so many entries. A longer one is cheaper to repeat than to keep and to check.
const plannedEntries = 16

// errAbandoned ends a scan that cannot be planned.
var errAbandoned = errors.New("store: a plan has no such scan")

// Scan yields what the snapshot has in a range, and records it. It abandons the plan when there is too much to
// record, and when the plan itself writes in the range.
func (p *plan) Scan(rg Range) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		if p.done {
			yield(Entry{Err: ErrDone})
			return
		}
		if p.writesIn(rg) {
			p.abandon(yield)
			return
		}
		p.record(rg, yield)
	}
}

func (p *plan) abandon(yield func(Entry) bool) {
	p.abandoned = true
	yield(Entry{Err: errAbandoned})
}

// record runs a scan over the snapshot. What the caller took counts, also when it stopped early or panicked.
func (p *plan) record(rg Range, yield func(Entry) bool) {
	scan := planScan{within: rg}
	scan.within.Prefix, scan.within.From = bytes.Clone(rg.Prefix), bytes.Clone(rg.From)
	run := p.run
	p.open++
	defer func() {
		if p.run == run {
			p.open--
			p.scans = append(p.scans, scan)
		}
	}()
	for entry := range p.reader.Scan(rg) {
		if p.done || p.run != run { // a scan that was kept, by iter.Pull
			yield(Entry{Err: ErrDone})
			return
		}
		if entry.Err != nil || len(scan.seen) == plannedEntries {
			p.abandon(yield)
			return
		}
		scan.seen = append(scan.seen, NewPair(entry.Key, entry.Value))
		if !yield(entry) {
			scan.within.Limit = len(scan.seen)
			return
		}
	}
}

// writesIn reports whether the plan has a write that a scan of the range has to show.
func (p *plan) writesIn(rg Range) bool {
	low, high := rg.Bounds()
	for _, pair := range p.writes {
		if key := pair.Key(); key >= string(low) && (high == nil || key < string(high)) {
			return true
		}
	}
	return false
}

// stands reports whether the scan finds the same entries now.
func (s planScan) stands(tx Tx) (bool, error) {
	next := 0
	for entry := range tx.Scan(s.within) {
		switch {
		case entry.Err != nil:
			return false, entry.Err
		case next == len(s.seen) || !s.seen[next].is(entry):
			return false, nil
		}
		next++
	}
	return next == len(s.seen), nil
}

func (p Pair) is(entry Entry) bool {
	return p.Key() == string(entry.Key) && p.Value() == string(entry.Value)
}
