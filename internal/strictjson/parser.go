package strictjson

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway/internal/fault"
)

// parser is one pass over one body. Its methods return false when the reading cannot continue; the reason is then
// in whole or in faults.
//
// Paths cost nothing without faults: a fault is recorded relative to the value being read, and each level puts its
// own name in front of the faults that its value added.
type parser struct {
	body   []byte
	at     int
	depth  int
	pairs  int
	limits Limits
	seed   maphash.Seed

	keys    []seenKey // keys of the open objects that no bit of a plan stands for
	stack   []Value   // children of the open trees
	buf     []byte    // the last text with escapes
	escaped bool      // whether the last text lies in buf
	copied  string    // the body, for texts to be parts of; empty before the first, and for a long body

	faults Faults
	whole  string // the fault of the document as such, which ended the reading
	deep   bool   // that fault is its depth
	cut    bool   // the document was not read to its end
}

type seenKey struct {
	hash uint64
	key  []byte
}

// fits checks what can be known before reading.
func (p *parser) fits() bool {
	if len(p.body) > p.limits.MaxBytes {
		return p.stop(fault.Size(p.limits.MaxBytes))
	}
	return true
}

// begin finds the opening brace. Any other value is read to report its own fault, such as too much depth; UTF-16 is
// recognised by a zero beside the brace.
func (p *parser) begin() bool {
	if !p.fits() {
		return false
	}
	if p.space() == '{' && !(p.at+1 < len(p.body) && p.body[p.at+1] == 0) {
		return true
	}
	p.value(false)
	p.faults = nil
	if !p.deep {
		p.stop(textNotObject)
	}
	return false
}

// end checks that nothing follows the document.
func (p *parser) end() {
	p.space()
	if p.at < len(p.body) {
		p.stop(textNotObject)
	}
}

// result returns the faults in their outer form. A key repeated over and over is one fault.
func (p *parser) result() Faults {
	if p.whole != "" {
		p.faults = append(p.faults, Fault{Text: p.whole})
	}
	for i := range p.faults {
		if p.faults[i].Path == "" {
			p.faults[i].Path = "body"
		}
	}
	return slices.Compact(p.faults)
}

// stop records the fault of the whole document and ends the reading.
func (p *parser) stop(text string) bool {
	p.whole, p.cut = text, true
	return false
}

// syntax ends the reading at a byte that the grammar does not allow.
func (p *parser) syntax() bool {
	return p.stop("must be valid JSON (byte " + strconv.Itoa(p.at) + ")")
}

// fault records a fault at path, which is relative to the value being read.
func (p *parser) fault(path, text string) {
	if len(p.faults) < fault.Max {
		p.faults = append(p.faults, Fault{Path: path, Text: text})
	}
}

// prefix puts name in front of the faults from number first on.
func (p *parser) prefix(first int, name string) {
	for i := first; i < len(p.faults); i++ {
		p.faults[i].Path = joinPath(name, p.faults[i].Path)
	}
}

// enter steps into an object or list, whose opening mark stands at p.at.
func (p *parser) enter() bool {
	p.depth++
	p.at++
	if p.depth > p.limits.MaxDepth {
		p.deep = true
		return p.stop(textDeep)
	}
	return true
}

// count counts the n-th (from 0) key or entry of one container, of which most are allowed.
func (p *parser) count(n, most int, what string) bool {
	if n >= most {
		p.fault("", "must have at most "+strconv.Itoa(most)+" "+what)
		p.cut = true
		return false
	}
	p.pairs++
	if p.pairs > p.limits.MaxPairs {
		return p.stop("must have at most " + strconv.Itoa(p.limits.MaxPairs) + " fields and list entries")
	}
	return true
}

// member reads the n-th key of an object with its colon, or the closing brace (more is false). The key is valid
// until the next text is read.
func (p *parser) member(n int) (key []byte, more, ok bool) {
	c := p.space()
	if c == '}' {
		p.at++
		p.depth--
		return nil, false, true
	}
	if n > 0 {
		if c != ',' {
			return nil, false, p.syntax()
		}
		p.at++
		c = p.space()
	}
	if c != '"' {
		return nil, false, p.syntax()
	}
	if !p.count(n, p.limits.MaxKeys, "fields") {
		return nil, false, false
	}
	key, wrong, ok := p.text()
	if !ok {
		return nil, false, false
	}
	if wrong != "" {
		p.fault(keyText(key), wrong)
	}
	if p.space() != ':' {
		return nil, false, p.syntax()
	}
	p.at++
	return key, true, true
}

// entry steps to the n-th entry of a list, or over the closing bracket (more is false).
func (p *parser) entry(n int) (more, ok bool) {
	c := p.space()
	if c == ']' {
		p.at++
		p.depth--
		return false, true
	}
	if n > 0 {
		if c != ',' {
			return false, p.syntax()
		}
		p.at++
	}
	ok = p.count(n, p.limits.MaxItems, "entries")
	return ok, ok
}

// first remembers key among the keys since mark and reports whether it is new there. The hash is seeded, so no
// sender can choose keys that make the comparison slow. It returns key in a form that stays valid.
func (p *parser) first(key []byte, mark int) (kept []byte, isNew bool) {
	hash := maphash.Bytes(p.seed, key)
	for i := mark; i < len(p.keys); i++ {
		if p.keys[i].hash == hash && bytes.Equal(p.keys[i].key, key) {
			return p.keys[i].key, false
		}
	}
	if p.escaped {
		key = slices.Clone(key)
	}
	p.keys = append(p.keys, seenKey{hash, key})
	return key, true
}
