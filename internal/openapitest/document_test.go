package openapitest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi/datamodel"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/openapi"
)

// The document keeps the schema that OpenAPI 3.1 has for its documents.
func TestDocumentIsOpenAPI(t *testing.T) {
	t.Parallel()
	c := jsonschema.NewCompiler()
	published, err := jsonschema.UnmarshalJSON(strings.NewReader(datamodel.OpenAPI31SchemaData))
	require.NoError(t, err)
	const place = "https://spec.openapis.org/oas/3.1/schema/2022-10-07"
	require.NoError(t, c.AddResource(place, published))
	openAPI, err := c.Compile(place)
	require.NoError(t, err)
	require.NoError(t, openAPI.Validate(document(t)))
	for name, spoil := range map[string]func(doc map[string]any){
		"a word that OpenAPI does not have": func(doc map[string]any) { doc["paths "] = 1 },
		"a list for an object":              func(doc map[string]any) { doc["webhooks"] = []any{} },
		"another version":                   func(doc map[string]any) { doc["openapi"] = "3.2.0" },
		"no title":                          func(doc map[string]any) { delete(doc["info"].(map[string]any), "title") },
		"a parameter without a place": func(doc map[string]any) {
			doc["components"].(map[string]any)["parameters"] = map[string]any{"x": map[string]any{"name": "x"}}
		},
	} {
		spoiled := document(t)
		spoil(spoiled)
		require.Error(t, openAPI.Validate(spoiled), name)
	}
}

// document returns the document as a tree of its own.
func document(t *testing.T) map[string]any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(openapi.Document())))
	require.NoError(t, err)
	return doc.(map[string]any)
}

// Every reference of the document leads to a part of it.
func TestReferences(t *testing.T) {
	t.Parallel()
	doc := document(t)
	found := referencesIn(doc)
	require.Greater(t, len(found), 100)
	for _, ref := range found {
		require.True(t, leads(doc, ref), ref)
	}
	require.False(t, leads(doc, "#/components/schemas/Absent"))
	require.False(t, leads(doc, "other.json#/components"))
}

func referencesIn(part any) (found []string) {
	switch p := part.(type) {
	case map[string]any:
		for name, inner := range p {
			if ref, ok := inner.(string); ok && name == "$ref" {
				found = append(found, ref)
			}
			found = append(found, referencesIn(inner)...)
		}
	case []any:
		for _, inner := range p {
			found = append(found, referencesIn(inner)...)
		}
	}
	return found
}

// leads reports whether a reference is the place of an object in a document.
func leads(doc any, ref string) bool {
	path, within := strings.CutPrefix(ref, "#/")
	if !within {
		return false
	}
	for name := range strings.SplitSeq(path, "/") {
		object, _ := doc.(map[string]any)
		doc = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	_, ok := doc.(map[string]any)
	return ok
}

// Every schema of the document is one of JSON Schema.
func TestSchemas(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	require.Greater(t, len(s.texts), 20)
	for name := range s.texts {
		s.of(t, name)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, c.AddResource(place, map[string]any{"type": "strnig"}))
	_, err := c.Compile(place)
	require.Error(t, err)
}

// Examples keep the schema of their envelope.
func TestExamples(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	var doc struct {
		Components struct {
			Examples map[string]struct{ Value any }
		}
	}
	require.NoError(t, json.Unmarshal(openapi.Document(), &doc))
	require.Greater(t, len(doc.Components.Examples), 100)
	for name, example := range doc.Components.Examples {
		schema := "Refusal"
		if strings.HasPrefix(name, "S2S.") {
			schema = "S2SRefusal"
		}
		require.NoError(t, s.of(t, schema).Validate(example.Value), name)
	}
}

// schemas are the components of the document, compiled. Closed ones refuse members that no row has.
type schemas struct {
	compiler *jsonschema.Compiler
	texts    map[string]map[string]bool // the fields of a component that are texts, by their paths as faults name them
}

const place = "https://tollgate.example/openapi.json"

func compiled(t *testing.T) *schemas {
	t.Helper()
	doc := document(t)
	texts := map[string]map[string]bool{}
	for name, schema := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if strings.Contains(name, ".Answer") || strings.HasPrefix(name, "Callback.") || strings.HasSuffix(name, "Refusal") {
			closeUp(schema)
		}
		texts[name] = map[string]bool{}
		textsOf(texts[name], "", schema.(map[string]any))
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, c.AddResource(place, doc))
	return &schemas{c, texts}
}

// textsOf collects the fields of a schema that are texts.
func textsOf(found map[string]bool, prefix string, schema map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	for name, inner := range properties {
		field := inner.(map[string]any)
		if items, ok := field["items"].(map[string]any); ok {
			field = items
		}
		if field["type"] == "string" {
			found[prefix+name] = true
		}
		textsOf(found, prefix+name+".", field)
	}
}

// closeUp refuses members that a schema does not name, unless the mapping may add some.
func closeUp(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		_, named := s["properties"]
		words, _ := s["description"].(string)
		if named && !strings.Contains(words, "may add members") {
			s["additionalProperties"] = false
		}
		for _, inner := range s {
			closeUp(inner)
		}
	case []any:
		for _, inner := range s {
			closeUp(inner)
		}
	}
}

func (s *schemas) of(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	schema, err := s.compiler.Compile(place + "#/components/schemas/" + name)
	require.NoError(t, err)
	return schema
}
