package methods_test

import (
	"fmt"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// A host registers a code of its own with a known set, and parameters are checked against it.
func ExampleNewCatalogue() {
	catalogue, err := methods.NewCatalogue(methods.Method{
		Code: "my-bank", Name: "My bank", Kind: methods.KindRedirect,
		Operations: []store.Operation{store.OpSale, store.OpCredit}, Sets: []methods.Use{{Set: "open-banking"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	sent := map[string]any{
		"payee_name": "Jane Doe", "payee_country": "GB",
		"payee_identifications": []any{map[string]any{"type": "SWIFT", "identification": "1"}},
	}
	for _, fault := range catalogue.Check("my-bank", sent, methods.Form, methods.Context{Operation: store.OpSale}) {
		fmt.Println(fault.Path)
	}
	// Output:
	// parameters[payee_identifications][0][type]
}
