package storetest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/storetest"
)

// planted names the defect of the small store in a process of its own, whose tests have to fail.
const planted = "TOLLGATE_PLANTED"

// TestTiny runs the whole contract on the small store, with the planted defect if this process has one.
func TestTiny(t *testing.T) {
	defect := os.Getenv(planted)
	if defect == "" {
		t.Parallel()
	}
	t.Run("alone", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) store.Store {
			return newTiny(&disk{entries: map[string]string{}}, defect)
		})
	})
	t.Run("again", func(t *testing.T) {
		storetest.Again(t, func(*testing.T) (one, other store.Store) {
			d := &disk{entries: map[string]string{}}
			return newTiny(d, defect), newTiny(d, defect)
		})
	})
}

// Each planted defect of the small store is found, by the suite that is meant for it.
func TestPlantedDefects(t *testing.T) {
	t.Parallel()
	for defect, by := range map[string]string{
		"loses updates":                         "TestTiny/a(lone|gain)/.*no_update_is_lost",
		"write skew":                            "TestTiny/a(lone|gain)/.*no_write_skew",
		"phantoms":                              "TestTiny/a(lone|gain)/.*no_phantom",
		"serializable in one process":           "TestTiny/again/two_instances:_",
		"inserts over":                          "TestTiny/alone/of_many_that_insert",
		"keeps a part after an error":           "TestTiny/alone/",
		"keeps a part after a panic":            "TestTiny/alone/",
		"a view sees what is written meanwhile": "TestTiny/alone/a_view_sees_one_state",
		"works when closed":                     "TestTiny/alone/after_Close",
		"works when it is over":                 "TestTiny/alone/",
		"scans when it is over":                 "TestTiny/alone/a_scan_kept",
		"ignores its context":                   "TestTiny/alone/a_context",
		"scans in one direction":                "TestTiny/alone/",
		"one too many":                          "TestTiny/alone/",
		"writes in a scan":                      "TestTiny/alone/",
		"takes any key":                         "TestTiny/alone/",
		"deletes only what is there":            "TestTiny/alone/",
		"closes once":                           "TestTiny/alone/",
		"closes at once":                        "TestTiny/alone/Close_waits",
	} {
		t.Run(defect, func(t *testing.T) {
			t.Parallel()
			self, err := os.Executable()
			require.NoError(t, err)
			test := exec.CommandContext(t.Context(), self, "-test.run="+by, "-test.timeout=100s")
			test.Env = append(os.Environ(), planted+"="+defect)
			out, err := test.CombinedOutput()
			require.Error(t, err, "the contract holds with this defect")
			if !strings.Contains(string(out), "concurrent map") { // found by the Go runtime, and then nothing goes on
				require.Regexp(t, "--- FAIL: "+by, string(out))
			}
		})
	}
}
