package notifiertest_test

import (
	"testing"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/notifiertest"
)

// The test of an own notifier that keeps callbacks in a queue: open gives an empty one, drain what is in it.
func Example() {
	var open func() callback.Notifier
	var drain func(callback.Notifier) []notifiertest.Message
	_ = func(t *testing.T) { // func TestContract(t *testing.T)
		notifiertest.Run(t, notifiertest.Subject{
			New:     func(testing.TB) callback.Notifier { return open() },
			Arrived: func(_ testing.TB, n callback.Notifier) []notifiertest.Message { return drain(n) },
		})
	}
}
