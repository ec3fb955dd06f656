package sim

import (
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
	length   = flag.Int("length", 0, "steps of the safety phase of TestSeed; 0: the usual ones")
	less     = flag.String("without", "", "what the world of TestSeed does without, divided by commas")
	from     = flag.Uint64("from", 1, "the first seed of a run")
	steps    = flag.Int("steps", 0, "steps of TestLong; 0 skips it")
	digests  = flag.Int("digests", 0, "seeds that TestDigests runs twice; 0: as many as `go test` has time for")
	seeds    = flag.Int("seeds", 400, "seeds of TestSeeds")
	hunting  = flag.Bool("hunt", false, "a failure is what is wanted: it is not looked into, and its seed is not kept")
	withRace = raceEnabled
)

// TestMain makes the garbage collector run less often: worlds are small and short.
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

// TestSeed runs the seed of the flag, and prints the end of its trace.
func TestSeed(t *testing.T) {
	t.Parallel()
	if *oneSeed == 0 {
		t.Skip("no -seed")
	}
	cfg := Config{Seed: *oneSeed, Steps: *length}
	if *less != "" {
		cfg.Without = strings.Split(*less, ",")
	}
	verbose := cfg
	verbose.Verbose = true
	r := Run(t, verbose)
	lines := r.Trace
	if n := len(lines) - 400; n > 0 {
		lines = lines[n:]
	}
	t.Log("\n" + strings.Join(lines, "\n"))
	t.Logf("sim: seed=%d steps=%d digest=%016x virtual=%s", r.Seed, r.Steps, r.Digest, r.Virtual)
	requireClean(t, cfg, r)
}

// TestKeptSeeds runs every seed that ever failed, until one fails again, and also with plain returns, as the world of
// most of them was when it failed.
func TestKeptSeeds(t *testing.T) {
	t.Parallel()
	for _, cfg := range keptSeeds(t, keptFile) {
		for _, less := range [][]string{nil, {plainReturns}} {
			cfg.Without = less
			if requireClean(t, cfg, Run(t, cfg)); t.Failed() {
				return
			}
		}
	}
}

// TestSeeds runs new seeds.
func TestSeeds(t *testing.T) {
	t.Parallel()
	sum := many(t, *from, func(total *Total) bool { return total.Seeds >= share(*seeds) })
	t.Log(sum)
}

// TestSharedStore runs seeds on a store as store/postgres is: it has a clock, which all instances take, and it runs
// functions first over what it remembers. The clocks of machines are up to an hour off, and yet nothing is too early or
// too late by more than an instance knows the clock of the store; and nothing comes of what was remembered wrongly.
func TestSharedStore(t *testing.T) {
	t.Parallel()
	total := &Total{begun: time.Now()}
	sideBySide(t, *from+2_000_000, func(t *testing.T, seed uint64) bool {
		if total.Done(func(total *Total) bool { return total.Seeds >= share(*seeds)/2 }) {
			return false
		}
		cfg := Config{Seed: seed, Without: []string{ownClocks, trueRuns}}
		r := Run(t, cfg)
		total.Add(r)
		requireClean(t, cfg, r)
		return true
	})
	t.Log(total)
}

// TestLong runs seeds in parallel until the steps of the flag are done.
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
	sideBySide(t, first, func(t *testing.T, seed uint64) bool {
		if total.Done(enough) {
			return false
		}
		cfg := Config{Seed: seed}
		r := Run(t, cfg)
		total.Add(r)
		requireClean(t, cfg, r)
		return true
	})
	return total
}

// sideBySide works on one seed after another, on all processors, until work returns false or has failed its test.
func sideBySide(t *testing.T, first uint64, work func(t *testing.T, seed uint64) bool) {
	t.Helper()
	var next atomic.Uint64
	next.Store(first - 1)
	var failed atomic.Bool
	t.Run("worlds", func(t *testing.T) {
		for n := range runtime.GOMAXPROCS(0) {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				defer func() { failed.Store(failed.Load() || t.Failed()) }()
				for !failed.Load() && work(t, next.Add(1)) && !t.Failed() {
				}
			})
		}
	})
}

// TestDigests runs seeds twice: every decision is the same.
func TestDigests(t *testing.T) {
	t.Parallel()
	n, length := *digests, usualSteps
	if n == 0 {
		n, length = share(200), 200
	}
	begun, first := time.Now(), *from+1_000_000
	var done, stepped atomic.Int64
	sideBySide(t, first, func(t *testing.T, seed uint64) bool {
		if seed >= first+uint64(n) {
			return false
		}
		cfg := Config{Seed: seed, Steps: length}
		one := Run(t, cfg)
		requireEqual(t, cfg, one, Run(t, cfg))
		requireClean(t, cfg, one)
		done.Add(1)
		stepped.Add(int64(one.Steps))
		return true
	})
	if !t.Failed() {
		fmt.Printf("sim: seeds_run_twice=%d with_another_digest=0 steps_of_one_pass=%d seconds=%.1f\n", done.Load(),
			stepped.Load(), time.Since(begun).Seconds())
	}
}

// requireEqual fails a test if a world differed the second time.
func requireEqual(t *testing.T, cfg Config, one, two Report) {
	t.Helper()
	if one.Digest != two.Digest || one.Steps != two.Steps {
		t.Fatalf("seed %d is not deterministic: %d steps with digest %016x, then %d with %016x\nrun it again with\n\t%s",
			cfg.Seed, one.Steps, one.Digest, two.Steps, two.Digest, replay(cfg))
	}
}
