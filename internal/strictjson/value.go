package strictjson

import (
	"encoding/json"
	"iter"
)

// Kind is the kind of a [Value].
type Kind uint8

// The kinds of values. KindAbsent, the zero value, is a field that the document does not have.
const (
	KindAbsent Kind = iota
	KindNull
	KindBool
	KindNumber
	KindText
	KindList
	KindObject
)

// Value is a piece of JSON of any shape, for fields that are stored and returned unchanged (custom_data) or
// interpreted elsewhere (parameters). Objects keep the order of their keys, numbers their digits. A Value never
// changes.
type Value struct {
	key   string // the name of a member of an object
	text  string
	items []Value
	kind  Kind
}

// Text returns the value of a string.
func Text(s string) Value { return Value{kind: KindText, text: s} }

// List returns the value of a list.
func List(items ...Value) Value { return Value{kind: KindList, items: unnamed(items)} }

// Pair is one member of an object.
type Pair struct {
	Key   string
	Value Value
}

// NewObject returns an object with these members in this order. The keys must differ.
func NewObject(pairs ...Pair) Object {
	v := Value{kind: KindObject}
	for _, pair := range pairs {
		pair.Value.key = pair.Key
		v.items = append(v.items, pair.Value)
	}
	return Object{v}
}

func boolValue(b bool) Value {
	if b {
		return Value{kind: KindBool, text: "true"}
	}
	return Value{kind: KindBool, text: "false"}
}

func unnamed(items []Value) []Value {
	var bare []Value
	for _, item := range items {
		item.key = ""
		bare = append(bare, item)
	}
	return bare
}

// Kind returns what the value is.
func (v Value) Kind() Kind { return v.kind }

// Text returns the characters of a string, the digits of a number, "true" or "false"; "" for all else.
func (v Value) Text() string { return v.text }

// Len returns the number of entries of a list or members of an object; 0 for all else.
func (v Value) Len() int { return len(v.items) }

// isEmpty reports an empty string, list or object.
func (v Value) isEmpty() bool {
	return v.kind == KindText && v.text == "" || (v.kind == KindList || v.kind == KindObject) && len(v.items) == 0
}

// IsZero reports whether the value is absent.
func (v Value) IsZero() bool { return v.kind == KindAbsent }

// Items walks over the entries of a list or the values of an object.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for _, item := range v.items {
			item.key = ""
			if !yield(item) {
				return
			}
		}
	}
}

// Members walks over an object in the order in which it was sent; it is empty for all else.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.kind != KindObject {
			return
		}
		for _, item := range v.items {
			key := item.key
			item.key = ""
			if !yield(key, item) {
				return
			}
		}
	}
}

// Get finds a member of an object by its exact key. It is absent when there is none.
func (v Value) Get(key string) Value {
	for name, member := range v.Members() {
		if name == key {
			return member
		}
	}
	return Value{}
}

// Any returns the value as encoding/json would: nil, bool, json.Number, string, []any or map[string]any.
func (v Value) Any() any {
	switch v.kind {
	case KindBool:
		return v.text == "true"
	case KindNumber:
		return json.Number(v.text)
	case KindText:
		return v.text
	case KindList:
		list := make([]any, 0, len(v.items))
		for _, item := range v.items {
			list = append(list, item.Any())
		}
		return list
	case KindObject:
		object := make(map[string]any, len(v.items))
		for _, item := range v.items {
			object[item.key] = item.Any()
		}
		return object
	}
	return nil
}
