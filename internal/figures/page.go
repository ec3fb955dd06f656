package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// outcome is what came of a run.
type outcome struct {
	*run
	command string
	took    time.Duration
	output  string
	lines   []line
	err     error
}

// line is one line of figures, in the order they were told.
type line []figure

type figure struct{ name, value string }

func (o outcome) good() bool { return o.err == nil && len(o.lines) > 0 }

// word is one figure of a line: a name, and a value that is a word, a quoted text, or words in braces.
var word = regexp.MustCompile(`([^\s=]+)=("(?:[^"\\]|\\.)*"|\{[^}]*\}|\S+)`)

// figures are the lines of an output that begin with a prefix, which go test may have indented and labelled.
func figures(output, prefix string) (lines []line) {
	start := regexp.MustCompile(`^(?:\s+[\w.]+:\d+: )?` + regexp.QuoteMeta(prefix) + `: (.*)$`)
	for text := range strings.SplitSeq(output, "\n") {
		match := start.FindStringSubmatch(text)
		if match == nil {
			continue
		}
		var l line
		for _, found := range word.FindAllStringSubmatch(match[1], -1) {
			l = append(l, figure{strings.ReplaceAll(found[1], "_", " "), plain(found[2])})
		}
		if len(l) > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// plain is a value without its quotes or braces.
func plain(value string) string {
	if text, err := strconv.Unquote(value); err == nil {
		return text
	}
	return strings.Trim(value, "{}")
}

// parts separates the lines that tell one case of many, by the name they begin with, from the others.
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

// summary is the outcome in a few words: of figures that are single words.
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

// say is a figure as one says it: 229 orders, on memory.
func (f figure) say() string {
	if number.MatchString(f.value) {
		return grouped(f.value) + " " + f.name
	}
	return f.name + " " + f.value
}

// render is the page: a table of all runs, and a section for each.
func render(done []outcome, machine string, day time.Time) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Figures\n\nMade by `go run ./internal/figures` on %s: %s.\n", day.Format(time.DateOnly), machine)
	fmt.Fprint(&out, "\n| proof | figures | time |\n|---|---|---:|\n")
	for _, o := range done {
		fmt.Fprintf(&out, "| [%s](#%s) | %s | %s |\n", o.title, strings.ReplaceAll(strings.ToLower(o.title), " ", "-"), o.summary(), o.took)
	}
	for _, o := range done {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n\n    %s\n", o.title, o.about, o.command)
		o.details(&out)
	}
	return out.String()
}

// details are the figures that a summary has no place for.
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

// typed is a command as somebody types it.
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
