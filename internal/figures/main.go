// Command figures runs what proves the kernel by machine, and writes what it counted to docs/figures.md, with
// date and machine:
//
//	go run ./internal/figures          everything at full size, about an hour on two cores
//	go run ./internal/figures -quick   the sizes of go test, some minutes, printed and not written
//
// Every figure is read from a line of the run's own output, of the form "name: what=how many ...". A run that
// fails, or says nothing of the kind, is told as such and makes the command fail.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

const page = "docs/figures.md"

func main() {
	quick := flag.Bool("quick", false, "small sizes; prints the page and writes nothing")
	only := flag.String("only", "", "only the runs whose title contains this; writes nothing")
	flag.Parse()
	var out strings.Builder
	fmt.Fprintf(&out, "# Figures\n\nMade by `go run ./internal/figures` on %s: %s.\n", time.Now().UTC().Format(time.DateOnly), machine())
	failed := false
	for _, r := range runs {
		if !strings.Contains(r.title, *only) {
			continue
		}
		section, ok := r.section(*quick)
		failed = failed || !ok
		fmt.Fprint(os.Stderr, section)
		out.WriteString(section)
	}
	fmt.Print(out.String())
	if !*quick && *only == "" && !failed {
		if err := os.WriteFile(page, []byte(out.String()), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if failed {
		os.Exit(1)
	}
}

// machine is what the figures were obtained on.
func machine() string {
	return fmt.Sprintf("%s, %d cores, %s/%s, %s", cpu(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

func cpu() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.SplitSeq(string(info), "\n") {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				return strings.TrimSpace(strings.TrimLeft(name, "\t :"))
			}
		}
	}
	return "unknown processor"
}

// section is the part of the page about one run.
func (r *run) section(quick bool) (text string, ok bool) {
	began := time.Now()
	output, err := r.start(quick)
	took := time.Since(began).Round(time.Second)
	lines := r.lines(output)
	var out strings.Builder
	fmt.Fprintf(&out, "\n## %s\n\n    %s\n\n%s\n\n| | |\n|---|---|\n", r.title, r.command(quick), r.about)
	for _, pair := range pairs(lines) {
		fmt.Fprintf(&out, "| %s | %s |\n", pair[0], pair[1])
	}
	fmt.Fprintf(&out, "| time | %s |\n", took)
	if err != nil || len(lines) == 0 {
		fmt.Fprintf(&out, "\nFAILED: %v\n\n```\n%s\n```\n", err, tail(output))
		return out.String(), false
	}
	return out.String(), true
}

func (r *run) start(quick bool) ([]byte, error) {
	env, more := r.full, r.large
	if quick {
		env, more = nil, r.small
	}
	args := append(append([]string{}, r.args...), more...)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	return output.Bytes(), err
}

// command is the run as somebody types it.
func (r *run) command(quick bool) string {
	words := append([]string{}, r.full...)
	more := r.large
	if quick {
		words, more = nil, r.small
	}
	return strings.Join(append(append(words, r.args...), more...), " ")
}

// lines are those of the output that tell figures.
func (r *run) lines(output []byte) (list []string) {
	for line := range strings.SplitSeq(string(output), "\n") {
		if at := strings.Index(line, r.prefix+": "); at >= 0 && strings.Contains(line[at:], "=") {
			list = append(list, line[at+len(r.prefix)+2:])
		}
	}
	return list
}

// pairs takes lines of "what=how many" apart; words without a value belong to the one before.
func pairs(lines []string) (list [][2]string) {
	for _, line := range lines {
		for _, word := range strings.Fields(line) {
			name, value, ok := strings.Cut(word, "=")
			switch {
			case ok:
				list = append(list, [2]string{strings.ReplaceAll(name, "_", " "), value})
			case len(list) > 0:
				list[len(list)-1][1] += " " + word
			}
		}
	}
	return list
}

func tail(output []byte) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}
