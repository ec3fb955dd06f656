package texts_test

import (
	"fmt"

	"github.com/tollgatepay/gateway/checkout/page/texts"
)

// The language is the request's, else the mapping's, else the browser's.
func ExampleFor() {
	for _, c := range [][3]string{{"de", "fr", "es"}, {"", "fr", "es"}, {"", "", "es-MX,en;q=0.5"}, {"", "", ""}} {
		t, browser := texts.For(c[0], c[1], c[2])
		fmt.Println(t.Lang, t.Dir, browser)
	}
	// Output:
	// de ltr false
	// fr ltr false
	// es ltr true
	// en ltr true
}
