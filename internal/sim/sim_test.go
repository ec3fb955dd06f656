package sim

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	oneSeed  = flag.Uint64("seed", 0, "the seed of TestSeed")
	from     = flag.Uint64("from", 1, "the first seed of a run")
	steps    = flag.Int("steps", 0, "steps of TestLong; 0 skips it")
	digests  = flag.Int("digests", 0, "seeds that TestDigests runs twice; 0: as many as `go test` has time for")
	seeds    = flag.Int("seeds", 60, "seeds of TestSeeds")
	withRace = raceEnabled
)

// TestMain lets the collector run less often: worlds are small and die young.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1600)
	os.Exit(m.Run())
}

// share is how much of a test's work is done under the race detector.
func share(n int) int {
	if withRace {
		return max(1, n/20)
	}
	return n
}

// replay is the command that runs a seed again.
func replay(seed uint64) string {
	return fmt.Sprintf("go test ./internal/sim -run 'TestSeed$' -seed %d -v", seed)
}

func requireClean(t *testing.T, r Report) {
	t.Helper()
	if len(r.Violations) > 0 {
		t.Errorf("seed %d: %s\nrun it again with\n\t%s", r.Seed, strings.Join(r.Violations, "\n\t"), replay(r.Seed))
	}
}

// TestSeed runs the seed of the flag, with the end of its trace.
func TestSeed(t *testing.T) {
	t.Parallel()
	if *oneSeed == 0 {
		t.Skip("no -seed")
	}
	r := Run(t, Config{Seed: *oneSeed, Verbose: true})
	lines := r.Trace
	if n := len(lines) - 400; n > 0 && len(os.Getenv("SIM_TRACE")) == 0 {
		lines = lines[n:]
	}
	t.Log("\n" + strings.Join(lines, "\n"))
	t.Logf("sim: seed=%d steps=%d digest=%016x virtual=%s", r.Seed, r.Steps, r.Digest, r.Virtual)
	requireClean(t, r)
}

// TestKeptSeeds runs every seed that ever failed.
func TestKeptSeeds(t *testing.T) {
	t.Parallel()
	for _, seed := range keptSeeds(t) {
		requireClean(t, Run(t, Config{Seed: seed}))
	}
}

func keptSeeds(t *testing.T) (seeds []uint64) {
	file, err := os.Open("testdata/seeds.txt")
	require.NoError(t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		seed, err := strconv.ParseUint(line, 10, 64)
		require.NoError(t, err)
		seeds = append(seeds, seed)
	}
	return seeds
}

// TestSeeds runs seeds that nobody has seen fail.
func TestSeeds(t *testing.T) {
	t.Parallel()
	sum := many(t, *from, func(total *Total) bool { return total.Seeds >= share(*seeds) })
	t.Log(sum)
}

// TestLong runs seeds until the steps of the flag are done, worlds side by side.
func TestLong(t *testing.T) {
	if *steps == 0 {
		t.Skip("no -steps")
	}
	sum := many(t, *from, func(total *Total) bool { return total.Steps >= *steps })
	fmt.Println(sum)
	for f := range lastFault {
		require.NotZero(t, sum.Faults[f], "no %s in all those steps", f)
	}
}

// many runs worlds on all processors until enough is done.
func many(t *testing.T, first uint64, enough func(*Total) bool) *Total {
	t.Helper()
	total := &Total{begun: time.Now()}
	var next atomic.Uint64
	next.Store(first - 1)
	t.Run("worlds", func(t *testing.T) {
		for n := range runtime.GOMAXPROCS(0) {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				for !total.Done(enough) && !t.Failed() {
					r := Run(t, Config{Seed: next.Add(1)})
					total.Add(r)
					requireClean(t, r)
				}
			})
		}
	})
	return total
}

// TestDigests runs seeds twice: every decision is the same.
func TestDigests(t *testing.T) {
	t.Parallel()
	n, length := *digests, 2000
	if n == 0 {
		n, length = share(200), 200
	}
	for i := range uint64(n) {
		one := Run(t, Config{Seed: *from + 1_000_000 + i, Steps: length})
		two := Run(t, Config{Seed: *from + 1_000_000 + i, Steps: length})
		require.Equal(t, one.Digest, two.Digest, "seed %d is not deterministic", one.Seed)
		require.Equal(t, one.Steps, two.Steps)
		requireClean(t, one)
	}
	if *digests > 0 {
		fmt.Printf("sim: digests seeds=%d twice, all equal\n", n)
	}
}
