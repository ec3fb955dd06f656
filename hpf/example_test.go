package hpf_test

import (
	"fmt"

	"github.com/tollgatepay/gateway/hpf"
)

// What Register claims of a mux, the library and the frames of package sdk included.
func ExampleRoutes() {
	for _, pattern := range hpf.Routes()[:4] {
		fmt.Println(pattern)
	}
	// Output:
	// /api/v1/session/token
	// /api/v1/session/update
	// /api/v1/processing/purchase/card
	// /api/v1/processing/debit/card
}
