package gatewaytest_test

import (
	"testing"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store/keys"
	"github.com/tollgatepay/gateway/store/keys/keystest"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	keystest.Run(t, keystest.Subject{New: func(testing.TB) keys.Provider { return gatewaytest.NewKeys() }})
}
