// Command figures runs what proves the kernel by machine, and writes its counts to docs/figures.md, with date,
// machine and commit:
//
//	go run ./internal/figures          everything at full size, some two hours on two cores
//	go run ./internal/figures -quick   the sizes of go test, some minutes, printed and not written
//	go run ./internal/figures -only Races
//	                                   the run of that title, or else those whose titles contain that; the rest of the
//	                                   page stays
//
// Every figure is read from a line of the run's own output, of the form "name: what=how_many ...". A run that
// fails, or prints no such line, is reported and makes the command fail. The output of the runs is kept in a
// folder of the system's temporary files, which is named at the start.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

const page = "docs/figures.md"

func main() {
	quick := flag.Bool("quick", false, "small sizes; prints the page and writes nothing")
	only := flag.String("only", "",
		"only the run of this title, or else those whose titles contain it; the rest of the page stays")
	flag.Parse()
	if err := makePage(*quick, *only); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// makePage runs what is requested and prints the page. Runs without a failure replace those in the stored page.
func makePage(quick bool, only string) error {
	folder, err := os.MkdirTemp("", "tollgate-figures-")
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "figures: what the runs print is kept in", folder)
	at := place{machine(), commit(), time.Now().UTC()}
	var all, good []entry
	for i := range runs {
		if !chosen(runs[i].title, only) || quick && runs[i].long {
			continue
		}
		o := runs[i].start(quick, folder)
		fmt.Fprintf(os.Stderr, "figures: %s: %s in %s\n", o.title, o.summary(), o.took)
		e := o.entry(at)
		if all = append(all, e); o.good() {
			good = append(good, e)
		}
	}
	fmt.Print(render(all))
	if !quick && len(good) > 0 {
		err = keep(good)
	}
	if failed := len(all) - len(good); failed > 0 || len(all) == 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d runs failed", failed, len(all)))
	}
	return err
}

// chosen reports whether a title is asked for. A whole title asks for itself alone.
func chosen(title, only string) bool {
	if slices.ContainsFunc(runs, func(r run) bool { return r.title == only }) {
		return title == only
	}
	return strings.Contains(title, only)
}

// keep writes entries into the stored page.
func keep(entries []entry) error {
	text, err := os.ReadFile(page)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(page, []byte(render(merged(entriesOf(string(text)), entries))), 0o644)
}

// place is where and when figures were obtained.
type place struct {
	machine, commit string
	day             time.Time
}

// commit is the commit of the tree, with a mark if the tree differs from it.
func commit() string {
	head, err := exec.Command("git", "rev-parse", "--short=10", "HEAD").Output()
	if err != nil {
		return "no commit"
	}
	name := strings.TrimSpace(string(head))
	if changed, err := exec.Command("git", "status", "--porcelain", "--", ".",
		":!"+page).Output(); err != nil || len(changed) > 0 {
		name += " with changes"
	}
	return name
}

// machine describes the machine of the figures.
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
