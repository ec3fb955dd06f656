//go:build goexperiment.jsonv2

package strictjson_test

import (
	"bytes"
	"encoding/json"
	"encoding/json/jsontext"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/strictjson"
)

// FuzzSecond compares with encoding/json/v2, a parser that shares nothing with the first reference: it accepts what
// we accept, with the same meaning; what it refuses we refuse, because it is strict about repeated names and UTF-8
// too.
func FuzzSecond(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		v, faults := strictjson.Parse(body, strictjson.Limits{})
		if faults != nil {
			return
		}
		d := jsontext.NewDecoder(bytes.NewReader(body))
		tree, err := secondValue(d)
		require.NoError(t, err)
		require.Equal(t, tree, v.Any())
		_, err = d.ReadToken()
		require.ErrorIs(t, err, io.EOF)
	})
}

func secondValue(d *jsontext.Decoder) (any, error) {
	token, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		object := map[string]any{}
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, err
			}
			key := name.String()
			if object[key], err = secondValue(d); err != nil {
				return nil, err
			}
		}
		_, err = d.ReadToken()
		return object, err
	case '[':
		list := []any{}
		for d.PeekKind() != ']' {
			item, err := secondValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, item)
		}
		_, err = d.ReadToken()
		return list, err
	case '"':
		return token.String(), nil
	case '0':
		return json.Number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}
