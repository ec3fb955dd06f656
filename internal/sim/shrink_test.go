package sim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReduce(t *testing.T) {
	t.Parallel()
	things := strings.Split("abcdefghijklmnop", "")
	for _, test := range []struct {
		name, needs string
		runs        int
		left        string
		asked       int
	}{
		{"nothing is needed", "", 60, "", 1},
		{"one", "k", 60, "k", 9},
		{"two", "bo", 60, "bo", 15},
		{"everything", "abcdefghijklmnop", 60, "abcdefghijklmnop", 31},
		{"no more than it may ask", "bo", 5, "bcdefghijklmnop", 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			without := reduce(things, test.runs, func(without []string) bool {
				asked++
				return !slices.ContainsFunc(without, func(thing string) bool { return strings.Contains(test.needs, thing) })
			})
			left := slices.DeleteFunc(slices.Clone(things), func(thing string) bool { return slices.Contains(without, thing) })
			require.Equal(t, test.left, strings.Join(left, ""))
			require.Equal(t, test.asked, asked)
		})
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	require.Equal(t, "M2", kindOf("M2: payment 00000012-5eed: 3 refunded"))
	require.Equal(t, "S10", kindOf("S10: payment 7 of no chain"))
	require.Equal(t, "the world stands still", kindOf("the world stands still"))
	require.Equal(t, "payment is another one", kindOf("payment 00000012-5eed is another one"))
	require.Equal(t, kindOf("payment 1: transaction 2 is not stored"), kindOf("payment 3: transaction 4 is not stored"))
}

// TestCuts checks that names are unique, and that each cut changes something in some world.
func TestCuts(t *testing.T) {
	t.Parallel()
	missing := map[string]bool{}
	for _, c := range cuts() {
		require.False(t, missing[c.name], c.name)
		missing[c.name] = true
	}
	for seed := range uint64(200) {
		for _, name := range drawn(seed) {
			delete(missing, name)
		}
	}
	require.Empty(t, missing)
	require.PanicsWithValue(t, "sim: no world has elephants", func() { new(swarm).without([]string{"elephants"}) })
}

// TestWithoutAnything checks that a world without all of its faults has none.
func TestWithoutAnything(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := Run(t, Config{Seed: seed, Without: drawn(seed), Steps: 300})
		require.Empty(t, r.Violations)
		require.Zero(t, r.Faults)
		r.Actions[actSale] = 0
		require.Zero(t, r.Actions)
	}
}

// TestShrink shrinks a world with a defect in the ports: the smaller one fails the same way with fewer faults and
// actions. The stored seed still fails when it is read again.
func TestShrink(t *testing.T) {
	t.Parallel()
	cfg := Config{Defect: unknownDeclines, Steps: 1000}
	var whole Report
	large := func() bool { // several things lead to the violation, and there is much to leave out
		return len(whole.Violations) > 0 && kindOf(whole.Violations[0]) == "S5" && kinds(whole.Actions[:]) > 8
	}
	for seed := uint64(5_000_001); !large(); seed++ {
		cfg.Seed = seed
		whole = Run(t, cfg)
	}
	kind := kindOf(whole.Violations[0])
	dir := t.TempDir()
	kept := filepath.Join(dir, "seeds.txt")
	require.NoError(t, os.WriteFile(kept, []byte("# Seeds.\n3\n"), 0o600))

	text, small := examine(t, cfg, whole, dir, kept)
	t.Logf("%s\n%s", whole.Violations[0], text)
	trace, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("sim-seed-%d.trace", cfg.Seed)))
	require.NoError(t, err)
	require.Contains(t, string(trace), "VIOLATION: "+whole.Violations[0])
	require.Contains(t, text, fmt.Sprintf("-seed %d -v -length 1000 -without ", cfg.Seed))

	r := Run(t, small)
	require.True(t, r.shows(kind), "%s: %s", kind, r.Violations)
	require.LessOrEqual(t, kinds(r.Faults[:]), kinds(whole.Faults[:]))
	require.Less(t, kinds(r.Actions[:]), kinds(whole.Actions[:]))

	require.NoError(t, keep(kept, small, whole.Violations[0])) // it is already there
	list := keptSeeds(t, kept)
	require.Equal(t, []Config{{Seed: 3}, {Seed: cfg.Seed, Steps: 1000}}, list)
	list[1].Defect = cfg.Defect
	require.Equal(t, whole.Digest, Run(t, list[1]).Digest)
}

// kinds counts what happened at all.
func kinds(counts []int) (n int) {
	for _, count := range counts {
		n += min(count, 1)
	}
	return n
}

func TestParseSeeds(t *testing.T) {
	t.Parallel()
	list, err := parseSeeds(strings.NewReader("# all\n\n7 # S7: a text; needs {crash}\n 8 200\n"))
	require.NoError(t, err)
	require.Equal(t, []Config{{Seed: 7}, {Seed: 8, Steps: 200}}, list)
	for _, wrong := range []string{"seven", "7 many", "-1"} {
		_, err := parseSeeds(strings.NewReader(wrong))
		require.Error(t, err, wrong)
	}
}
