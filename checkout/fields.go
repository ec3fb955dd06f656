package checkout

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

// sent is a body with the faults that the decoder found.
type sent[T any] struct {
	body  T
	found strictjson.Faults
}

// read reads a body and checks it against a table: one fault per field (errors.md, "Order of entries"). A field
// that the decoder refused, or that is inside a refused one, has no second fault. After the end of a truncated
// body nothing more is reported.
func read[T any](decoder *strictjson.Decoder[T], table *fields.Table[*sent[T]], text []byte) (*T, error) {
	body, found, whole := decoder.Read(text)
	s := &sent[T]{body, found}
	faults := sessionjson.Faults(found)
	if whole {
		faults = append(faults, table.Faults(s, s.refused)...)
	}
	if len(faults) > 0 {
		return nil, gateway.ErrInvalid.Fields(faults...)
	}
	return &s.body, nil
}

// refused reports whether the decoder refused a field, or one that it is inside.
func (s *sent[T]) refused(path string) bool {
	for i := range path {
		if path[i] == '.' && s.found.Has(path[:i]) {
			return true
		}
	}
	return s.found.Has(path)
}

// required and optional make a row for one text.
func required[T any](path string, value func(*T) string, rules ...fields.ValueRule) fields.Field[*sent[T]] {
	f := optional(path, value, rules...)
	f.Needed = fields.Always[*sent[T]]()
	return f
}

func optional[T any](path string, value func(*T) string, rules ...fields.ValueRule) fields.Field[*sent[T]] {
	f := fields.Field[*sent[T]]{Path: path, Value: func(s *sent[T]) string { return value(&s.body) }}
	for _, rule := range rules {
		f.Rules = append(f.Rules, fields.Plain[*sent[T]](rule))
	}
	return f
}

// hash makes the row of the signature. Its faults are about a missing or repeated hash, never about its text.
func hash[T any](value func(*T) string) fields.Field[*sent[T]] {
	f := required("hash", value).Says(fields.SaysHash)
	f.Lines = true
	return f
}
