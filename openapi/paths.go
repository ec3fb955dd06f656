package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/internal/envelope"
	"github.com/tollgatepay/gateway/internal/release"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/s2s"
)

const (
	formType  = "application/x-www-form-urlencoded"
	multipart = "multipart/form-data"
	jsonType  = "application/json"
)

// paths describes every path; those of S2S have many actions.
func (w *writer) paths() (paths object) {
	var shared []string
	for _, c := range w.calls {
		if !c.Form {
			paths.add(c.Paths[0], object{{strings.ToLower(c.Method), w.operation(c)}})
			continue
		}
		for _, path := range c.Paths {
			if !slices.Contains(shared, path) {
				shared = append(shared, path)
			}
		}
	}
	for _, path := range shared {
		paths.add(path, object{{"post", w.actions(path)}})
	}
	return paths
}

// operation describes an endpoint of JSON.
func (w *writer) operation(c contract.Call) object {
	name := schemaName(c)
	w.schemas.add(name, requestSchema(c))
	w.answers(c, name+".Answer")
	op := object{{"operationId", operationID(c)}, {"tags", []any{string(c.Protocol)}}, {"summary", c.Says},
		{"description", strings.TrimLeft(fmt.Sprintf("%s The body has at most %d bytes.", c.Notes, c.Limit), " ")}}
	if c.Token {
		op.add("parameters", []any{object{{"name", "Token"}, {"in", "header"}, {"required", true},
			{"description", "The token of the session."}, {"schema", object{{"type", "string"}}}}})
	}
	body := content(jsonType, object{{"schema", ref("schemas", name)}})
	op.add("requestBody", object{{"required", true}, {"content", body}})
	op.add("responses", w.answered("JSON", ref("schemas", name+".Answer"), c.Token))
	if len(c.Formulas) > 0 {
		op.add("x-signatures", signatures(c.Formulas))
	}
	return op
}

// answers adds what answers a call. Answers that differ by their result are components of their own, so that generated
// clients have names for them.
func (w *writer) answers(c contract.Call, name string) {
	answers := []any{}
	for _, a := range c.Answers {
		schema := answerSchema(c, a)
		if len(c.Answers) == 1 {
			answers = append(answers, schema)
			continue
		}
		part := name + "." + a.Result
		for n := 2; w.schemas.has(part); n++ {
			part = fmt.Sprintf("%s.%s%d", name, a.Result, n)
		}
		w.schemas.add(part, schema)
		answers = append(answers, ref("schemas", part))
	}
	if c.List {
		answers = append(answers, object{{"type", "array"}, {"items", answers[0]}})
	}
	if len(answers) == 1 {
		w.schemas.add(name, answers[0])
		return
	}
	w.schemas.add(name, object{{"anyOf", answers}})
}

// actions describes a path of S2S.
func (w *writer) actions(path string) object {
	requests, answers, signs, tags := []any{}, []any{}, object{}, []any{}
	var inTree []string
	for _, c := range w.calls {
		if !c.Form || !slices.Contains(c.Paths, path) {
			continue
		}
		if tag := string(c.Protocol); !slices.Contains(tags, any(tag)) {
			tags = append(tags, tag)
		}
		name := schemaName(c)
		w.action(c, name)
		if !signs.has(name) {
			requests, answers = append(requests, ref("schemas", name)), append(answers, ref("schemas", name+".Answer"))
			signs.add(name, signatures(c.Formulas))
		}
		for _, f := range c.Fields {
			if f.Type == contract.Object && !slices.Contains(inTree, f.Path) {
				inTree = append(inTree, f.Path)
			}
		}
	}
	body := object{{"schema", object{{"oneOf", requests}}}, {"encoding", encodings(inTree)}}
	return object{{"operationId", formID(path)}, {"tags", tags},
		{"summary", "An action of S2S"},
		{"description", "The parameter action chooses the schema; a SALE with brand is one of S2S APM."},
		{"requestBody", object{{"required", true}, {"content", object{{formType, body},
			{multipart, object{{"schema", object{{"oneOf", requests}}}}}}}}},
		{"responses", w.answered("S2S", object{{"anyOf", answers}}, false)}, {"x-signatures", signs}}
}

// action adds the schemas of an action, once; both protocols share those of a follow-up.
func (w *writer) action(c contract.Call, name string) {
	if w.schemas.has(name) {
		return
	}
	schema := requestSchema(c)
	schema.at("properties").at("action").add("enum", anys(actionsOf(c)))
	if c.Notes != "" {
		schema.add("description", c.Notes)
	}
	if c.Protocol == contract.S2SCard && c.Action == "SALE" {
		schema.add("not", object{{"required", []any{"brand"}}})
	}
	w.schemas.add(name, schema)
	w.answers(c, name+".Answer")
}

// schemaName is the name of the component; both protocols share those of a follow-up.
func schemaName(c contract.Call) string {
	switch {
	case c.Form && c.Protocol == contract.S2SAPM && c.Action == "SALE":
		return "S2S.APM_SALE"
	case c.Form:
		return "S2S." + c.Action
	case c.Protocol == contract.Hosted:
		return "Hosted." + c.Name
	}
	return "Checkout." + c.Name
}

func operationID(c contract.Call) string {
	return strings.ToLower(strings.Fields(string(c.Protocol))[0]) + strings.ToUpper(c.Name[:1]) + c.Name[1:]
}

// formID names the operation of a path of S2S: s2sPost, s2sPostVa, s2sV2Post.
func formID(path string) string {
	id := "s2s"
	for _, word := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '-' }) {
		id += strings.ToUpper(word[:1]) + word[1:]
	}
	return id
}

func encodings(names []string) object {
	list := object{}
	for _, name := range names {
		list.add(name, object{{"style", "deepObject"}, {"explode", true}})
	}
	return list
}

func signatures(formulas []signature.Formula) (list []any) {
	for _, f := range formulas {
		list = append(list, object{{"name", f.String()}, {"formula", f.Notation()}})
	}
	return list
}

// answered are the responses of a call: its answer, and the refusals by their status.
func (w *writer) answered(kind string, schema object, token bool) object {
	list := object{{"200", object{{"description", "done, or under way"},
		{"content", content(jsonType, object{{"schema", schema}})}}}}
	for _, status := range []int{400, 404, 409, 500} {
		list.add(strconv.Itoa(status), ref("responses", fmt.Sprintf("%s%d", kind, status)))
	}
	if token {
		list.add("403", ref("responses", "Page403"))
	}
	return list
}

// refusals adds the envelopes, with every row of the catalogue as an example.
func (w *writer) refusals() {
	w.schemas.add("Refusal", refusalSchema(false))
	w.schemas.add("S2SRefusal", refusalSchema(true))
	all := refusal.Catalogue()
	for i, e := range s2s.Refusals() {
		all = append(all, refusal.Named{Name: fmt.Sprintf("S2S%d", i+1), Error: e})
	}
	kinds := []struct {
		name, schema string
		render       func(*refusal.Error) []byte
	}{
		{"JSON", "Refusal", func(e *refusal.Error) []byte { return envelope.Fail(e).Body }},
		{"S2S", "S2SRefusal", s2s.Refused},
	}
	for _, kind := range kinds {
		byStatus := map[int]object{}
		for _, row := range all {
			if kind.name == "JSON" && strings.HasPrefix(row.Name, "S2S") && row.Error.Status() != 404 {
				continue // an error of S2S alone
			}
			name := kind.name + "." + row.Name
			example := object{{"summary", row.Error.Error()}}
			if row.When != "" {
				example.add("description", "When: "+row.When+".")
			}
			example.add("value", json.RawMessage(kind.render(row.Error)))
			if since := row.Error.Since(); since != release.First {
				addSince(&example, since)
			}
			w.examples.add(name, example)
			status := row.Error.Status()
			byStatus[status] = append(byStatus[status], member{row.Name, ref("examples", name)})
		}
		for _, status := range []int{400, 404, 409, 500} {
			body := content(jsonType, object{{"schema", ref("schemas", kind.schema)}, {"examples", byStatus[status]}})
			w.responses.add(fmt.Sprintf("%s%d", kind.name, status),
				object{{"description", statusTexts[status]}, {"content", body}})
		}
	}
	w.responses.add("Page403", object{{"description", "the token is missing, unknown or expired, or a browser asks"},
		{"content", object{{"text/html", object{{"schema", object{{"type", "string"}}}}}}}})
}

var statusTexts = map[int]string{400: "refused; nothing was done", 404: "no such path, action or record",
	409: "an idempotency key of a Go caller", 500: "an error of ours: ask for the status before you try again"}

func refusalSchema(result bool) object {
	entry := object{{"type", "object"}, {"properties", object{{"error_code", object{{"type", "integer"}}},
		{"error_message", object{{"type", "string"}}}}}, {"required", []any{"error_code", "error_message"}}}
	properties := object{{"error_code", object{{"type", "integer"}}}, {"error_message", object{{"type", "string"}}},
		{"errors", object{{"type", "array"}, {"items", entry}, {"description", "one entry for each field that is refused"}}}}
	required := []any{"error_code", "error_message", "errors"}
	if result {
		properties = append(object{{"result", object{{"const", "ERROR"}}}}, properties...)
		required = append([]any{"result"}, required...)
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", required}}
}
