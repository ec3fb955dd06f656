package openapitest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/openapi"
)

// The document is one of OpenAPI 3.1.
func TestDocumentIsOpenAPI(t *testing.T) {
	t.Parallel()
	require.Empty(t, faultsOf(t, openapi.Document()))
	spoiled := strings.Replace(string(openapi.Document()), `"openapi": "3.1.0"`,
		`"openapi": "3.1.0", "paths ": 1, "webhooks ": []`, 1)
	require.NotEmpty(t, faultsOf(t, []byte(spoiled)), "the validator finds nothing")
}

func faultsOf(t *testing.T, text []byte) (faults []string) {
	t.Helper()
	doc, err := libopenapi.NewDocument(text)
	require.NoError(t, err)
	v, errs := validator.NewValidator(doc)
	require.Empty(t, errs)
	_, found := v.ValidateDocument()
	for _, fault := range found {
		faults = append(faults, fault.Error())
		for _, inner := range fault.SchemaValidationErrors {
			faults = append(faults, inner.FieldPath+": "+inner.Reason)
		}
	}
	return faults
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
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(openapi.Document())))
	require.NoError(t, err)
	texts := map[string]map[string]bool{}
	for name, schema := range doc.(map[string]any)["components"].(map[string]any)["schemas"].(map[string]any) {
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
