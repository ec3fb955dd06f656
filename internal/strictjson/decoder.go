// Package strictjson decodes the JSON bodies of requests with one meaning only.
//
// The decoder of the standard library is too lenient for signed requests: it takes the last of several equal keys,
// ignores letter case in key names, turns invalid text into U+FFFD and silently reads null as absent. Here each of
// these is either a fault that names its field or a documented choice:
//
//   - Keys match byte for byte. A case variant is an unknown key. Unknown keys are checked for valid syntax and
//     then ignored, or listed in a field tagged `json:",unknown"`.
//   - A key that appears twice in one object, known or not, is a fault, at every level.
//   - Text is valid Unicode without NUL. Numbers keep the digits as sent and never become floats.
//   - null in a field means absent; [Optional] distinguishes the two. null in a list is a fault.
//   - Depth, keys of an object, entries of a list and the total of both are bounded by [Limits].
//
// All faults of type are collected, so that one answer can name every field; a fault of syntax ends the reading.
// No fault repeats a value of the document, only the names of its fields.
package strictjson

import (
	"fmt"
	"hash/maphash"
	"reflect"
)

// Decoder reads documents of one Go struct type. It never changes after [For] made it, so one value, usually an
// unexported package variable, serves all goroutines.
type Decoder[T any] struct {
	plan   *plan
	limits Limits
	seed   maphash.Seed
}

// For prepares the decoder of struct type T. Each exported field has a tag `json:"name"` or `json:"-"`;
// options after the name, such as omitempty, have no effect here. A second tag `fault:"text"` replaces the
// usual text for a value of the wrong type. `empty:"refused"` refuses an empty text or list as a wrong type, for an
// object that a request requires (elsewhere they count as absent, decision ap). Fields have one of these types:
//
//   - string and bool (also as named types), which accept only a JSON string, and only true or false
//   - structs, embedded structs (their fields join the outer object), pointers and slices of all these types
//   - [Value] for anything, [Object] for any object, [Optional] to distinguish absent from null
//   - [Flag], [Int], [Number] and other types that implement [ValueDecoder]
//   - types that implement encoding.TextUnmarshaler, which accept a JSON string; an empty one counts as absent
//   - []string with the tag `json:",unknown"`, which receives the names of keys that match no field
//
// The zero Limits means the defaults. A mistake in T or in the limits is a mistake in the program: For panics
// with the name of the field.
func For[T any](limits Limits) *Decoder[T] {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("strictjson: %s is not a struct", t))
	}
	root := builder{}.build(t, t.String(), "")
	if root.kind != planStruct {
		panic(fmt.Sprintf("strictjson: %s decodes itself and can not be the whole document", t))
	}
	return &Decoder[T]{plan: root, limits: limits.checked(), seed: maphash.MakeSeed()}
}

// Decode reads body, which must be exactly one JSON object. With faults the first result holds what could be read:
// use it only to collect further faults of other fields in the same answer. Nothing in the result refers to body.
func (d *Decoder[T]) Decode(body []byte) (T, Faults) {
	into, faults, _ := d.Read(body)
	return into, faults
}

// Read is [Decoder.Decode], and reports whether the document was read to its end. It was not if its syntax is
// broken or a container is over a limit: then no field can be called missing, because the rest is unknown.
func (d *Decoder[T]) Read(body []byte) (into T, faults Faults, whole bool) {
	p := parser{body: body, limits: d.limits, seed: d.seed}
	if p.begin() {
		if p.object(reflect.ValueOf(&into).Elem(), d.plan) {
			p.end()
		}
	}
	return into, p.result(), !p.cut
}

// Parse reads body, one JSON value of any kind, under the same rules as [Decoder.Decode].
func Parse(body []byte, limits Limits) (Value, Faults) {
	p := parser{body: body, limits: limits.checked(), seed: maphash.MakeSeed()}
	if !p.fits() {
		return Value{}, p.result()
	}
	v, ok := p.value(true)
	if p.space(); ok && p.at < len(body) {
		p.syntax()
	}
	if faults := p.result(); faults != nil {
		return Value{}, faults
	}
	return v, nil
}
