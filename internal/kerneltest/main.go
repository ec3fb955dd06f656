package kerneltest

import (
	"os"
	"runtime/debug"
	"testing"
)

// Main runs the tests of a package and collects garbage less often: the tests make and drop many gateways, and a
// seventh of their time went to the collector. GOGC in the environment wins.
func Main(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
