package openapi_test

import (
	"encoding/json"
	"flag"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/openapi"
	"github.com/tollgatepay/gateway/refusal"
)

var rewrite = flag.Bool("rewrite", false, "write docs/openapi.json again")

const file = "../docs/openapi.json"

// TestDocument keeps docs/openapi.json equal to the tables. `go generate ./openapi` writes it again.
func TestDocument(t *testing.T) {
	t.Parallel()
	made := openapi.Document()
	if *rewrite {
		require.NoError(t, os.WriteFile(file, made, 0o644))
	}
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, string(written) == string(made), "docs/openapi.json is behind the tables: run go generate ./openapi")
}

func TestHandler(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	openapi.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/openapi.json", nil))
	require.Equal(t, 200, w.Code)
	require.Equal(t, "application/json; charset=utf-8", w.Header().Get("Content-Type"))
	require.Equal(t, openapi.Document(), w.Body.Bytes())
}

// Every row of the catalogue is an example.
func TestEveryErrorIsAnExample(t *testing.T) {
	t.Parallel()
	var doc struct {
		Components struct {
			Examples map[string]struct{ Value json.RawMessage }
		}
	}
	require.NoError(t, json.Unmarshal(openapi.Document(), &doc))
	for _, row := range refusal.Catalogue() {
		for _, kind := range []string{"JSON.", "S2S."} {
			value, err := json.Marshal(row.Error.Message())
			require.NoError(t, err)
			require.Contains(t, string(doc.Components.Examples[kind+row.Name].Value), string(value[1:len(value)-1]), row.Name)
		}
	}
}
