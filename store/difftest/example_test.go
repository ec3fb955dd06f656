package difftest_test

import (
	"context"
	"fmt"

	"github.com/tollgatepay/gateway/store/difftest"
	"github.com/tollgatepay/gateway/store/memory"
)

// Two stores are given the same random list of operations, and must answer the same.
func ExampleCompare() {
	err := difftest.Compare(context.Background(), difftest.Random(7),
		&difftest.Subject{Name: "ours", Store: memory.New()}, &difftest.Subject{Name: "reference", Store: memory.New()})
	fmt.Println(err)
	// Output: <nil>
}
