package checkout

import (
	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/sessionjson"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

// sent is a body with what the decoder found wrong with it.
type sent[T any] struct {
	body  T
	found strictjson.Faults
}

// read reads a body and holds it against a table: one fault a field (errors.md, "Order of entries"). A field that the
// decoder refused, or that stands in what it refused, has no second fault; of a body that breaks off nothing more is
// said.
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

// refused reports a field with a fault of the decoder, its own or one of what it stands in.
func (s *sent[T]) refused(path string) bool {
	for i := range path {
		if path[i] == '.' && s.found.Has(path[:i]) {
			return true
		}
	}
	return s.found.Has(path)
}

// required and optional are rows of one text each.
func required[T any](path string, value func(*T) string, rules ...fields.ValueRule) fields.Field[*sent[T]] {
	f := optional(path, value, rules...)
	f.Needed = func(*sent[T]) bool { return true }
	return f
}

func optional[T any](path string, value func(*T) string, rules ...fields.ValueRule) fields.Field[*sent[T]] {
	f := fields.Field[*sent[T]]{Path: path, Value: func(s *sent[T]) string { return value(&s.body) }}
	for _, rule := range rules {
		f.Rules = append(f.Rules, fields.Plain[*sent[T]](rule))
	}
	return f
}

// hash is the signature, which is refused for what it is and never as a text.
func hash[T any](value func(*T) string) fields.Field[*sent[T]] {
	f := required("hash", value)
	f.Lines = true
	return f
}
