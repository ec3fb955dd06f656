package s2s

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object whose members keep their order, which is that of the documents' samples.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := appendJSON(&out, m.name); err != nil {
			return nil, err
		}
		out.WriteByte(':')
		if err := appendJSON(&out, m.value); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// encode returns the object as a body. URLs in it stay readable: & is not escaped.
func (o object) encode() []byte {
	var out bytes.Buffer
	if err := appendJSON(&out, o); err != nil { // cannot fail: texts, numbers and lists of them
		return []byte("{}")
	}
	return out.Bytes()
}

func appendJSON(out *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the encoder ends with a new line
	return nil
}
