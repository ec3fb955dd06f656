package refusal_test

import (
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway/refusal"
)

// A refusal is compared by its identity; its faults name the fields.
func Example() {
	err := fmt.Errorf("checkout: %w", refusal.ErrInvalid.Fields(
		refusal.Fault{Path: "order.amount", Text: "This value should not be blank."}))
	fmt.Println(errors.Is(err, refusal.ErrInvalid), errors.Is(err, refusal.ErrNoPayment))
	if refused, ok := errors.AsType[*refusal.Error](err); ok {
		for _, fault := range refused.Faults() {
			fmt.Println(fault.Path, fault.Text)
		}
	}
	// Output:
	// true false
	// order.amount This value should not be blank.
}
