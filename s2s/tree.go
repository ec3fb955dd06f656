package s2s

import (
	"encoding/json"
	"fmt"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
)

// The greatest sizes of the two free-form objects, in bytes of JSON; the kernel has the same bounds. Records and
// callbacks repeat custom_data.
const (
	maxCustomData = 64 << 10
	maxParameters = 256 << 10
)

// freeForm returns an optional object in brackets: parameters, custom_data.
func freeForm(name string, limit int) field {
	says := fmt.Sprintf("parameters in brackets, %s[key]=value; at most %d bytes as JSON", name, limit)
	return field{Path: name, Form: fields.Words(says), Check: func(r *reading) []gateway.Fault {
		tree := r.form.Tree(name)
		switch object, ok := tree.(map[string]any); {
		case isEmpty(tree):
			return nil
		case !ok:
			return []gateway.Fault{{Path: name, Text: fields.TextObject}}
		case len(encoded(object)) > limit:
			return []gateway.Fault{{Path: name, Text: fields.TextSize(limit)}}
		}
		return nil
	}}
}

// isEmpty reports whether an object counts as absent: not sent, empty, or an empty JSON value (decision ap).
func isEmpty(tree any) bool {
	return tree == nil || tree == "" || tree == "[]" || tree == "{}"
}

func encoded(object map[string]any) json.RawMessage {
	text, err := json.Marshal(object)
	if err != nil { // cannot fail: texts in maps and lists
		return nil
	}
	return text
}

// object returns a parameter in brackets as JSON, nil when it was not sent.
func (r *reading) object(name string) json.RawMessage {
	object, ok := r.form.Tree(name).(map[string]any)
	if !ok {
		return nil
	}
	return encoded(object)
}

// mpiResult is mpi_data as it was sent: the results of a 3-D Secure that was done elsewhere.
type mpiResult map[string]any

// mpiFields are those results (SPEC2, mpi_data). Only their format is checked.
var mpiFields = fields.Table[mpiResult]{Fields: []fields.Field[mpiResult]{
	mpiField("eci", true, fields.Like(`^\S{2}$`, "must have exactly 2 characters")),
	mpiField("authentication_value", true, fields.Within(28, 64)),
	mpiField("ds_trans_id", true, fields.Like(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`, "must be a UUID")),
	mpiField("3ds_version", true, fields.Like(`^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$`, "must have the format X.Y.Z")),
	mpiField("trans_status", false, fields.Like(`^[A-Z]$`, "must be one upper-case letter")),
	mpiField("xid", false, fields.AtMost(64)),
}}

func mpiField(name string, required bool, rule fields.ValueRule) fields.Field[mpiResult] {
	var when fields.Need[mpiResult]
	if required {
		when = fields.Always[mpiResult]()
	}
	return fields.Field[mpiResult]{
		Path:   fmt.Sprintf("mpi_data[%s]", name),
		Value:  func(m mpiResult) string { text, _ := m[name].(string); return text },
		Needed: when,
		Rules:  []fields.Rule[mpiResult]{fields.Plain[mpiResult](rule)},
		Shape: func(m mpiResult) string {
			_, single := m[name].(string)
			return fields.Sound(single || m[name] == nil, fields.TextOneValue)
		},
	}
}

// mpiData is the field mpi_data. An authorization ignores it (SPEC2).
var mpiData = field{Path: "mpi_data", Form: mpiForm, Check: func(r *reading) []gateway.Fault {
	tree := r.form.Tree("mpi_data")
	object, ok := tree.(map[string]any)
	switch {
	case isEmpty(tree), r.holds():
		return nil
	case !ok:
		return []gateway.Fault{{Path: "mpi_data", Text: fields.TextObject}}
	}
	return mpiFields.Faults(object, nil)
}}

var mpiForm = fields.Words("result of a 3-D Secure done elsewhere; an authorization ignores it")

// mpi returns mpi_data as the gateway's type; nil without it.
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
