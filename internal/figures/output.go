package main

import (
	"regexp"
	"strconv"
	"strings"
)

// line is one line of figures, in their order.
type line []figure

type figure struct{ name, value string }

func (o outcome) good() bool { return o.err == nil && len(o.lines) > 0 }

// word is one figure of a line: a name, and a value that is a word, a quoted text, or words in braces.
var word = regexp.MustCompile(`([^\s=]+)=("(?:[^"\\]|\\.)*"|\{[^}]*\}|\S+)`)

// figures returns the lines of an output that begin with a prefix, which go test may have indented and labelled.
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
