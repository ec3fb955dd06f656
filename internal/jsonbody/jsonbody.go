// Package jsonbody describes bodies of JSON by the types that they are read into and written from.
package jsonbody

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

// Body describes a JSON body of the type T, which strictjson reads, with what the rows of its table say. The order is
// that of the rows; what has no row follows. It panics when the body cannot have what a row is about, which is a
// mistake in the table.
func Body[T any](rows []contract.Row) []contract.Field {
	all := walk(reflect.TypeFor[T](), "", false)
	list := make([]contract.Field, 0, len(all))
	taken := map[string]bool{}
	for _, row := range rows {
		known := false
		for _, f := range all {
			if f.Path == row.Path {
				f.Row = row
				list, taken[row.Path] = append(list, f), true
			}
			known = known || f.Path == row.Path || strings.HasPrefix(f.Path, row.Path+".")
		}
		if !known {
			panic(fmt.Sprintf("jsonbody: %s has no field for the row %s", reflect.TypeFor[T](), row.Path))
		}
	}
	for _, f := range all {
		if !taken[f.Path] {
			list = append(list, f)
		}
	}
	return list
}

// Told describes a JSON answer of the type T, which encoding/json writes.
func Told[T any]() []contract.Field { return walk(reflect.TypeFor[T](), "", true) }

// walk lists the fields that are no objects of their own, by dotted paths.
func walk(t reflect.Type, prefix string, answer bool) (list []contract.Field) {
	for i := range t.NumField() {
		part := t.Field(i)
		name, option, _ := strings.Cut(part.Tag.Get("json"), ",")
		of := part.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		f := contract.Field{Row: contract.Row{Path: prefix + name, Requirement: contract.Optional,
			Since: part.Tag.Get("since")}}
		if answer && option == "" {
			f.Requirement = contract.Required
		}
		switch {
		case part.Anonymous:
			list = append(list, walk(of, prefix, answer)...)
		case name == "" || name == "-" || !part.IsExported():
		default:
			var inner []contract.Field
			f.Type, f.Null, inner = typeOf(of, prefix+name+".", answer)
			if inner == nil {
				inner = []contract.Field{f}
			}
			list = append(list, inner...)
		}
	}
	return list
}

// typeOf is the type of a field; inner are the fields of an object that has names of its own.
func typeOf(t reflect.Type, prefix string, answer bool) (of contract.Type, null bool, inner []contract.Field) {
	switch t {
	case reflect.TypeFor[strictjson.Flag]():
		return contract.Flag, false, nil
	case reflect.TypeFor[strictjson.Int](), reflect.TypeFor[strictjson.Value]():
		return contract.Whole, false, nil
	case reflect.TypeFor[strictjson.Object]():
		return contract.Object, false, nil
	case reflect.TypeFor[strictjson.Optional[bool]]():
		return contract.Boolean, false, nil
	case reflect.TypeFor[strictjson.Optional[string]]():
		return contract.Text, true, nil
	case reflect.TypeFor[[]string]():
		return contract.Texts, false, nil
	}
	switch {
	case reflect.PointerTo(t).Implements(reflect.TypeFor[strictjson.ValueDecoder]()):
		return contract.Scalar, false, nil
	case t.Kind() == reflect.Struct:
		return "", false, walk(t, prefix, answer)
	case t.Kind() == reflect.Slice:
		return contract.List, false, nil
	case t.Kind() == reflect.Map:
		return contract.Object, false, nil
	}
	return contract.Text, false, nil
}
