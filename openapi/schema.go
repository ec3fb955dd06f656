package openapi

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/contract"
)

// requestSchema describes the body of a call.
func requestSchema(c contract.Call) object {
	tree := newNode()
	for _, f := range c.Fields {
		tree.put(split(f.Path), f)
	}
	schema := tree.schema()
	if c.Closed {
		schema.add("additionalProperties", false)
		schema.add("minProperties", 1)
	}
	addSince(&schema, c.Since)
	return schema
}

// split cuts a path: order.amount, and mpi_data[eci] of a form.
func split(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
}

// node is an object of a body, with its fields in their order.
type node struct {
	names []string
	inner map[string]*node
	field *contract.Field
}

func newNode() *node { return &node{inner: map[string]*node{}} }

func (n *node) put(path []string, f contract.Field) {
	if len(path) == 0 {
		n.field = &f
		return
	}
	name := path[0]
	if n.inner[name] == nil {
		n.names, n.inner[name] = append(n.names, name), newNode()
	}
	n.inner[name].put(path[1:], f)
}

func (n *node) schema() object {
	if len(n.names) == 0 {
		return fieldSchema(*n.field)
	}
	properties, required := object{}, []any{}
	for _, name := range n.names {
		properties.add(name, n.inner[name].schema())
		if n.inner[name].required() {
			required = append(required, name)
		}
	}
	schema := object{{"type", "object"}, {"properties", properties}}
	if n.field != nil {
		describe(&schema, *n.field)
	}
	if len(required) > 0 {
		schema.add("required", required)
	}
	return schema
}

// required: an object that may be left out is not required by what it has to have when it is sent.
func (n *node) required() bool {
	if n.field != nil {
		return n.field.Requirement == contract.Required
	}
	for _, name := range n.names {
		if n.inner[name].required() {
			return true
		}
	}
	return false
}

// types are the schemas of the types of the wire.
var types = map[contract.Type]object{
	contract.Text:    {{"type", "string"}},
	contract.Boolean: {{"type", "boolean"}},
	contract.Flag: {{"anyOf", []any{object{{"type", "boolean"}},
		object{{"type", "string"}, {"enum", []any{"true", "false", "Y", "N"}}}}}},
	contract.Whole: {{"anyOf", []any{object{{"type", "integer"}, {"minimum", 0}},
		object{{"type", "string"}, {"pattern", "^[0-9]+$"}}}}},
	contract.Scalar: {{"anyOf", []any{object{{"type", "string"}}, object{{"type", "number"}},
		object{{"type", "boolean"}}}}},
	contract.Object:  {{"type", "object"}, {"additionalProperties", true}},
	contract.Texts:   {{"type", "array"}, {"items", object{{"type", "string"}}}},
	contract.List:    {{"type", "array"}, {"items", object{{"type", "object"}}}},
	contract.Number:  {{"type", "integer"}},
	contract.Either:  {{"anyOf", []any{object{{"type", "object"}}, object{{"type", "array"}, {"items", object{{"type", "object"}}}}}}},
	contract.Nothing: {{"type", "null"}},
}

func fieldSchema(f contract.Field) object {
	schema := append(object(nil), types[f.Type]...)
	if f.Null {
		schema = object{{"type", []any{"string", "null"}}}
	}
	if f.Type == contract.Texts {
		entry := append(object(nil), types[contract.Text]...)
		bound(&entry, f)
		schema = object{{"type", "array"}, {"items", entry}}
		for _, form := range f.Forms {
			if form.Many > 0 {
				schema.add("maxItems", form.Many)
			}
		}
	} else {
		bound(&schema, f)
	}
	describe(&schema, f)
	return schema
}

// bound adds what the forms of a field bound.
func bound(schema *object, f contract.Field) {
	shortest, longest, patterns := 0, 0, []any{}
	for _, form := range f.Forms {
		shortest = max(shortest, form.Min)
		if form.Max > 0 && (longest == 0 || form.Max < longest) {
			longest = form.Max
		}
		if form.Pattern != "" {
			patterns = append(patterns, object{{"pattern", form.Pattern}})
		}
		if form.Format != "" {
			schema.add("format", form.Format)
		}
		if len(form.Choices) > 0 {
			choices := anys(form.Choices)
			if f.Type == contract.Flag && slices.Contains(form.Choices, "true") {
				choices = append(choices, true)
			}
			schema.add("enum", choices)
		}
	}
	if shortest > 0 {
		schema.add("minLength", shortest)
	}
	if longest > 0 {
		schema.add("maxLength", longest)
	}
	switch len(patterns) {
	case 0:
	case 1:
		schema.add("pattern", patterns[0].(object)[0].value)
	default:
		schema.add("allOf", patterns)
	}
}

// describe adds the words and the condition of a field.
func describe(schema *object, f contract.Field) {
	var sentences []string
	if f.Requirement == contract.Conditional {
		sentences = append(sentences, "Required "+f.Condition+".")
	}
	for _, form := range f.Forms {
		if form.Words != "" {
			sentences = append(sentences, sentence(form.Words))
		}
	}
	if len(sentences) > 0 {
		schema.add("description", strings.Join(sentences, " "))
	}
	if f.Requirement == contract.Conditional {
		schema.add("x-required", f.Condition)
	}
	addSince(schema, f.Since)
}

// addSince names the release of what came later than the first.
func addSince(to *object, version string) {
	if version != "" {
		to.add("x-since", version)
	}
}

func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] + "." }

// answerSchema describes an object that answers a call.
func answerSchema(c contract.Call, a contract.Answer) object {
	tree := newNode()
	for _, f := range a.Fields {
		tree.put(split(f.Path), f)
	}
	schema := tree.schema()
	if action := schema.at("properties").at("action"); action != nil {
		action.add("enum", anys(actionsOf(c)))
	}
	if result := schema.at("properties").at("result"); result != nil && a.Result != "" {
		result.add("const", a.Result)
	}
	var sentences []string
	if a.Means != "" {
		sentences = append(sentences, sentence(strings.ReplaceAll(a.Means, "`", "")))
	}
	if a.Open {
		sentences = append(sentences, "The Protocol Mapping may add members, as it does to callbacks.")
	}
	if len(sentences) > 0 {
		schema.add("description", strings.Join(sentences, " "))
	}
	return schema
}

func actionsOf(c contract.Call) []string {
	if c.Alias != "" {
		return []string{c.Action, c.Alias}
	}
	return []string{c.Action}
}
