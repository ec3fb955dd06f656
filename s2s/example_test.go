package s2s_test

import (
	"fmt"

	"github.com/tollgatepay/gateway/s2s"
)

// What Register claims of a mux.
func ExampleRoutes() {
	for _, pattern := range s2s.Routes() {
		fmt.Println(pattern)
	}
	// Output:
	// POST /post
	// /post
	// POST /post-va
	// /post-va
	// POST /v2/post
	// /v2/post
}
