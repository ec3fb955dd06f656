package storetest_test

import (
	"testing"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/store/storetest"
)

// The test of an own store: replace memory.New by what opens yours on fresh and empty data.
func Example() {
	_ = func(t *testing.T) { // func TestContract(t *testing.T)
		storetest.Run(t, func(*testing.T) store.Store { return memory.New() })
	}
}
