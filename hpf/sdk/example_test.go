package sdk_test

import (
	"fmt"
	"strings"

	"github.com/tollgatepay/gateway/hpf/sdk"
)

// The inventory of scripts that a payment page has to keep (PCI DSS 4.0.1, 6.4.3).
func ExampleInventory() {
	library := sdk.Library()
	fmt.Println(strings.HasPrefix(library.Integrity, "sha384-"))
	for _, script := range sdk.Inventory() {
		fmt.Println(script.Purpose != "" && script.Integrity != "")
		break
	}
	// Output:
	// true
	// true
}
