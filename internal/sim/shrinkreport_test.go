package sim

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The report of a failing seed: a command to run it again, its trace, a smaller world that fails the same way, and
// a line in the file of seeds that every run replays.

const (
	keptFile   = "testdata/seeds.txt"
	shrinkRuns = 60
	usualSteps = 2000 // of a world whose Config names none
)

// replay is the command that runs a world again.
func replay(cfg Config) string {
	command := fmt.Sprintf("go test ./internal/sim -run 'TestSeed$' -seed %d -v", cfg.Seed)
	if cfg.Steps != 0 && cfg.Steps != usualSteps {
		command += fmt.Sprintf(" -length %d", cfg.Steps)
	}
	if len(cfg.Without) > 0 {
		command += " -without " + strings.Join(cfg.Without, ",")
	}
	return command
}

// requireClean fails a test over a world with violations, and examines it, unless a planted defect is being hunted.
func requireClean(t *testing.T, cfg Config, r Report) {
	t.Helper()
	if len(r.Violations) == 0 {
		return
	}
	t.Errorf("seed %d: %s\nrun it again with\n\t%s", r.Seed, strings.Join(r.Violations, "\n\t"), replay(cfg))
	if !*hunting {
		text, _ := examine(t, cfg, r, os.TempDir(), keptFile)
		t.Log(text)
	}
}

// examine writes the trace of a failed world to a file in a directory, shrinks the world, and adds its seed to a
// file of seeds.
func examine(t *testing.T, cfg Config, r Report, dir, kept string) (text string, small Config) {
	t.Helper()
	verbose := cfg
	verbose.Verbose = true
	again := Run(t, verbose)
	path := filepath.Join(dir, fmt.Sprintf("sim-seed-%d.trace", cfg.Seed))
	text = "its trace is in " + path
	if err := os.WriteFile(path, []byte(strings.Join(again.Trace, "\n")+"\n"), 0o600); err != nil {
		text = "its trace is lost: " + err.Error()
	}
	if again.Digest != r.Digest {
		return text + "\nit is another each time it runs, and is not shrunk", cfg
	}
	if len(cfg.Without) > 0 {
		return text, cfg
	}
	small = shrink(t, cfg, kindOf(r.Violations[0]))
	text += fmt.Sprintf("\nit fails likewise with no more than {%s} of what it drew:\n\t%s", left(small), replay(small))
	if err := keep(kept, small, r.Violations[0]); err != nil {
		return text + "\nits seed is not kept: " + err.Error(), small
	}
	return text + "\nits seed is kept in " + kept, small
}

// shrink returns a world of fewer things that still shows a violation of a kind.
func shrink(t *testing.T, cfg Config, kind string) Config {
	t.Helper()
	whole := cfg
	cfg.Without = reduce(drawn(cfg.Seed), shrinkRuns, func(without []string) bool {
		less := whole
		less.Without = without
		return Run(t, less).shows(kind)
	})
	return cfg
}

// left lists what a world drew and still has.
func left(cfg Config) string {
	return strings.Join(slices.DeleteFunc(drawn(cfg.Seed), func(name string) bool {
		return slices.Contains(cfg.Without, name)
	}), " ")
}

// keep appends a seed to a file of seeds, unless it is there, with its violation and what its smallest world needs.
func keep(path string, small Config, violation string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	known, err := parseSeeds(file)
	if err != nil {
		return err
	}
	for _, cfg := range known {
		if cfg.Seed == small.Seed && cfg.Steps == small.Steps {
			return nil
		}
	}
	line := strconv.FormatUint(small.Seed, 10)
	if small.Steps != 0 {
		line += " " + strconv.Itoa(small.Steps)
	}
	violation, _, _ = strings.Cut(violation, "\n")
	_, err = fmt.Fprintf(file, "%s # %.160s; needs {%s}\n", line, violation, left(small))
	return err
}

// parseSeeds reads a file of seeds: one per line, with the steps of its world if they are not the usual ones, and a
// comment.
func parseSeeds(file io.Reader) (list []Config, err error) {
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		var cfg Config
		if cfg.Seed, err = strconv.ParseUint(fields[0], 10, 64); err != nil {
			return nil, err
		}
		if len(fields) > 1 {
			if cfg.Steps, err = strconv.Atoi(fields[1]); err != nil {
				return nil, err
			}
		}
		list = append(list, cfg)
	}
	return list, lines.Err()
}

func keptSeeds(t *testing.T, path string) []Config {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	list, err := parseSeeds(file)
	require.NoError(t, err)
	return list
}
