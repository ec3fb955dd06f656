package door_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often: the tests make many gateways and drop them, and a seventh of their time went to
// the collector. GOGC in the environment wins.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
