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

// usualAnswer is the length of most answers at most.
const usualAnswer = 512

// body is what an action answers.
type body interface{ encode() []byte }

// encode returns the object as a body. URLs in it stay readable: & is not escaped.
func (o object) encode() []byte {
	w := newWriter()
	if err := w.object(o); err != nil { // cannot fail: texts, numbers and lists of them
		return []byte("{}")
	}
	return w.out
}

// writer writes objects, and what is in them, one after the other.
type writer struct {
	out    []byte
	values *json.Encoder // writes into text; nil before the first value that needs it
	text   *bytes.Buffer
}

func newWriter() writer { return writer{out: make([]byte, 0, usualAnswer)} }

func (w *writer) object(o object) error {
	w.out = append(w.out, '{')
	for _, m := range o {
		if err := w.member(m.name, m.value); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	return nil
}

// member writes a member of the object that is open.
func (w *writer) member(name string, value any) error {
	if err := w.name(name); err != nil {
		return err
	}
	return w.value(value)
}

func (w *writer) name(name string) error {
	if w.out[len(w.out)-1] != '{' {
		w.out = append(w.out, ',')
	}
	err := w.plain(name)
	w.out = append(w.out, ':')
	return err
}

func (w *writer) list(list []any) error {
	w.out = append(w.out, '[')
	for i, value := range list {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.value(value); err != nil {
			return err
		}
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *writer) value(value any) error {
	switch value := value.(type) {
	case object:
		return w.object(value)
	case []any:
		return w.list(value)
	case string:
		return w.plain(value)
	}
	return w.encoded(value)
}

// plain writes a text; one of plain characters stands as it is.
func (w *writer) plain(text string) error {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return w.encoded(text)
		}
	}
	w.out = append(append(append(w.out, '"'), text...), '"')
	return nil
}

func (w *writer) encoded(value any) error {
	if w.values == nil {
		w.text = new(bytes.Buffer)
		w.values = json.NewEncoder(w.text)
		w.values.SetEscapeHTML(false)
	}
	w.text.Reset()
	if err := w.values.Encode(value); err != nil {
		return err
	}
	w.out = append(w.out, bytes.TrimSuffix(w.text.Bytes(), []byte("\n"))...)
	return nil
}
