package sim

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// elsewhere is a defect of the source that another test has to find, not the simulator.
type elsewhere struct {
	mutant
	pkg, run string // the folder of that test, and its name
}

// TestElsewhereApply checks that every text to be replaced exists once, and that every named test exists.
func TestElsewhereApply(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, m := range allMutants() {
		names[m.name] = true
	}
	for _, e := range foundElsewhere {
		require.False(t, names[e.name], e.name)
		names[e.name] = true
		source, err := os.ReadFile(filepath.Join("..", "..", e.file))
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(source), e.old), "%s: %s no longer says %q once", e.name, e.file, e.old)
		require.NotEqual(t, e.old, e.new, e.name)
		require.True(t, e.exists(t), "%s: no %s in %s", e.name, e.run, e.pkg)
	}
}

// exists reports whether the folder has the test.
func (e *elsewhere) exists(t *testing.T) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", e.pkg, "*_test.go"))
	require.NoError(t, err)
	return slices.ContainsFunc(files, func(file string) bool {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		return strings.Contains(string(source), "\nfunc "+e.run+"(")
	})
}

// TestElsewhere plants each defect in a copy of the module and requires the named test to fail.
func TestElsewhere(t *testing.T) {
	if !*mutate {
		t.Skip("no -mutants")
	}
	modules := make(chan string, runtime.GOMAXPROCS(0))
	for range cap(modules) {
		modules <- copied(t)
	}
	var planted, found atomic.Int32
	t.Run("defects", func(t *testing.T) {
		for _, e := range foundElsewhere {
			if !strings.Contains(e.name, *only) {
				continue
			}
			t.Run(e.name, func(t *testing.T) {
				t.Parallel()
				module := <-modules
				defer func() { modules <- module }()
				planted.Add(1)
				out := e.judged(t, module)
				failed := strings.Contains(out, "--- FAIL: "+e.run)
				fmt.Printf("sim: elsewhere=%s test=%q found=%t\n", e.name, e.pkg+" "+e.run, failed)
				if !failed {
					t.Errorf("%s is not found:\n%s", e.name, out)
					return
				}
				found.Add(1)
			})
		}
	})
	require.Positive(t, planted.Load())
	fmt.Printf("sim: defects_found_by_tests=%d of=%d\n", found.Load(), planted.Load())
}

// judged returns the test's output for the module with the defect; a test that panics or never ends does not count
// as a failure.
func (e *elsewhere) judged(t *testing.T, module string) string {
	t.Helper()
	file := filepath.Join(module, e.file)
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(source), e.old, e.new, 1)), 0o600))
	defer func() { require.NoError(t, os.WriteFile(file, source, 0o600)) }()
	command := exec.Command("go", "test", "-trimpath", "-vet=off", "-ldflags=-w", "-p", "1", "./"+e.pkg, "-run",
		"^"+e.run+"$", "-timeout", "5m")
	command.Dir, command.Env = module, append(os.Environ(), "GOMAXPROCS=1")
	out, err := command.CombinedOutput()
	if err != nil && len(out) == 0 {
		return err.Error()
	}
	return string(out)
}
