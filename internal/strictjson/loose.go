package strictjson

import (
	"errors"
	"strconv"

	"github.com/tollgatepay/gateway/internal/fault"
)

// ValueDecoder is a type that reads its own JSON value, by a method on its pointer. The text of the error becomes
// the text of the fault, so it must not repeat the value. The method is not called for null, which means absent,
// except in a list.
type ValueDecoder interface {
	UnmarshalJSONValue(v Value) error
}

var (
	errWantBool   = errors.New(fault.Bool)
	errWantInt    = errors.New(textWantInt)
	errWantNumber = errors.New(textWantNumber)
	errWantObject = errors.New(fault.Object)
)

// Flag is a yes or no that clients also send as text: true, false, "true", "false", "Y" and "N", in exactly
// these letters. An empty string counts as absent.
type Flag struct {
	Set bool // whether the document has it
	On  bool
}

// UnmarshalJSONValue implements [ValueDecoder].
func (f *Flag) UnmarshalJSONValue(v Value) error {
	if v.kind != KindBool && v.kind != KindText {
		return errWantBool
	}
	switch v.text {
	case "true", "Y":
		*f = Flag{Set: true, On: true}
	case "false", "N":
		*f = Flag{Set: true}
	case "":
		*f = Flag{}
	default:
		return errWantBool
	}
	return nil
}

// Int is a whole number from 0 on that clients send as a JSON number or as text: ASCII digits only, at most 18,
// without sign, point, exponent or space. An empty string counts as absent.
type Int struct {
	Set   bool // whether the document has it
	Value int64
}

// maxIntDigits is the longest run of digits that always fits an int64.
const maxIntDigits = 18

// UnmarshalJSONValue implements [ValueDecoder].
func (n *Int) UnmarshalJSONValue(v Value) error {
	if v.kind == KindText && v.text == "" {
		*n = Int{}
		return nil
	}
	if v.kind != KindNumber && v.kind != KindText || len(v.text) > maxIntDigits {
		return errWantInt
	}
	for i := range len(v.text) {
		if v.text[i]-'0' > 9 {
			return errWantInt
		}
	}
	value, err := strconv.ParseInt(v.text, 10, 64)
	if err != nil {
		return errWantInt
	}
	*n = Int{Set: true, Value: value}
	return nil
}

// Number is the text of a number that clients send as a JSON number or as a string of the same grammar. It is
// kept as sent; "" is absent.
type Number string

// UnmarshalJSONValue implements [ValueDecoder].
func (n *Number) UnmarshalJSONValue(v Value) error {
	if v.kind != KindNumber && v.kind != KindText || v.kind == KindText && v.text != "" && !isNumber(v.text) {
		return errWantNumber
	}
	*n = Number(v.text)
	return nil
}

func isNumber(s string) bool {
	p := parser{body: []byte(s)}
	_, ok := p.number()
	return ok && p.at == len(s)
}

// Object is a [Value] that is an object or absent. An empty string counts as absent, and an empty list is an
// empty object, since PHP writes one for the other (decision ap).
type Object struct{ Value }

// UnmarshalJSONValue implements [ValueDecoder].
func (o *Object) UnmarshalJSONValue(v Value) error {
	switch {
	case v.kind == KindObject:
		o.Value = v
	case v.kind == KindList && v.isEmpty():
		o.Value = Value{kind: KindObject}
	case !v.isEmpty():
		return errWantObject
	}
	return nil
}

// Presence is whether and how a field is in a document.
type Presence uint8

// The ways in which a field can be in a document.
const (
	Absent Presence = iota // not there
	Null                   // there, as null
	Given                  // there, with a value
)

// Optional is a field of type T that remembers whether it was absent, null or given: schedule_id with null removes
// a schedule, and without the key it stays. An empty string is given.
type Optional[T any] struct {
	Value    T
	Presence Presence
}

// optional marks the type for the plan.
func (*Optional[T]) optional() {}
