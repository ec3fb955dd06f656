package s2s

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
)

// How large the two free-form objects may be, in bytes of JSON; the kernel has the same bounds. Records and
// callbacks repeat custom_data.
const (
	maxCustomData = 64 << 10
	maxParameters = 256 << 10
)

// freeForm is an optional object in brackets: parameters, custom_data.
func freeForm(name string, limit int) field {
	return field{name: name, whole: func(_ *reading, tree any) []gateway.Fault {
		switch object, ok := tree.(map[string]any); {
		case isEmpty(tree):
			return nil
		case !ok:
			return []gateway.Fault{{Path: name, Text: textObject}}
		case len(encoded(object)) > limit:
			return []gateway.Fault{{Path: name, Text: textSize(limit)}}
		}
		return nil
	}}
}

// isEmpty reports an object that is absent: not sent, empty, or the JSON of nothing (decision ap).
func isEmpty(tree any) bool {
	return tree == nil || tree == "" || tree == "[]" || tree == "{}"
}

func encoded(object map[string]any) json.RawMessage {
	text, err := json.Marshal(object)
	if err != nil { // texts in maps and lists always encode
		return nil
	}
	return text
}

// object is a parameter in brackets as JSON, nil when it was not sent.
func (r *reading) object(name string) json.RawMessage {
	object, ok := r.form.Tree(name).(map[string]any)
	if !ok {
		return nil
	}
	return encoded(object)
}

// mpiFields are the results of a 3-D Secure that was done elsewhere (SPEC2, mpi_data). Their format is all
// that is looked at.
var mpiFields = []struct {
	name     string
	required bool
	rule     rule
}{
	{"eci", true, like(`^\S{2}$`, "must have exactly 2 characters")},
	{"authentication_value", true, within(28, 64)},
	{"ds_trans_id", true, like(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`, "must be a UUID")},
	{"3ds_version", true, like(`^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$`, "must have the format X.Y.Z")},
	{"trans_status", false, like(`^[A-Z]$`, "must be one upper-case letter")},
	{"xid", false, atMost(64)},
}

// mpiData is the field mpi_data. A hold ignores it (SPEC2).
var mpiData = field{name: "mpi_data", whole: func(r *reading, tree any) []gateway.Fault {
	object, ok := tree.(map[string]any)
	switch {
	case isEmpty(tree), r.holds():
		return nil
	case !ok:
		return []gateway.Fault{{Path: "mpi_data", Text: textObject}}
	}
	var faults []gateway.Fault
	for _, row := range mpiFields {
		value, single := object[row.name].(string)
		text := ""
		switch {
		case !single && object[row.name] != nil:
			text = textOneValue
		case value != "":
			text = cmp.Or(row.rule(r, value), fields.Printable(value))
		case row.required:
			text = textBlank
		}
		if text != "" {
			faults = append(faults, gateway.Fault{Path: fmt.Sprintf("mpi_data[%s]", row.name), Text: text})
		}
	}
	return faults
}}

// mpi is mpi_data as the gateway takes it, nil without it.
func (r *reading) mpi() *methods.MPI {
	object, ok := r.form.Tree("mpi_data").(map[string]any)
	if !ok || !r.takes("mpi_data") || r.holds() {
		return nil
	}
	text := func(name string) string { value, _ := object[name].(string); return value }
	return &methods.MPI{
		ECI: text("eci"), AuthenticationValue: text("authentication_value"), DSTransID: text("ds_trans_id"),
		Version: text("3ds_version"), TransStatus: text("trans_status"), XID: text("xid"),
	}
}
