package wallet_test

import (
	"testing"
	"time"

	"github.com/tollgatepay/gateway/methods/wallet"
)

// BenchmarkOpen should stay below 2 ms for either wallet.
func BenchmarkOpen(b *testing.B) {
	ax, a := appleFixture(b)
	gx, g := googleFixture(b)
	for _, c := range []struct {
		name   string
		opener opener
		token  []byte
		now    time.Time
	}{{wallet.ApplePay, a, ax.Tokens[1], ax.Now}, {wallet.GooglePay, g, gx.Tokens[0], gx.Now}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.opener.Open(c.token, c.now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
