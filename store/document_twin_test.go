package store

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// instant is a time as a document has it. A struct, so that encoding/json asks it whether it is zero.
type instant struct{ time.Time }

func (i instant) MarshalJSON() ([]byte, error) { return strconv.AppendInt(nil, i.UnixMicro(), 10), nil }

func (i *instant) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 64)
	i.Time = time.UnixMicro(n).UTC()
	return err
}

var (
	timeType = reflect.TypeFor[time.Time]()
	textType = reflect.TypeFor[encoding.TextMarshaler]()
)

// twin returns a type with the fields and names of a record, in which each time is an instant.
func twin(of reflect.Type) reflect.Type {
	switch {
	case of == timeType:
		return reflect.TypeFor[instant]()
	case of.Kind() == reflect.Pointer:
		return reflect.PointerTo(twin(of.Elem()))
	case of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8:
		return reflect.SliceOf(twin(of.Elem()))
	case of.Kind() != reflect.Struct || of.Implements(textType):
		return of
	}
	fields := fieldsOf(of)
	for i, f := range fields {
		fields[i] = reflect.StructField{Name: f.Name, Type: twin(f.Type), Tag: f.Tag}
	}
	return reflect.StructOf(fields)
}

// fieldsOf are the fields of a struct in a document: those of a struct that it embeds first, its own in the place of
// one of the same name, behind the one that the tag after names, or behind the one before.
func fieldsOf(of reflect.Type) (fields []reflect.StructField) {
	named := func(name string) func(reflect.StructField) bool {
		return func(f reflect.StructField) bool { is, _, _ := strings.Cut(f.Tag.Get("json"), ","); return is == name }
	}
	at := 0
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if same := slices.IndexFunc(fields, named(name)); f.Anonymous {
			fields = append(fields, fieldsOf(f.Type)...)
			at = len(fields)
		} else if name == "-" {
			continue
		} else if same >= 0 {
			fields[same], at = f, same+1
		} else {
			if after := f.Tag.Get("after"); after != "" {
				at = 1 + slices.IndexFunc(fields, named(after))
			}
			fields = slices.Insert(fields, at, f)
			at++
		}
	}
	return fields
}

// asTwin returns a value as the twin of its type.
func asTwin(v reflect.Value, of reflect.Type) reflect.Value {
	out := reflect.New(of).Elem()
	switch {
	case of == v.Type():
		return v
	case v.Type() == timeType:
		out.Field(0).Set(v)
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(of.Elem()))
			out.Elem().Set(asTwin(v.Elem(), of.Elem()))
		}
	case v.Kind() == reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(of, v.Len(), v.Len()))
		}
		for i := range v.Len() {
			out.Index(i).Set(asTwin(v.Index(i), of.Elem()))
		}
	default:
		for i := range of.NumField() {
			f := of.Field(i)
			out.Field(i).Set(asTwin(v.FieldByName(f.Name), f.Type))
		}
	}
	return out
}

// namesIn collects the names of a type's fields and of all types in it, folded and as they are.
func namesIn(of reflect.Type, names map[string]string) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		namesIn(of.Elem(), names)
	case reflect.Struct:
		for _, f := range fieldsOf(of) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				names[strings.ToLower(name)] = name
				namesIn(f.Type, names)
			}
		}
	}
}

// plainNames reports whether no name of an object comes twice, and none in another case: encoding/json reads a second
// value into the first, and takes a name in another case for the field's own.
func plainNames(document []byte, of reflect.Type) bool {
	known := map[string]string{}
	namesIn(of, known)
	decoder := json.NewDecoder(bytes.NewReader(document))
	var open []map[string]bool // the names so far of each object, nil for a list
	name := false              // a name comes next
	for {
		token, err := decoder.Token()
		if err != nil {
			return true // the readers decide
		}
		text, isText := token.(string)
		switch {
		case name && isText:
			folded := strings.ToLower(text)
			if is, ok := known[folded]; ok && is != text || open[len(open)-1][folded] {
				return false
			}
			open[len(open)-1][folded], name = true, false
			continue
		case token == json.Delim('{'):
			open = append(open, map[string]bool{})
		case token == json.Delim('['):
			open = append(open, nil)
		case token == json.Delim('}') || token == json.Delim(']'):
			open = open[:len(open)-1]
		}
		name = len(open) > 0 && open[len(open)-1] != nil
	}
}
