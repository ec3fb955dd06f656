package strictjson

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// wideStruct makes a struct type with n text fields f0, f1, ...
func wideStruct(n int) reflect.Type {
	fields := make([]reflect.StructField, n)
	for i := range fields {
		fields[i].Name = fmt.Sprintf("F%d", i)
		fields[i].Type = reflect.TypeFor[string]()
		fields[i].Tag = reflect.StructTag(fmt.Sprintf(`json:"f%d"`, i))
	}
	return reflect.StructOf(fields)
}

func TestRepeatedKeysOfAWideStruct(t *testing.T) {
	t.Parallel()
	wide := wideStruct(maxFields)
	pl := builder{}.build(wide, "wide", "")
	for i := range maxFields {
		body := fmt.Appendf(nil, `{"f%d":"a","f%d":"b","f%d":"c"}`, (i+1)%maxFields, i, i)
		p := parser{body: body, limits: Limits{}.checked()}
		into := reflect.New(wide).Elem()
		require.True(t, p.object(into, pl))
		require.Equal(t, Faults{{Path: fmt.Sprintf("f%d", i), Text: "repeated field"}}, p.result())
		require.Equal(t, "b", into.Field(i).String())
	}
}

func TestTooManyFields(t *testing.T) {
	t.Parallel()
	require.PanicsWithValue(t, "strictjson: wide.F128 is one field too many for one object (128)", func() {
		builder{}.build(wideStruct(maxFields+1), "wide", "")
	})
}

func TestRepeatedName(t *testing.T) {
	t.Parallel()
	twice := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: reflect.TypeFor[string](), Tag: `json:"a"`},
		{Name: "B", Type: reflect.TypeFor[bool](), Tag: `json:"a,omitempty"`},
	})
	require.PanicsWithValue(t, "strictjson: twice.B repeats the name a", func() {
		builder{}.build(twice, "twice", "")
	})
}
