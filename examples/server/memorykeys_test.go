package main

import (
	"testing"

	"github.com/tollgatepay/gateway/store/keys"
	"github.com/tollgatepay/gateway/store/keys/keystest"
)

func TestMemoryKeys(t *testing.T) {
	t.Parallel()
	keystest.Run(t, keystest.Subject{New: func(testing.TB) keys.Provider { return newMemoryKeys() }})
}
