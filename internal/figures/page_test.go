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
	bad := outcome{run: &run{title: "Other", about: "Broken."}, command: "false", err: errors.New("exit 1"), output: "boom"}
	text := render([]outcome{good, bad}, "a machine", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	for _, want := range []string{
		"on 2026-01-02: a machine.",
		"| [Planted defects](#planted-defects) | 1 planted | 3s |",
		"| defect | seeds | found |\n| --- | --- | --- |\n| lost | 1,200 | a \\| b |\n\n| mutant | found |\n| --- | --- |\n| x | y |\n",
		"| steps per kind | |\n|---|---:|\n| sale | 1,000 |\n| void | 2 |",
		"| [Other](#other) | FAILED |",
		"FAILED: exit 1\n\n```\nboom\n```",
	} {
		require.Contains(t, text, want)
	}
	require.False(t, (outcome{run: sim}).good(), "a run that tells nothing")
}
