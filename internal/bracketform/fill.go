package bracketform

import (
	"fmt"
	"reflect"

	"github.com/tollgatepay/gateway/internal/fault"
)

// Filler copies fields of forms into structs of type T. It never changes after [For] made it, so one value
// serves all goroutines.
type Filler[T any] struct{ slots []slot }

type slot struct {
	name  string
	index []int
	want  shape
}

// For prepares the filler of struct type T. Each exported field carries a tag `form:"name"` or `form:"-"` and is
// of one of these types; fields of embedded structs join the outer ones:
//
//   - string (also as a named type), for a field without brackets
//   - map[string]any for an object and []any for a list; an empty value without brackets counts as absent
//   - any for all of these, as [Form.Tree] gives them
//
// A mistake in T is a mistake in the program: For panics with the name of the field.
func For[T any]() *Filler[T] {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("bracketform: %s is not a struct", t))
	}
	f := &Filler[T]{}
	seen := map[string]bool{}
	for _, field := range reflect.VisibleFields(t) {
		name, tagged := field.Tag.Lookup("form")
		if name == "-" || !tagged && (field.Anonymous && field.Type.Kind() == reflect.Struct || !field.IsExported()) {
			continue
		}
		if name == "" || !field.IsExported() || seen[name] {
			panic(fmt.Sprintf("bracketform: %s.%s must be exported and have a name of its own in a form tag", t, field.Name))
		}
		seen[name] = true
		f.slots = append(f.slots, slot{name, field.Index, shapeOf(t, field)})
	}
	return f
}

// shape is the kind of value that a field accepts.
type shape int

const (
	anything shape = iota
	oneValue
	object
	list
)

// fault is the text for a field of another shape.
func (s shape) fault() string {
	return map[shape]string{oneValue: fault.OneValue, object: fault.Object, list: fault.List}[s]
}

// shapeOf reads the shape from the type of a field.
func shapeOf(t reflect.Type, field reflect.StructField) shape {
	switch {
	case field.Type.Kind() == reflect.String:
		return oneValue
	case field.Type == reflect.TypeFor[map[string]any]():
		return object
	case field.Type == reflect.TypeFor[[]any]():
		return list
	case field.Type == reflect.TypeFor[any]():
		return anything
	}
	panic(fmt.Sprintf("bracketform: %s.%s: type %s is not supported", t, field.Name, field.Type))
}

// Fill copies the fields that T names. A field of another shape than T's is a fault and is left empty. Fields that
// T does not name are ignored.
func (f *Filler[T]) Fill(form Form) (T, Faults) {
	var into T
	var faults found
	for i := range f.slots {
		s := &f.slots[i]
		at := form.find(s.name)
		if at == 0 {
			continue
		}
		if !s.fill(reflect.ValueOf(&into).Elem().FieldByIndex(s.index), form, at) {
			faults.add(s.name, s.want.fault())
		}
	}
	if faults != nil {
		faults.settle()
	}
	return into, Faults(faults)
}

// fill reports whether the field has the expected shape.
func (s *slot) fill(dst reflect.Value, form Form, at int32) bool {
	n := &form.nodes[at]
	scalar, numbered := n.children == 0, n.numbers > 0
	switch {
	case s.want == oneValue && scalar:
		dst.SetString(n.value)
	case s.want == anything, s.want == object && !scalar && !numbered, s.want == list && numbered:
		dst.Set(reflect.ValueOf(form.tree(at)))
	default:
		return scalar && n.value == ""
	}
	return true
}
