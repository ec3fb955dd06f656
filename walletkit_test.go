package gateway_test

import (
	"testing"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
)

// walletKitOn is a kit on an acquirer of the test's own, and not audited: a cascade is for judges of its own.
func walletKitOn(t testing.TB, acquirer methods.Connector) *kerneltest.WalletKit {
	t.Helper()
	k := &kerneltest.WalletKit{Log: &kerneltest.Logged{}}
	k.Apple, k.Google = kerneltest.IssuersOf(t)
	k.Kit = gatewaytest.New(t, kerneltest.TrustsInTest(t, k.Apple, k.Google),
		func(c *gateway.Config) { c.Connectors["vcard"] = acquirer })
	k.Configure(t)
	return k
}

func softly() vcard.Outcome { return vcard.SoftDecline("Try elsewhere") }

// declared is a scripted connector with other capabilities.
type declared struct {
	*kerneltest.ScriptedConnector
	can methods.Capabilities
}

func (d declared) Capabilities() methods.Capabilities { return d.can }
