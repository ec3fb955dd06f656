package strictjson

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/fault"
)

type planKind uint8

const (
	planText planKind = iota
	planBool
	planStruct
	planPointer
	planList
	planOptional
	planValue
	planHook
	planTextHook
)

// plan is how to fill one Go type. It is made once and only read afterwards.
type plan struct {
	kind    planKind
	want    string // text of the fault for a value of another type
	custom  bool   // want comes from the field's tag and replaces the texts of hooks
	strict  bool   // of struct and list: an empty container of another kind is a wrong type
	elem    *plan  // of pointer, list, optional
	fields  []field
	names   map[string]int // index into fields
	unknown []int          // index of the field for unknown keys; nil without one
}

type field struct {
	name  string
	index []int
	plan  *plan
}

// maxFields is the number of bits in fieldSet.
const maxFields = 128

// fieldSet remembers the fields of one object that were read.
type fieldSet [maxFields / 64]uint64

// add reports whether i is new.
func (s *fieldSet) add(i int) bool {
	word, bit := i/64, uint64(1)<<(i%64)
	isNew := s[word]&bit == 0
	s[word] |= bit
	return isNew
}

// builder makes the plan of a type; it holds the structs that are being planned, to find endless types.
type builder []reflect.Type

// build makes the plan of t. at names the field for panics, want is the text of its fault tag or "".
func (b builder) build(t reflect.Type, at, want string) *plan {
	pl := &plan{want: want, custom: want != ""}
	pointer := reflect.PointerTo(t)
	switch {
	case t == reflect.TypeFor[Value]():
		pl.kind = planValue
	case isOptional(t):
		pl.kind = planOptional
		pl.elem = b.build(t.Field(0).Type, at, want)
	case pointer.Implements(reflect.TypeFor[ValueDecoder]()):
		pl.kind = planHook
	case pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		pl.expect(planTextHook, textWantString)
	case pointer.Implements(reflect.TypeFor[json.Unmarshaler]()):
		panic(fmt.Sprintf("strictjson: %s: %s implements json.Unmarshaler, which is not called", at, t))
	default:
		b.buildKind(pl, t, at)
	}
	return pl
}

// isOptional looks at the fields as well, because a struct that embeds an Optional has its methods.
func isOptional(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[interface{ optional() }]()) &&
		t.NumField() == 2 && t.Field(1).Type == reflect.TypeFor[Presence]()
}

func (b builder) buildKind(pl *plan, t reflect.Type, at string) {
	switch t.Kind() {
	case reflect.String:
		pl.expect(planText, textWantString)
	case reflect.Bool:
		pl.expect(planBool, fault.Bool)
	case reflect.Pointer:
		pl.kind = planPointer
		pl.elem = b.build(t.Elem(), at, pl.want)
	case reflect.Slice:
		pl.elem = b.build(t.Elem(), at+"[]", pl.want)
		pl.elem.strict = true
		pl.expect(planList, fault.List)
	case reflect.Struct:
		if slices.Contains(b, t) {
			panic(fmt.Sprintf("strictjson: %s: %s contains itself; use Value", at, t))
		}
		pl.expect(planStruct, fault.Object)
		pl.names = map[string]int{}
		append(b, t).addFields(pl, t, nil, at)
	default:
		panic(fmt.Sprintf("strictjson: %s: type %s is not supported", at, t))
	}
}

func (pl *plan) expect(kind planKind, want string) {
	pl.kind = kind
	if pl.want == "" {
		pl.want = want
	}
}

// addFields adds the fields of t, which lies at index inside the struct of the plan.
func (b builder) addFields(pl *plan, t reflect.Type, index []int, at string) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		here := append(slices.Clone(index), i)
		where := at + "." + f.Name
		switch {
		case name == "-":
		case f.Anonymous && !tagged && f.Type.Kind() == reflect.Struct:
			b.addFields(pl, f.Type, here, where)
		case !f.IsExported() && !tagged:
		case !f.IsExported():
			panic("strictjson: " + where + " has a json tag but is not exported")
		case name == "" && options == "unknown":
			if f.Type != reflect.TypeFor[[]string]() || pl.unknown != nil {
				panic("strictjson: " + where + ": unknown keys need one field of type []string")
			}
			pl.unknown = here
		case name == "":
			panic("strictjson: " + where + " has no name in a json tag")
		default:
			below := b.build(f.Type, where, f.Tag.Get("fault"))
			below.strict = f.Tag.Get("empty") == "refused"
			if below.elem != nil && below.kind == planPointer {
				below.elem.strict = below.strict
			}
			pl.add(field{name, here, below}, where)
		}
	}
}

func (pl *plan) add(f field, where string) {
	if _, taken := pl.names[f.name]; taken {
		panic("strictjson: " + where + " repeats the name " + f.name)
	}
	if len(pl.fields) == maxFields {
		panic(fmt.Sprintf("strictjson: %s is one field too many for one object (%d)", where, maxFields))
	}
	pl.names[f.name] = len(pl.fields)
	pl.fields = append(pl.fields, f)
}
