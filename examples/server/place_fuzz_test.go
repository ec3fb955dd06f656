package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// FuzzWrongValue puts any JSON value into any field of any record of a valid configuration. It is accepted if it
// fits the field's type; otherwise the error names the field, with its place, and never repeats the value.
func FuzzWrongValue(f *testing.F) {
	for i := range uint16(60) {
		f.Add(i, `"yes"`)
		f.Add(i, `7`)
	}
	for i, value := range []string{`null`, `true`, `[]`, `{}`, `[1]`, `1e400`, `-1`, `1.5`, `"\ud800"`, `{"a":{}}`,
		`[null]`, `"2027-03-10T12:00:00Z"`, `"a secret that nobody may see"`, `["a","a"]`, `123456789012345678901`} {
		f.Add(uint16(i*5), value)
	}
	type slot struct {
		list   string
		field  string
		record reflect.Type
	}
	var slots []slot
	for list, record := range map[string]reflect.Type{"mappings": reflect.TypeFor[store.Mapping](),
		"merchants": reflect.TypeFor[store.Merchant](), "mids": reflect.TypeFor[store.MID]()} {
		for _, field := range names(record) {
			slots = append(slots, slot{list, field, record})
		}
	}
	sortSlots(slots, func(s slot) string { return s.list + "." + s.field })
	f.Fuzz(func(t *testing.T, n uint16, value string) {
		if !json.Valid([]byte(value)) {
			t.Skip()
		}
		s := slots[int(n)%len(slots)]
		records := map[string][]map[string]json.RawMessage{"merchants": {{"id": json.RawMessage(`"m1"`)}}, "mappings": {{}},
			"mids": {{}}}
		records[s.list][0][s.field] = json.RawMessage(value)
		text, err := json.Marshal(records)
		require.NoError(t, err)
		_, err = decodeRecords(text)
		single, _ := json.Marshal(map[string]json.RawMessage{s.field: json.RawMessage(value)})
		fits := json.Unmarshal(single, reflect.New(s.record).Interface()) == nil
		require.Equal(t, fits, err == nil, "%s: %v", text, err)
		if err != nil {
			require.ErrorContains(t, err, s.list+"[0]."+s.field+": ")
			require.NotContains(t, err.Error(), "\n", "one fault")
			plain := strings.Trim(value, ` "`)
			require.False(t, len(plain) > 12 && strings.Contains(err.Error(), plain), "the error repeats the value: %v", err)
		}
	})
}

// sortSlots gives the slots the same order in every process.
func sortSlots[T any](slots []T, name func(T) string) {
	for i := range slots {
		for j := i; j > 0 && name(slots[j]) < name(slots[j-1]); j-- {
			slots[j], slots[j-1] = slots[j-1], slots[j]
		}
	}
}
