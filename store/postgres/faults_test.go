package postgres_test

import (
	"cmp"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFaults plays every scenario of internal/faults on this store, and makes one call of the store fail in each play,
// in every way that a call can fail: after that another gateway continues, loses nothing and does nothing twice. By
// itself it plays every third scenario and has every third call fail in the plain way. To play all, and let every call
// fail in every way:
//
//	TOLLGATE_FAULTS=all go test -run TestFaults -timeout 120m -v .
func TestFaults(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the tests of another package")
	}
	env := []string{"TOLLGATE_FAULTS_URL=" + shared.URL(), "TOLLGATE_FAULT_PORTS=" +
		cmp.Or(os.Getenv("TOLLGATE_FAULT_PORTS"), "store view record")}
	if os.Getenv("TOLLGATE_FAULTS") == "" {
		env = append(env, "TOLLGATE_FAULT_STRIDE=3", "TOLLGATE_FAULT_SCENARIOS="+strconv.Itoa(min(3*share(), 6)))
	}
	out := overlaid(t, "internal/faults/records_test.go", "faults/records_test.go", env, "-parallel=4",
		"-run=^TestEveryFault$")
	told := regexp.MustCompile(`faults: scenarios=\d+ ports=[1-3] kinds=\d+ plays=\d+ fired=[1-9]\d*`)
	require.Regexp(t, told, out)
	t.Logf("%s", told.FindString(out))
}
