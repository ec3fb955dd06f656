package gatewaytest_test

import (
	"testing"
	"time"

	"github.com/tollgatepay/gateway/gatewaytest"
)

// A merchant's test: the payer pays on the page, the callback arrives, and a month passes in a moment.
func Example() {
	_ = func(t *testing.T) { // func TestBuy(t *testing.T)
		kit := gatewaytest.New(t)
		kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
		kit.Work(t)
		if kit.Inbox.Expect(t, "ORD-1", "sale").Get("status") != "success" {
			t.Fatal("the shop was not told")
		}
		kit.Advance(t, 30*24*time.Hour)
	}
}
