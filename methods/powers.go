package methods

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
)

// optional are the powers that a connector has when its type has the method, in the order of shapes.
var optional = []struct {
	power Power
	of    reflect.Type
}{
	{Finds, reflect.TypeFor[Finder]()}, {Completes, reflect.TypeFor[Completer]()},
	{ReadsNotes, reflect.TypeFor[Notified]()}, {StopsSchedules, reflect.TypeFor[Stopper]()},
}

// PowersOf returns the powers of a connector: Performs, and what else it can do.
func PowersOf(connector Connector) []Power {
	return append([]Power{Performs}, optionalOf(reflect.TypeOf(connector))...)
}

func optionalOf(t reflect.Type) (list []Power) {
	for _, p := range optional {
		if t.Implements(p.of) {
			list = append(list, p.power)
		}
	}
	return list
}

// CheckPowers returns what is wrong with the powers of a connector: it declares one that it has not, or it is a struct
// that embeds a Connector and so hides what that one declares or can do. Payments by 3-D Secure would begin at such a
// connector, and never end.
func CheckPowers(connector Connector) error {
	can := optionalOf(reflect.TypeOf(connector))
	if lost := without(CapabilitiesOf(connector).Powers, append(can, Performs)); len(lost) > 0 {
		return fmt.Errorf("methods: %T declares %s and has no such method: a connector is wrapped with methods.Wrap",
			connector, listed(lost))
	}
	_, declares := connector.(Declarer)
	for inner := range embedded(reflect.ValueOf(connector)) {
		if lost := without(optionalOf(inner), can); len(lost) > 0 {
			return fmt.Errorf("methods: %T embeds a connector that has %s, and hides it: wrap it with methods.Wrap", connector,
				listed(lost))
		}
		if !declares && inner.Implements(reflect.TypeFor[Declarer]()) {
			return fmt.Errorf("methods: %T embeds a connector and hides what that one declares: wrap it with methods.Wrap",
				connector)
		}
	}
	return nil
}

// embedded visits the types of the connectors that a struct embeds by an interface, and of those that they embed.
func embedded(v reflect.Value) iter.Seq[reflect.Type] {
	return func(yield func(reflect.Type) bool) {
		for field := range connectorsIn(v) {
			if !yield(field.Elem().Type()) {
				return
			}
			for inner := range embedded(field.Elem()) {
				if !yield(inner) {
					return
				}
			}
		}
	}
}

// connectorsIn visits the embedded interfaces themselves.
func connectorsIn(v reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return
		}
		for i := range v.NumField() {
			field := v.Type().Field(i)
			by := field.Type.Kind() == reflect.Interface && field.Type.Implements(reflect.TypeFor[Connector]())
			if field.Anonymous && by && !v.Field(i).IsNil() && !yield(v.Field(i)) {
				return
			}
		}
	}
}

// without returns the powers of the first list that are not in the second.
func without(list, others []Power) []Power {
	return slices.DeleteFunc(slices.Clone(list), func(p Power) bool { return slices.Contains(others, p) })
}

func listed(list []Power) string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = string(p)
	}
	return strings.Join(names, " and ")
}
