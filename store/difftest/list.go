// Package difftest runs the same lists of operations on several stores and reports where their answers differ.
// storetest checks the promises of the contract. difftest finds differences that no promise names: in every value,
// every order of a scan, every fault.
//
//	a, b := difftest.Subject{Name: "memory", Store: memory.New()}, difftest.Subject{Name: "mine", Store: s}
//	err := difftest.Compare(ctx, difftest.Random(seed), &a, &b)
//
// A list is read from bytes (Parse), so that a fuzzer can write one; Random reads the bytes of a seeded generator,
// so that a number is enough to repeat it.
package difftest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// List is the steps that one store runs, in order.
type List []Step

// Step is a transaction, or a reopening of the store.
type Step struct {
	Kind Kind
	Ops  []Op
	End  End
}

// Kind says what a Step is.
type Kind byte

// The kinds of steps. Reopen closes the store and opens the same data again. Cancelled is an update whose
// context is over before it begins.
const (
	Update Kind = iota
	View
	Reopen
	Cancelled
)

// End is how the function of a transaction ends.
type End byte

// The ends of a transaction.
const (
	Commit End = iota
	Fail
	Panic
	Cancel
)

// Op is one call inside a transaction.
type Op struct {
	Verb  Verb
	Key   []byte      // may be outside the limits
	Value []byte      // may be outside the limits; nil is
	Range store.Range // of a Scan
	Stop  int         // a Scan stops after this many entries; 0: never
	Write bool        // a Put is tried at the first entry of a Scan, and while it is not refused at each other one
}

// Verb says what an Op calls.
type Verb byte

// The verbs. Stale uses the handle of the transaction before. A View leaves writes out.
const (
	Get Verb = iota
	Scan
	Put
	Insert
	Delete
	Stale
)

// Random returns the list of a seed: up to twelve steps of up to twelve operations.
func Random(seed uint64) List {
	random := rand.New(rand.NewPCG(seed, 0x70_11_6a_7e))
	data := make([]byte, 64+random.IntN(400))
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return Parse(data)
}

// Parse reads a list; any bytes are a valid list.
func Parse(data []byte) (list List) {
	in := source{data}
	for len(in.data) > 0 && len(list) < 12 {
		list = append(list, in.step())
	}
	return list
}

// source returns bytes, and zeros at the end.
type source struct{ data []byte }

func (s *source) below(n int) int {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return int(b) % n
}

func (s *source) step() Step {
	step := Step{Kind: [...]Kind{Update, Update, Update, Update, Update, Update, View, View, View, View, Reopen,
		Cancelled}[s.below(12)]}
	if step.Kind == Reopen {
		return step
	}
	for range s.below(13) {
		step.Ops = append(step.Ops, s.op())
	}
	step.End = [...]End{Commit, Commit, Commit, Commit, Commit, Fail, Panic, Cancel}[s.below(8)]
	return step
}

func (s *source) op() Op {
	op := Op{Verb: [...]Verb{Get, Get, Get, Scan, Scan, Scan, Scan, Put, Put, Put, Put, Insert, Insert, Insert, Delete,
		Delete, Delete, Stale}[s.below(18)]}
	op.Key = s.key()
	switch op.Verb {
	case Put, Insert:
		op.Value = s.value()
	case Scan:
		op.Range = store.Range{Prefix: s.prefix(), From: s.prefix(), Limit: s.below(9), Reverse: s.below(2) == 1}
		if op.Range.Limit > 6 {
			op.Range.Limit = 1000
		}
		op.Stop, op.Write, op.Value = s.below(6), s.below(6) == 0, []byte("written in a scan")
	}
	return op
}

// The letters of keys: bytes at both ends of the range, where orders go wrong.
var letters = [...]byte{0, 1, 'a', 'b', 'c', 0xFE, 0xFF}

// key returns a short key, seldom a new one, and now and then one outside the limits.
func (s *source) key() []byte {
	switch s.below(40) {
	case 0:
		return nil
	case 1:
		return long(store.MaxKey)
	case 2:
		return long(store.MaxKey + 1)
	}
	return s.word(1 + s.below(3))
}

// prefix returns the start of keys, or nothing.
func (s *source) prefix() []byte { return s.word(s.below(3)) }

func (s *source) word(n int) []byte {
	word := make([]byte, n)
	for i := range word {
		word[i] = letters[s.below(len(letters))]
	}
	return word
}

func (s *source) value() []byte {
	switch n := s.below(40); n {
	case 0:
		return nil
	case 1:
		return []byte{}
	case 2:
		return long(store.MaxValue + 1)
	case 3:
		return long(9000) // more than a page of a file
	default:
		return fmt.Appendf(nil, "%d-%d", n, s.below(256))
	}
}

func long(n int) []byte { return []byte(strings.Repeat("k", n)) }
