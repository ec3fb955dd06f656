package views

import (
	"fmt"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

const head = `-- Views of the records as columns. Made by internal/views from the types of package store: do not edit.
-- Empty texts and times are null.
`

// SQL returns the statements that make the views of a schema again. SCHEMA stands for its name.
func SQL() (string, error) {
	var out strings.Builder
	out.WriteString(head)
	for _, v := range All() {
		text, err := v.sql()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "\ndrop view if exists SCHEMA.%s;\n%s", v.Name, text)
	}
	return out.String(), nil
}

func (v View) sql() (string, error) {
	list, err := v.Columns()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	// A barrier: a condition of the reader is never asked about rows of other tables, whose keys are secret.
	fmt.Fprintf(&out, "create view SCHEMA.%s with (security_barrier) as select\n", v.Name)
	for i, c := range list {
		end := ","
		if i == len(list)-1 {
			end = ""
		}
		fmt.Fprintf(&out, "  %s as %s%s\n", c.sql, c.Name, end)
	}
	first := store.Key(v.prefix)
	after := store.Key(v.prefix)
	after[len(after)-1]++
	// offset 0 keeps the document from being read anew for each column.
	out.WriteString("from SCHEMA.records as x,\n  lateral (select SCHEMA.document(x.value) as d offset 0) as r")
	if v.list != "" {
		fmt.Fprintf(&out, ",\n  lateral jsonb_array_elements(r.d -> '%s') with ordinality as e (d, n)", v.list)
	}
	fmt.Fprintf(&out, "\nwhere x.key >= '\\x%x' and x.key < '\\x%x';\n", first, after)
	return out.String(), nil
}
