package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzConfig reads any bytes as a configuration. The result is records, or an error without a value of the file
// that names unknown fields.
func FuzzConfig(f *testing.F) {
	for _, seed := range []string{
		goodConfig, `{}`, `[]`, `{"merchants":[{"id":7,"kee":"y"}]}`, `{"merchants":[{"id":"a"},{"id":"a"}]}`,
		`{"mids":{},"mids":[]}`, `{"merchants":[null,{"password":["x"]}]}`,
		`{"mappings":[{"merchant":"m1","protocol":"checkout","sha256":"yes"}]}`, `{"merchants":[{"":1}]}`, `{"a.b":1}`,
	} {
		f.Add(seed, "kee")
	}
	f.Fuzz(func(t *testing.T, text, field string) {
		rs, err := decodeRecords([]byte(text))
		if err == nil {
			require.NotEmpty(t, rs.merchants)
		} else {
			require.NotEmpty(t, err.Error())
		}
		name, _ := json.Marshal(field + "?")
		_, err = decodeRecords([]byte(strings.Replace(goodConfig, `"name": "Harbour"`, string(name)+`: 1, "name": "Harbour"`,
			1)))
		var plain string
		require.NoError(t, json.Unmarshal(name, &plain))
		require.ErrorContains(t, err, "merchants[0]."+plain+": is not known")
	})
}
