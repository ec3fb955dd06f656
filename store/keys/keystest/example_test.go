package keystest_test

import (
	"path/filepath"
	"testing"

	"github.com/tollgatepay/gateway/store/keys"
	"github.com/tollgatepay/gateway/store/keys/keystest"
)

// The test of an own key provider: open gives one with keys of its own.
func Example() {
	var open func(path string) (keys.Provider, error)
	_ = func(t *testing.T) { // func TestContract(t *testing.T)
		keystest.Run(t, keystest.Subject{New: func(tb testing.TB) keys.Provider {
			provider, err := open(filepath.Join(tb.TempDir(), "keys"))
			if err != nil {
				tb.Fatal(err)
			}
			return provider
		}})
	}
}
