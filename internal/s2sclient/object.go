package s2sclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Object is a JSON object whose members keep their order.
type Object struct{ Members []Member }

// Member is a name and a value: string, json.Number, bool, nil, *Object or []any of these.
type Member struct {
	Name  string
	Value any
}

// ParseObject reads a body that is one JSON object and nothing else. A name that appears twice is an error.
func ParseObject(body []byte) (*Object, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	value, err := readValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows the JSON value")
	}
	object, ok := value.(*Object)
	if !ok {
		return nil, fmt.Errorf("the JSON value is no object")
	}
	return object, nil
}

func readValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return readObject(d)
	case json.Delim('['):
		return readArray(d)
	}
	return token, nil
}

func readObject(d *json.Decoder) (*Object, error) {
	object := &Object{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		value, err := readValue(d)
		if err != nil {
			return nil, err
		}
		member := Member{fmt.Sprint(name), value}
		if _, twice := object.Get(member.Name); twice {
			return nil, fmt.Errorf("%s appears twice", member.Name)
		}
		object.Members = append(object.Members, member)
	}
	_, err := d.Token()
	return object, err
}

func readArray(d *json.Decoder) ([]any, error) {
	list := []any{}
	for d.More() {
		value, err := readValue(d)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := d.Token()
	return list, err
}

// Names returns the members' names in their order.
func (o *Object) Names() (names []string) {
	if o == nil {
		return nil
	}
	for _, m := range o.Members {
		names = append(names, m.Name)
	}
	return names
}

// Get returns the value of a member.
func (o *Object) Get(name string) (value any, found bool) {
	if o == nil {
		return nil, false
	}
	i := slices.IndexFunc(o.Members, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return nil, false
	}
	return o.Members[i].Value, true
}

// Text returns a member that is a string or a number, as it was written; anything else is "".
func (o *Object) Text(name string) string {
	switch value, _ := o.Get(name); v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// InOrder reports whether those of the names that are present appear in the given order. Other members may be
// between them.
func (o *Object) InOrder(names ...string) bool {
	last := -1
	for _, name := range names {
		i := slices.Index(o.Names(), name)
		if i < 0 {
			continue
		}
		if i < last {
			return false
		}
		last = i
	}
	return true
}
