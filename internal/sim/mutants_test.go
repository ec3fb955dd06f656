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

// mutant is a defect of the kernel's source: one text replaces another.
type mutant struct {
	name, file, old, new string
}

// TestMutantsApply checks that every text to be replaced exists once, so that no mutant is lost when the kernel
// changes.
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

// TestMutants plants each of them in a copy of the module and requires the seeds to find it. There are as many
// copies as processors, and each hunt uses one alone: its seeds run one after another, so that the first that fails
// is the same each time.
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
	fmt.Printf("sim: mutants planted=%d found=%d median_seeds=%d worst_seeds=%d\n", len(took)+len(missed), len(took),
		took[len(took)/2], took[len(took)-1])
	require.Empty(t, missed)
}

// copied returns a copy of the module without what a build does not need.
func copied(t *testing.T) string {
	t.Helper()
	target := t.TempDir()
	root := os.DirFS("../..")
	require.NoError(t, os.CopyFS(target, buildable{root}))
	return target
}

var (
	violated = regexp.MustCompile(`seed (\d+): (.*)`)
	// crashed matches a panic with a frame of this module in its trace, which counts as found.
	crashed = regexp.MustCompile(`(?ms)^(panic: [^\n]*|fatal error: [^\n]*)$.*^github\.com/tollgatepay/gateway[./]`)
)

// hunt builds the simulator over the mutant and runs seeds until one fails.
func (m *mutant) hunt(t *testing.T, module string) (seeds int, found string) {
	t.Helper()
	file := filepath.Join(module, m.file)
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600))
	defer func() { require.NoError(t, os.WriteFile(file, source, 0o600)) }()
	command := exec.Command("go", "test", "-trimpath", "-vet=off", "-ldflags=-w", "-p", "1", "./internal/sim", "-run",
		"TestSeeds$", "-hunt", "-from", strconv.FormatUint(*from, 10), "-seeds", "400", "-timeout", "10m")
	command.Dir, command.Env = module, append(os.Environ(), "GOMAXPROCS=1")
	out, err := command.CombinedOutput()
	if err == nil {
		return 0, ""
	}
	match := violated.FindStringSubmatch(string(out))
	if match == nil {
		stop, ok := panicIn(string(out))
		if !ok {
			t.Errorf("%s is not hunted:\n%s", m.name, out)
			return 0, ""
		}
		return 1, "the simulator stops: " + stop
	}
	seed, err := strconv.ParseUint(match[1], 10, 64)
	require.NoError(t, err)
	return int(seed - *from + 1), match[2]
}

// panicIn finds, in output without a violation, a panic with this module in its trace. Any other failure, such as
// of the build or by a timeout, does not count.
func panicIn(out string) (what string, ok bool) {
	match := crashed.FindStringSubmatch(out)
	if match == nil || strings.HasPrefix(match[1], "panic: test timed out") {
		return "", false
	}
	return match[1], true
}

func TestPanicIn(t *testing.T) {
	t.Parallel()
	const frames = "\n\ngoroutine 7 [running]:\nruntime.gopanic()\n\t/usr/lib/go/panic.go:1\n"
	const ours = "github.com/tollgatepay/gateway.(*Gateway).claim(0xc0001)\n\trecover.go:77\nFAIL\n"
	for _, c := range []struct{ name, out, want string }{
		{"a panic of ours", "panic: runtime error: index out of range [recovered]" + frames + ours, "panic: runtime error: index out of range [recovered]"},
		{"in a package of ours", "panic: boom" + frames + "github.com/tollgatepay/gateway/callback.Finish()\n", "panic: boom"},
		{"behind output", "--- FAIL: TestSeeds\npanic: boom" + frames + ours, "panic: boom"},
		{"a fatal error", "fatal error: all goroutines are asleep - deadlock!" + frames + ours, "fatal error: all goroutines are asleep - deadlock!"},
		{"a panic of another module", "panic: boom" + frames + "golang.org/x/thing.Do()\n", ""},
		{"a time-out", "panic: test timed out after 10m0s" + frames + ours, ""},
		{"a build", "# github.com/tollgatepay/gateway\n./recover.go:77:2: undefined: x\nFAIL [build failed]\n", ""},
		{"a linker", "link: signal: killed\nFAIL github.com/tollgatepay/gateway/internal/sim [build failed]\n" + strings.Repeat("x", 300), ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			what, ok := panicIn(c.out)
			require.Equal(t, c.want, what)
			require.Equal(t, c.want != "", ok)
		})
	}
}
