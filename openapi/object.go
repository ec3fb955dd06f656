package openapi

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object whose members keep their order, which is that of the tables.
type object []member

type member struct {
	name  string
	value any
}

func (o *object) add(name string, value any) { *o = append(*o, member{name, value}) }

// at is the object of a name, nil without one.
func (o object) at(name string) *object {
	for i := range o {
		if o[i].name == name {
			if at, ok := o[i].value.(*object); ok {
				return at
			}
			inner, _ := o[i].value.(object)
			o[i].value = &inner
			return &inner
		}
	}
	return nil
}

// has reports whether there is a member of a name.
func (o object) has(name string) bool {
	for _, m := range o {
		if m.name == name {
			return true
		}
	}
	return false
}

// append adds to a text.
func (o *object) append(name, text string) {
	for i, m := range *o {
		if before, ok := m.value.(string); ok && m.name == name {
			(*o)[i].value = before + text
			return
		}
	}
	o.add(name, strings.TrimSpace(text))
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		for j, part := range []any{m.name, m.value} {
			text, err := plainJSON(part)
			if err != nil {
				return nil, err
			}
			out.Write(text)
			if j == 0 {
				out.WriteByte(':')
			}
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func plainJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(out.Bytes()), err
}

// encode writes a document; it holds texts, numbers and lists of them, which always encode.
func encode(o object) []byte {
	text, err := plainJSON(o)
	if err != nil {
		panic("openapi: " + err.Error())
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", " "); err != nil {
		panic("openapi: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func ref(kind, name string) object { return object{{"$ref", "#/components/" + kind + "/" + name}} }

func anys(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
