package strictjson

import (
	"encoding"
	"reflect"

	"github.com/tollgatepay/gateway/internal/fault"
)

// object fills a struct from the object whose brace stands at p.at.
func (p *parser) object(dst reflect.Value, pl *plan) bool {
	if !p.enter() {
		return false
	}
	mark := len(p.keys)
	var seen fieldSet
	for n := 0; ; n++ {
		key, more, ok := p.member(n)
		if !ok {
			return false
		}
		if !more {
			p.keys = p.keys[:mark]
			return true
		}
		i, known := pl.names[string(key)]
		switch {
		case !known:
			ok = p.unknown(dst, pl, key, mark)
		case !seen.add(i):
			p.fault(pl.fields[i].name, textRepeated)
			ok = p.named(reflect.Value{}, nil, pl.fields[i].name)
		default:
			f := &pl.fields[i]
			ok = p.named(inside(dst, f.index), f.plan, f.name)
		}
		if !ok {
			return false
		}
	}
}

// inside finds the field at index; most fields lie in the struct itself.
func inside(dst reflect.Value, index []int) reflect.Value {
	if len(index) == 1 {
		return dst.Field(index[0])
	}
	return dst.FieldByIndex(index)
}

// named fills dst, or only checks the value if there is no plan, and puts name before the faults.
func (p *parser) named(dst reflect.Value, pl *plan, name string) (ok bool) {
	before := len(p.faults)
	if pl == nil {
		ok = p.skip()
	} else {
		ok = p.fill(dst, pl)
	}
	if len(p.faults) > before {
		p.prefix(before, name)
	}
	return ok
}

// unknown checks the value of a key that has no field and records the key if the struct asks for it.
func (p *parser) unknown(dst reflect.Value, pl *plan, raw []byte, mark int) bool {
	key, isNew := p.first(raw, mark)
	if !isNew {
		p.fault(keyText(key), textRepeated)
	} else if pl.unknown != nil {
		list := inside(dst, pl.unknown).Addr().Interface().(*[]string)
		if len(*list) < fault.Max {
			*list = append(*list, keyText(key))
		}
	}
	before := len(p.faults)
	ok := p.skip()
	if len(p.faults) > before {
		p.prefix(before, keyText(key))
	}
	return ok
}

// fill reads one value into dst. null leaves dst as it is.
func (p *parser) fill(dst reflect.Value, pl *plan) bool {
	c := p.space()
	if c == 'n' && pl.kind != planValue {
		if pl.kind == planOptional {
			dst.Field(1).SetUint(uint64(Null))
		}
		return p.literal("null")
	}
	switch pl.kind {
	case planText, planTextHook:
		return p.fillText(dst, pl, c)
	case planBool:
		if c == 't' {
			dst.SetBool(true)
			return p.literal("true")
		}
		if c == 'f' {
			return p.literal("false")
		}
	case planStruct:
		if c == '{' {
			return p.object(dst, pl)
		}
		return p.emptied(pl, c)
	case planList:
		if c == '[' {
			return p.list(dst, pl)
		}
		return p.emptied(pl, c)
	case planPointer:
		if opens := opener(pl.elem.kind); opens != 0 && c != opens {
			return p.emptied(pl.elem, c)
		}
		target := reflect.New(dst.Type().Elem())
		dst.Set(target)
		return p.fill(target.Elem(), pl.elem)
	case planOptional:
		dst.Field(1).SetUint(uint64(Given))
		return p.fill(dst.Field(0), pl.elem)
	default:
		return p.fillHook(dst, pl)
	}
	return p.mismatch(pl)
}

// opener is what a container begins with, 0 for all else.
func opener(kind planKind) byte {
	switch kind {
	case planStruct:
		return '{'
	case planList:
		return '['
	}
	return 0
}

// emptied takes "", [] and {} for an object or a list that is absent (decision ap: PHP writes an empty array as
// []); anything else is of the wrong type.
func (p *parser) emptied(pl *plan, c byte) bool {
	if pl.strict || c != '"' && c != '[' && c != '{' {
		return p.mismatch(pl)
	}
	before := len(p.faults)
	v, ok := p.value(true)
	if ok && len(p.faults) == before && !v.isEmpty() {
		p.fault("", pl.want)
	}
	return ok
}

// mismatch skips the value at p.at and adds a fault for its wrong type, unless it is no value at all.
func (p *parser) mismatch(pl *plan) bool {
	if !p.skip() {
		return false
	}
	p.fault("", pl.want)
	return true
}

func (p *parser) fillText(dst reflect.Value, pl *plan, c byte) bool {
	if c != '"' {
		return p.mismatch(pl)
	}
	b, wrong, ok := p.text()
	switch {
	case !ok:
		return false
	case wrong != "":
		p.fault("", wrong)
	case pl.kind == planText:
		dst.SetString(p.kept(b))
	case len(b) > 0:
		// An error of another package may repeat the text, so only ours is shown.
		if dst.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(b) != nil {
			p.fault("", pl.invalid())
		}
	}
	return true
}

func (pl *plan) invalid() string {
	if pl.custom {
		return pl.want
	}
	return fault.Invalid
}

// fillHook reads a value of any shape for a type with its own decoder.
func (p *parser) fillHook(dst reflect.Value, pl *plan) bool {
	before := len(p.faults)
	v, ok := p.value(true)
	if !ok || len(p.faults) > before {
		return ok
	}
	if pl.kind == planValue {
		*dst.Addr().Interface().(*Value) = v
		return true
	}
	err := dst.Addr().Interface().(ValueDecoder).UnmarshalJSONValue(v)
	switch {
	case err == nil:
	case pl.custom:
		p.fault("", pl.want)
	default:
		p.fault("", err.Error())
	}
	return true
}

// list fills a slice; null is no entry of a list, so it reaches the plan of the entry as a wrong type.
func (p *parser) list(dst reflect.Value, pl *plan) bool {
	if !p.enter() {
		return false
	}
	dst.Set(reflect.MakeSlice(dst.Type(), 0, 0))
	for n := 0; ; n++ {
		more, ok := p.entry(n)
		if !ok || !more {
			return ok
		}
		dst.Grow(1)
		dst.SetLen(n + 1)
		before := len(p.faults)
		if p.space() == 'n' {
			ok = p.nullEntry(dst.Index(n), pl.elem)
		} else {
			ok = p.fill(dst.Index(n), pl.elem)
		}
		if len(p.faults) > before {
			p.prefix(before, indexText(n))
		}
		if !ok {
			return false
		}
	}
}

// nullEntry reads a null that stands in a list.
func (p *parser) nullEntry(dst reflect.Value, pl *plan) bool {
	switch pl.kind {
	case planValue, planHook:
		return p.fillHook(dst, pl)
	case planOptional:
		return p.fill(dst, pl)
	case planPointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		return p.nullEntry(dst.Elem(), pl.elem)
	}
	return p.mismatch(pl)
}
