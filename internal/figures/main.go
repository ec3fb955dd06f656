// Command figures runs what proves the kernel by machine, and writes what it counted to docs/figures.md, with
// date and machine:
//
//	go run ./internal/figures          everything at full size, about an hour on two cores
//	go run ./internal/figures -quick   the sizes of go test, some minutes, printed and not written
//
// Every figure is read from a line of the run's own output, of the form "name: what=how_many ...". A run that
// fails, or says nothing of the kind, is told as such and makes the command fail. What a run printed is kept in
// a folder of the system's temporary files, which is named at the start.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const page = "docs/figures.md"

func main() {
	quick := flag.Bool("quick", false, "small sizes; prints the page and writes nothing")
	only := flag.String("only", "", "only the runs whose title contains this; writes nothing")
	flag.Parse()
	if err := makePage(*quick, *only); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// makePage runs what is asked for and prints the page; a whole one that nothing failed on is written too.
func makePage(quick bool, only string) error {
	folder, err := os.MkdirTemp("", "tollgate-figures-")
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "figures: what the runs print is kept in", folder)
	var done []outcome
	failed := 0
	for i := range runs {
		if !strings.Contains(runs[i].title, only) {
			continue
		}
		o := runs[i].start(quick, folder)
		if !o.good() {
			failed++
		}
		fmt.Fprintf(os.Stderr, "figures: %s: %s in %s\n", o.title, o.summary(), o.took)
		done = append(done, o)
	}
	text := render(done, machine(), time.Now().UTC())
	fmt.Print(text)
	if failed > 0 || len(done) == 0 {
		return fmt.Errorf("%d of %d runs failed; nothing is written", failed, len(done))
	}
	if quick || only != "" {
		return nil
	}
	return os.WriteFile(page, []byte(text), 0o644)
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

// start runs a command to its end.
func (r *run) start(quick bool, folder string) outcome {
	env, more := r.full, r.large
	if quick {
		env, more = nil, r.small
	}
	args := append(append([]string{}, r.args...), more...)
	o := outcome{run: r, command: typed(append(append([]string{}, env...), args...))}
	kept, err := os.Create(filepath.Join(folder, strings.ReplaceAll(r.title, " ", "-")+".txt"))
	if err != nil {
		o.err = err
		return o
	}
	defer kept.Close()
	var output bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout = io.MultiWriter(&output, kept)
	cmd.Stderr = cmd.Stdout
	began := time.Now()
	o.err = cmd.Run()
	o.took = time.Since(began).Round(time.Second)
	o.output = output.String()
	o.lines = figures(o.output, r.prefix)
	return o
}
