package page_test

import (
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
)

// Own templates are checked at start, so that no payer meets one that is missing.
func ExampleNew() {
	var gw *gateway.Gateway // made by gateway.New
	_, err := page.New(gw, page.Options{Templates: fstest.MapFS{}})
	fmt.Println(err != nil, strings.Contains(err.Error(), page.TemplateNames()[0]))
	// Output: true true
}
