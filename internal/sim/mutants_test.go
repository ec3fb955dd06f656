package sim

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	mutate = flag.Bool("mutants", false, "plant defects in a copy of the kernel's source and hunt them: a build for each")
	only   = flag.String("mutant", "", "plant the ones whose name contains this")
)

// mutant is a defect of the kernel's source: one text in the place of another.
type mutant struct {
	name, file, old, new string
}

// TestMutantsApply: every text that is to be replaced is there once, so that no mutant is lost when the
// kernel changes.
func TestMutantsApply(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, m := range allMutants() {
		require.False(t, names[m.name], m.name)
		names[m.name] = true
		source, err := os.ReadFile(filepath.Join("..", "..", m.file))
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(source), m.old), "%s: %s no longer says %q once", m.name, m.file, m.old)
	}
}

// TestMutants plants each of them in a copy of the module and wants the seeds to find it. There are as
// many copies as processors, and a hunt has one of each for itself: its seeds come one after another, so
// that the first that fails is the same each time.
func TestMutants(t *testing.T) {
	if !*mutate {
		t.Skip("no -mutants")
	}
	modules := make(chan string, runtime.GOMAXPROCS(0))
	for range cap(modules) {
		modules <- copied(t)
	}
	var mu sync.Mutex
	var took []int
	var missed []string
	t.Run("hunts", func(t *testing.T) {
		for _, m := range allMutants() {
			if !strings.Contains(m.name, *only) {
				continue
			}
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				module := <-modules
				defer func() { modules <- module }()
				n, found := m.hunt(t, module)
				t.Logf("sim: mutant=%s seeds=%d found=%q", m.name, n, found)
				mu.Lock()
				defer mu.Unlock()
				if n == 0 {
					missed = append(missed, m.name)
					return
				}
				took = append(took, n)
			})
		}
	})
	slices.Sort(took)
	slices.Sort(missed)
	require.NotEmpty(t, took)
	fmt.Printf("sim: mutants planted=%d found=%d median_seeds=%d worst_seeds=%d\n", len(took)+len(missed), len(took), took[len(took)/2], took[len(took)-1])
	require.Empty(t, missed)
}

// copied is a copy of the module without what a build does not need.
func copied(t *testing.T) string {
	t.Helper()
	target := t.TempDir()
	root := os.DirFS("../..")
	require.NoError(t, os.CopyFS(target, buildable{root}))
	return target
}

var violated = regexp.MustCompile(`seed (\d+): (.*)`)

// hunt builds the simulator over the mutant and runs seeds until one fails.
func (m *mutant) hunt(t *testing.T, module string) (seeds int, found string) {
	t.Helper()
	file := filepath.Join(module, m.file)
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600))
	defer func() { require.NoError(t, os.WriteFile(file, source, 0o600)) }()
	command := exec.Command("go", "test", "-trimpath", "-vet=off", "-p", "1", "./internal/sim", "-run", "TestSeeds$", "-hunt", "-from", strconv.FormatUint(*from, 10), "-seeds", "250", "-timeout", "10m")
	command.Dir, command.Env = module, append(os.Environ(), "GOMAXPROCS=1")
	out, err := command.CombinedOutput()
	if err == nil {
		return 0, ""
	}
	match := violated.FindStringSubmatch(string(out))
	if match == nil {
		if strings.Contains(string(out), "build failed") || len(out) < 200 {
			t.Errorf("%s does not build:\n%s", m.name, out)
			return 0, ""
		}
		return 1, "the simulator stops: " + strings.SplitN(string(out), "\n", 2)[0]
	}
	seed, err := strconv.ParseUint(match[1], 10, 64)
	require.NoError(t, err)
	return int(seed - *from + 1), match[2]
}
