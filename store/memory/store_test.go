package memory_test

import (
	"testing"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
	"github.com/tollgatepay/gateway/store/storetest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) store.Store { return memory.New() })
}
