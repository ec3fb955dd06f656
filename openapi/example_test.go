package openapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/tollgatepay/gateway/openapi"
)

// A host serves the document beside its gateway, for the tools of its merchants.
func Example() {
	mux := http.NewServeMux()
	mux.Handle("GET /openapi.json", openapi.Handler())

	var doc struct {
		OpenAPI string         `json:"openapi"`
		Paths   map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(openapi.Document(), &doc); err != nil {
		panic(err)
	}
	fmt.Println(doc.OpenAPI, len(doc.Paths))
	// Output: 3.1.0 15
}
