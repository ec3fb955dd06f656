package page_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often, because the tests make and drop many gateways, and a seventh of their time
// was garbage collection. GOGC in the environment takes precedence.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
