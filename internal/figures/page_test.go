package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFigures(t *testing.T) {
	t.Parallel()
	output := strings.Join([]string{
		"=== RUN   TestLong",
		`    planted_test.go:29: sim: defect=lost seeds=1 found="S3: version 1 after 1, \"so\" a=b"`,
		"sim: seeds=15607 steps/s=188639 faults={crash:3 hang-up:1204}",
		"    the word sim: steps=9 in the middle of a line",
		"sim: nothing to tell",
	}, "\n")
	require.Equal(t, []line{
		{{"defect", "lost"}, {"seeds", "1"}, {"found", `S3: version 1 after 1, "so" a=b`}},
		{{"seeds", "15607"}, {"steps/s", "188639"}, {"faults", "crash:3 hang-up:1204"}},
	}, figures(output, "sim"))
}

func TestPage(t *testing.T) {
	t.Parallel()
	sim := &run{title: "Planted defects", about: "Each is found.", prefix: "sim", cases: []string{"defect", "mutant"}}
	good := outcome{run: sim, command: "go test", took: 3 * time.Second, lines: []line{
		{{"defect", "lost"}, {"seeds", "1200"}, {"found", "a | b"}},
		{{"mutant", "x"}, {"found", "y"}},
		{{"planted", "1"}, {"steps per kind", "sale:1000 void:2"}},
	}}
	bad := outcome{run: &run{title: "Other", about: "Broken."}, command: "false", err: errors.New("exit 1"),
		output: "boom"}
	at := place{"a machine", "abcdef0123", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}
	text := render([]entry{good.entry(at), bad.entry(at)})
	for _, want := range []string{
		"2026-01-02, commit abcdef0123, a machine: 3s.",
		"| [Planted defects](#planted-defects) | 1 planted | 3s | 2026-01-02 | abcdef0123 |",
		"| defect | seeds | found |\n| --- | --- | --- |\n| lost | 1,200 | a \\| b |\n\n| mutant | found |\n| --- | --- |\n| x | y |\n",
		"| steps per kind | |\n|---|---:|\n| sale | 1,000 |\n| void | 2 |",
		"| [Other](#other) | FAILED |",
		"FAILED: exit 1\n\n```\nboom\n```",
	} {
		require.Contains(t, text, want)
	}
	require.False(t, (outcome{run: sim}).good(), "a run that tells nothing")
}

func TestMerged(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	of := func(i int, value string) entry {
		return outcome{run: &runs[i], command: "c",
			lines: []line{{{"figure", value}, {"kinds", "a:1 b:2"}}}}.entry(place{"m", "c", day})
	}
	old := []entry{of(0, "1"), of(2, "2")}
	require.Equal(t, old, entriesOf(render(old)), "what is written reads back")
	require.Empty(t, entriesOf(""))
	require.Equal(t, []entry{of(0, "1"), of(1, "4"), of(2, "3")}, merged(old, []entry{of(2, "3"), of(1, "4")}))
	gone := entry{title: "A run that is no more"}
	require.Equal(t, old, merged(append(old, gone), nil))
}

func TestChosen(t *testing.T) {
	t.Parallel()
	for only, want := range map[string]int{"": len(runs), "Races": 1, "Races on": 1, "on PostgreSQL": 6, "nothing": 0} {
		got := 0
		for i := range runs {
			if chosen(runs[i].title, only) {
				got++
			}
		}
		require.Equal(t, want, got, only)
	}
}
