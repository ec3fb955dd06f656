package s2s

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object whose members keep their order, which is that of the documents' samples.
type object []member

type member struct {
	name  string
	value any
}

// usualAnswer is the length of most answers at most.
const usualAnswer = 512

// encode returns the object as a body. URLs in it stay readable: & is not escaped.
func (o object) encode() []byte {
	w := writer{}
	w.out.Grow(usualAnswer)
	w.values = json.NewEncoder(&w.out)
	w.values.SetEscapeHTML(false)
	if err := w.object(o); err != nil { // cannot fail: texts, numbers and lists of them
		return []byte("{}")
	}
	return w.out.Bytes()
}

// writer writes objects, and what is in them, one after the other into its buffer.
type writer struct {
	out    bytes.Buffer
	values *json.Encoder // writes into out
}

func (w *writer) object(o object) error {
	w.out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if err := w.text(m.name); err != nil {
			return err
		}
		w.out.WriteByte(':')
		if err := w.value(m.value); err != nil {
			return err
		}
	}
	w.out.WriteByte('}')
	return nil
}

func (w *writer) list(list []any) error {
	w.out.WriteByte('[')
	for i, value := range list {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if err := w.value(value); err != nil {
			return err
		}
	}
	w.out.WriteByte(']')
	return nil
}

func (w *writer) value(value any) error {
	switch value := value.(type) {
	case object:
		return w.object(value)
	case []any:
		return w.list(value)
	case string:
		return w.text(value)
	}
	return w.encoded(value)
}

// text writes a text; one of plain characters stands as it is.
func (w *writer) text(text string) error {
	if strings.ContainsFunc(text, isEscaped) {
		return w.encoded(text)
	}
	w.out.WriteByte('"')
	w.out.WriteString(text)
	w.out.WriteByte('"')
	return nil
}

func isEscaped(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }

func (w *writer) encoded(value any) error {
	if err := w.values.Encode(value); err != nil {
		return err
	}
	w.out.Truncate(w.out.Len() - 1) // the encoder ends with a new line
	return nil
}
