package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// outcome is the result of a run.
type outcome struct {
	*run
	command string
	took    time.Duration
	output  string
	lines   []line
	err     error
}

// parts separates the lines of one case of many, by the name they begin with, from the others.
func (o outcome) parts() (cases, totals []line) {
	for _, l := range o.lines {
		if slices.Contains(o.cases, l[0].name) {
			cases = append(cases, l)
			continue
		}
		totals = append(totals, l)
	}
	return cases, totals
}

// summary is the outcome in a few words: figures that are single words.
func (o outcome) summary() string {
	if !o.good() {
		return "FAILED"
	}
	_, totals := o.parts()
	var lines []string
	for _, l := range totals {
		var told []string
		for _, f := range l {
			if !strings.Contains(f.value, " ") {
				told = append(told, f.say())
			}
		}
		lines = append(lines, strings.Join(told, ", "))
	}
	return strings.Join(lines, "; ")
}

var number = regexp.MustCompile(`^\d+(\.\d+)?$`)

// say is a figure in words: 229 orders, on memory.
func (f figure) say() string {
	if number.MatchString(f.value) {
		return grouped(f.value) + " " + f.name
	}
	return f.name + " " + f.value
}

// entry is the page's part about one run: a row of its table and a section.
type entry struct{ title, row, section string }

// entry returns that of an outcome.
func (o outcome) entry(at place) entry {
	var section strings.Builder
	date := at.day.Format(time.DateOnly)
	fmt.Fprintf(&section, "## %s\n\n%s\n\n    %s\n\n%s, commit %s, %s: %s.\n",
		o.title, o.about, o.command, date, at.commit, at.machine, o.took)
	o.details(&section)
	link := strings.ReplaceAll(strings.ToLower(o.title), " ", "-")
	row := fmt.Sprintf("| [%s](#%s) | %s | %s | %s | %s |", o.title, link, o.summary(), o.took, date, at.commit)
	return entry{o.title, row, section.String()}
}

// render returns the page: a table of all runs, and a section for each.
func render(entries []entry) string {
	var out strings.Builder
	fmt.Fprint(&out, "# Figures\n\nMade by `go run ./internal/figures`.\n\n"+
		"| proof | figures | time | date | commit |\n|---|---|---:|---|---|\n")
	for _, e := range entries {
		fmt.Fprintln(&out, e.row)
	}
	for _, e := range entries {
		fmt.Fprint(&out, "\n", e.section)
	}
	return out.String()
}

// entriesOf splits a page.
func entriesOf(page string) (list []entry) {
	for i, section := range strings.Split("\n"+page, "\n## ") {
		title, _, _ := strings.Cut(section, "\n")
		if i == 0 {
			continue
		}
		e := entry{title: title, section: "## " + strings.TrimSuffix(section, "\n") + "\n"}
		for row := range strings.SplitSeq(page, "\n") {
			if strings.HasPrefix(row, "| ["+title+"](") {
				e.row = row
			}
		}
		list = append(list, e)
	}
	return list
}

// merged returns entries with newer ones in their place, in the order of the runs.
func merged(old, newer []entry) (list []entry) {
	for i := range runs {
		for _, from := range [][]entry{newer, old} {
			at := slices.IndexFunc(from, func(e entry) bool { return e.title == runs[i].title })
			if at >= 0 {
				list = append(list, from[at])
				break
			}
		}
	}
	return list
}

// details are the figures that are not in the summary.
func (o outcome) details(out *strings.Builder) {
	if !o.good() {
		fmt.Fprintf(out, "\nFAILED: %v\n\n```\n%s\n```\n", o.err, tail(o.output))
		return
	}
	cases, totals := o.parts()
	for _, l := range totals {
		for _, f := range l {
			if strings.Contains(f.value, " ") {
				counts(out, f)
			}
		}
	}
	before := ""
	for _, l := range cases {
		if before != l[0].name { // cases of another kind
			before = l[0].name
			fmt.Fprintln(out)
			row(out, l, func(f figure) string { return f.name })
			row(out, l, func(figure) string { return "---" })
		}
		row(out, l, func(f figure) string { return grouped(f.value) })
	}
}

// typed is a command as a person types it.
func typed(words []string) string {
	var out []string
	for _, w := range words {
		if strings.ContainsAny(w, "|$*? ") {
			w = "'" + w + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// counts is a figure of many kinds, "this:7 that:9", as a table.
func counts(out *strings.Builder, f figure) {
	fmt.Fprintf(out, "\n| %s | |\n|---|---:|\n", f.name)
	for kind := range strings.FieldsSeq(f.value) {
		name, value, _ := strings.Cut(kind, ":")
		fmt.Fprintf(out, "| %s | %s |\n", name, grouped(value))
	}
}

func row(out *strings.Builder, l line, cell func(figure) string) {
	for _, f := range l {
		fmt.Fprintf(out, "| %s ", strings.ReplaceAll(cell(f), "|", `\|`))
	}
	fmt.Fprintln(out, "|")
}

var whole = regexp.MustCompile(`^\d{4,}$`)

// grouped is a number with a comma after each thousand; other texts stay as they are.
func grouped(text string) string {
	if !whole.MatchString(text) {
		return text
	}
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func tail(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.Join(lines[max(0, len(lines)-15):], "\n")
}
