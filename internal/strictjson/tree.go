package strictjson

import (
	"slices"
	"strconv"
)

// value reads any JSON value. With build false it only checks: the result is then empty and nothing is kept.
func (p *parser) value(build bool) (Value, bool) {
	switch p.space() {
	case '{':
		return p.treeObject(build)
	case '[':
		return p.treeList(build)
	case '"':
		b, wrong, ok := p.text()
		if wrong != "" {
			p.fault("", wrong)
		}
		if !ok || !build {
			return Value{}, ok
		}
		return Value{kind: KindText, text: p.kept(b)}, true
	case 't':
		return boolValue(true), p.literal("true")
	case 'f':
		return boolValue(false), p.literal("false")
	case 'n':
		return Value{kind: KindNull}, p.literal("null")
	}
	raw, ok := p.number()
	if !ok || !build {
		return Value{}, ok
	}
	return Value{kind: KindNumber, text: string(raw)}, true
}

// skip checks a value that is not needed.
func (p *parser) skip() bool {
	_, ok := p.value(false)
	return ok
}

func (p *parser) treeObject(build bool) (Value, bool) {
	if !p.enter() {
		return Value{}, false
	}
	mark, bottom := len(p.keys), len(p.stack)
	for n := 0; ; n++ {
		raw, more, ok := p.member(n)
		if !ok {
			return Value{}, false
		}
		if !more {
			p.keys = p.keys[:mark]
			return p.pop(KindObject, bottom), true
		}
		key, isNew := p.first(raw, mark)
		if !isNew {
			p.fault(keyText(key), textRepeated)
		}
		before := len(p.faults)
		v, ok := p.value(build)
		if len(p.faults) > before {
			p.prefix(before, keyText(key))
		}
		if !ok {
			return Value{}, false
		}
		if build {
			v.key = string(key)
			p.stack = append(p.stack, v)
		}
	}
}

func (p *parser) treeList(build bool) (Value, bool) {
	if !p.enter() {
		return Value{}, false
	}
	bottom := len(p.stack)
	for n := 0; ; n++ {
		more, ok := p.entry(n)
		if !ok {
			return Value{}, false
		}
		if !more {
			return p.pop(KindList, bottom), true
		}
		before := len(p.faults)
		v, ok := p.value(build)
		if len(p.faults) > before {
			p.prefix(before, indexText(n))
		}
		if !ok {
			return Value{}, false
		}
		if build {
			p.stack = append(p.stack, v)
		}
	}
}

// pop makes a container of the values above bottom.
func (p *parser) pop(kind Kind, bottom int) Value {
	v := Value{kind: kind}
	if len(p.stack) > bottom {
		v.items = slices.Clone(p.stack[bottom:])
		p.stack = p.stack[:bottom]
	}
	return v
}

func indexText(n int) string { return "[" + strconv.Itoa(n) + "]" }
