package contract_test

import (
	"fmt"

	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/contract"
)

// The fields that every session of Checkout needs.
func Example() {
	for _, call := range checkout.Contract() {
		for _, field := range call.Fields {
			if call.Name == "session" && field.Requirement == contract.Required {
				fmt.Println(field.Path)
			}
		}
	}
	// Output:
	// merchant_key
	// operation
	// order.number
	// order.currency
	// order.description
	// success_url
	// hash
}
