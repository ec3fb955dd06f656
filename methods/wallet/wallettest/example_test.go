package wallettest_test

import (
	"testing"
	"time"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

// The test of a host whose connector takes opened wallet cards: an issuer mints tokens that the wallet opens.
func Example() {
	_ = func(t *testing.T) { // func TestApplePay(t *testing.T)
		issuer := wallettest.NewApple(t, time.Now())
		apple, err := wallet.NewApple(issuer.Config(t))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = apple, wallettest.MintApple(t, issuer)
	}
}
