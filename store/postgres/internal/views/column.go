package views

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/tollgatepay/gateway/store"
)

// Column is a column of a view.
type Column struct {
	Name string
	// Path is where a row's record has the value, field by field; nil for a column that is no field.
	Path []int
	sql  string
}

// Columns returns the columns of a view in their order. An error names a field whose type has no column.
func (v View) Columns() ([]Column, error) {
	c := columns{view: v}
	document := "r.d"
	if v.list != "" {
		document = "e.d"
	}
	for _, m := range v.made {
		if m.field == "" {
			c.list = append(c.list, Column{m.column, nil, m.sql})
		}
	}
	if err := c.structure(v.Record, scope{document: document}); err != nil {
		return nil, fmt.Errorf("view %s: %w", v.Name, err)
	}
	return c.list, nil
}

// scope is where a struct is in a record.
type scope struct {
	document string // expression
	fields   string // Go names up to it, with dots
	column   string // beginning of the names of its columns
	path     []int
}

type columns struct {
	view View
	list []Column
}

// structure adds the fields of a struct.
func (c *columns) structure(t reflect.Type, in scope) error {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		full := in.fields + f.Name
		at := Column{Name: in.column + snake(f.Name), Path: append(in.path[:len(in.path):len(in.path)], i)}
		if c.view.leaves(full) {
			continue
		}
		if own, ok := c.made(full); ok {
			at.Name, at.sql = own.column, own.sql
			c.list = append(c.list, at)
			continue
		}
		if name == "-" || name == "" {
			return fmt.Errorf("field %s is not in the document: it needs an expression, or has to be left out", full)
		}
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		sql, err := c.value(f.Type, in.document, name)
		switch {
		case err != nil:
			return fmt.Errorf("field %s: %w", full, err)
		case sql != "":
			at.sql = sql
			c.list = append(c.list, at)
			continue
		}
		document := fmt.Sprintf("%s -> '%s'", in.document, name)
		if err := c.structure(inner, scope{document, full + ".", at.Name + "_", at.Path}); err != nil {
			return err
		}
	}
	return nil
}

func (c *columns) made(field string) (made, bool) {
	for _, m := range c.view.made {
		if m.field == field {
			return m, true
		}
	}
	return made{}, false
}

// value returns the expression of a value; empty for a struct, whose fields have columns of their own. What is empty is
// null, except numbers, amounts and flags.
func (c *columns) value(t reflect.Type, document, name string) (string, error) {
	text := fmt.Sprintf("%s ->> '%s'", document, name)
	whole := fmt.Sprintf("%s -> '%s'", document, name)
	switch t {
	case reflect.TypeFor[time.Time]():
		if c.view.texts {
			return fmt.Sprintf("nullif((%s)::timestamptz, '0001-01-01 00:00:00Z')", text), nil
		}
		return fmt.Sprintf("SCHEMA.moment(%s)", text), nil
	case reflect.TypeFor[store.Amount]():
		return fmt.Sprintf("coalesce((%s)::numeric, 0)", text), nil
	case reflect.TypeFor[store.Expiry]():
		return fmt.Sprintf("nullif(%s, '')", text), nil
	case reflect.TypeFor[json.RawMessage]():
		return whole, nil
	case reflect.TypeFor[[]string]():
		return fmt.Sprintf("array(select jsonb_array_elements_text(%s))", whole), nil
	case reflect.TypeFor[[]byte](), reflect.TypeFor[*store.Sealed]():
		return "", fmt.Errorf("%s may be sealed and has to be left out", t)
	}
	switch t.Kind() {
	case reflect.String:
		return fmt.Sprintf("nullif(%s, '')", text), nil
	case reflect.Bool:
		return fmt.Sprintf("coalesce((%s)::boolean, false)", text), nil
	case reflect.Int:
		return fmt.Sprintf("coalesce((%s)::bigint, 0)", text), nil
	case reflect.Map:
		return whole, nil
	case reflect.Slice:
		if t == reflect.TypeFor[[]store.Extra]() {
			return whole, nil
		}
	case reflect.Struct:
		return "", nil
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return "", nil
		}
	}
	return "", fmt.Errorf("no column for type %s", t)
}

// snake writes a Go name as a column's: MIDID as mid_id, OwnURL as own_url, ThreeDS as three_ds.
func snake(name string) string {
	var out strings.Builder
	letters := []rune(strings.NewReplacer("MIDID", "MidId", "IDs", "Ids", "DSTrans", "DsTrans", "ACSTrans",
		"AcsTrans").Replace(name))
	for i, r := range letters {
		begins := i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
