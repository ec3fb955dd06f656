package gateway_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// What comments and pages may cite, and how:
//
//	errors.md                      a page of docs/protocol, else of docs, its guides or reference, else of the root
//	docs/methods.md                a page of docs
//	errors.md, "Envelopes"         a heading of it, or the first cell of a row of its tables
//	errors.md, 204007 and 204014   the same without quotes, where it is a code, a name or a number
//	reliability.md, rows 1 to 18   rows of the table that counts them
//	SPEC1, "Events"                a place of a specification, as docs/protocol/README.md lists it
//	decision bh, decisions a and l a letter of docs/decisions.md
//	CO662                          a source of docs/protocol/README.md
var (
	citedPage     = regexp.MustCompile(`\bSPEC\d+\b|\b(?:docs/(?:guides/|reference/)?)?[\w-]+\.md\b`)
	citedDecision = regexp.MustCompile(`\b[Dd]ecisions? (\(?[a-z]{1,2}\b(?:(?:, | and )[a-z]{1,2}\b)*)`)
	citedSource   = regexp.MustCompile(`\b(?:CO|CARD|APM|C2C|D)\d{2,3}\b`)
	citedOddly    = regexp.MustCompile(`"[^"]+" (?:in|of) (?:SPEC\d|(?:docs/)?\w+\.md)\b|` +
		`\b(?:SPEC\d|\w+\.md)'s "[^"]+"`)
	citedLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
)

// Words that continue a sentence after the comma of a citation, and words that are no letters of a decision.
const (
	goesOn    = "and in that which with"
	noLetters = "in is of on or to"
)

func TestDocsCited(t *testing.T) {
	t.Parallel()
	tree := os.DirFS(".")
	texts := commentsOf(ours(t))
	require.Greater(t, len(texts), 1000, "the comments were not found")
	require.Empty(t, libraryOf(t, tree).faults(append(texts, pagesOf(t, tree)...)))
}

// TestDocsDecisions requires that docs/decisions.md has one entry for each letter, in order, each with its reason.
func TestDocsDecisions(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/decisions.md")
	require.NoError(t, err)
	entries := strings.Split(string(page), "\n### ")[1:]
	for i, entry := range entries {
		letter := string(rune('a' + i%26))
		if i >= 26 {
			letter = string(rune('a'+i/26-1)) + letter
		}
		require.True(t, strings.HasPrefix(entry, fmt.Sprintf("<a id=%q></a>%s: ", letter, letter)), entry)
		require.Contains(t, entry, "\n*Why:* ", letter)
	}
	require.GreaterOrEqual(t, len(entries), 84)
}

// TestDocsCitedCanFail checks small trees, most with one citation that leads nowhere.
func TestDocsCitedCanFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, fault string }{
		{"a page", "See errors.md.", ""},
		{"a page of docs", "docs/states.md has it", ""},
		{"a page of docs by its name", "See states.md, \"Table\".", ""},
		{"a heading", `It is so (errors.md, "Order of entries").`, ""},
		{"two headings", `It is so (errors.md, "Order of entries" and "Envelopes").`, ""},
		{"a row", "errors.md, 204007 and 204014: of a MID", ""},
		{"a name", "(SPEC1, billing_address.state; decision b)", ""},
		{"several pages", `(errors.md and states.md, "Table", and SPEC1, Events)`, ""},
		{"a sentence that goes on", "errors.md, which has it, and SPEC1, and more", ""},
		{"numbered rows", "(states.md, row 2, rows 1 to 3)", ""},
		{"numbers", "(states.md, 4.4, section 4, M1 to M2, M1)", ""},
		{"decisions", "Decision a. And decisions a and ba; a decision of a person (decision b)", ""},
		{"a source", "as CO662 has it", ""},
		{"a link", "[here](errors.md#order-of-entries) and [there](docs/states.md), [out](https://example.com)", ""},

		{"no such page", "See nothing.md.", `nothing.md is no page`},
		{"no such page of docs", "See docs/errors.md.", `docs/errors.md is no page`},
		{"no such heading", `(errors.md, "Order")`, `errors.md has no "Order"`},
		{"no such second heading", `(errors.md, "Envelopes" and "Order")`, `errors.md has no "Order"`},
		{"a heading of another page", `(states.md, "Envelopes")`, `states.md has no "Envelopes"`},
		{"no such row", "(errors.md, 204008)", `errors.md has no "204008"`},
		{"no such second row", "(errors.md, 204007, 204008)", `errors.md has no "204008"`},
		{"no such name", "(SPEC1, billing_address.city)", `SPEC1 has no "billing_address.city"`},
		{"no such words", "(errors.md, somewhere else)", `errors.md has no "somewhere"`},
		{"no such numbered row", "(states.md, rows 1 to 4)", `states.md has no "row 4"`},
		{"no such section", "(states.md, section 5)", `states.md has no "5"`},
		{"no such number", "(states.md, M1 to M3)", `states.md has no "M3"`},
		{"no such specification", "as SPEC3 has it", `SPEC3 is no page`},
		{"no such letter", "(decision c)", `there is no decision c`},
		{"no such second letter", "(decisions a and bb)", `there is no decision bb`},
		{"no such source", "as CO663 has it", `CO663 is no source`},
		{"backwards", `"Envelopes" in errors.md`, `"Envelopes" in errors.md: the page comes first, then a comma`},
		{"without a comma", `SPEC1's "Limits"`, `SPEC1's "Limits": the page comes first, then a comma`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := shelf()
			tree["a.go"] = &fstest.MapFile{Data: []byte("package a\n\n// " + c.text + "\n")}
			faults := libraryOf(t, tree).faults(commentsOf(parseTree(t, tree)))
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{"a.go:3: " + c.fault}, faults)
		})
	}
}

// TestDocsLinksCanFail does the same with the links of pages.
func TestDocsLinksCanFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, fault string }{
		{"a page", "[x](../decisions.md)", ""},
		{"a place", "[x](errors.md#order-of-entries), [y](#here-it-is), [z](../decisions.md#ba)", ""},
		{"no page", "[x](nothing.md)", "docs/protocol/b.md: nothing.md leads nowhere"},
		{"no place", "[x](errors.md#order)", "docs/protocol/b.md: errors.md#order leads nowhere"},
		{"no place on it", "[x](#there)", "docs/protocol/b.md: #there leads nowhere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := shelf()
			tree["docs/protocol/b.md"] = &fstest.MapFile{Data: []byte("# Here it is\n\n" + c.text + "\n")}
			var faults []string
			for _, fault := range libraryOf(t, tree).faults(pagesOf(t, tree)) {
				if strings.Contains(fault, "leads nowhere") {
					faults = append(faults, fault)
				}
			}
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{c.fault}, faults)
		})
	}
}

// shelf is a small tree of pages.
func shelf() fstest.MapFS {
	tree := fstest.MapFS{}
	for name, text := range map[string]string{
		"docs/protocol/README.md": "### SPEC1\n\n| Place | x |\n|---|---|\n| Events | x |\n" +
			"| billing_address.state; state | x |\n\n## Sources\n\n| Key | x |\n|---|---|\n| CO662 | x |\n",
		"docs/protocol/errors.md": "# Errors\n\n## Order of entries\n\n## `Envelopes`\n\n" +
			"| Code | x |\n|---|---|\n| 204007 | x |\n| 204014 | x |\n",
		"docs/states.md": "## Table\n\n| Row | x |\n|---|---|\n| 1 | |\n| 2 | |\n| 3 | |\n\n" +
			"## 4. Four\n\n### 4.4 More\n\n| # | x |\n|---|---|\n| M1 | |\n| M2 | |\n",
		"docs/decisions.md": "### <a id=\"a\"></a>a: x\n\n### <a id=\"b\"></a>b: x\n\n### <a id=\"ba\"></a>ba: x\n",
	} {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return tree
}

// cites is a text that may cite: a comment, or a whole page.
type cites struct{ at, page, text string }

func commentsOf(sources []source) (texts []cites) {
	for _, s := range sources {
		for _, group := range s.file.Comments {
			at := fmt.Sprintf("%s:%d", s.name, s.set.Position(group.Pos()).Line)
			texts = append(texts, cites{at: at, text: oneSpace(group.Text())})
		}
	}
	return texts
}

// pagesOf reads the other texts for people: pages, and the sources of the payment page.
func pagesOf(t *testing.T, tree fs.FS) (texts []cites) {
	t.Helper()
	walk(t, tree, ".md .js .css .html", func(name, text string) {
		c := cites{at: name, text: oneSpace(text)}
		if path.Ext(name) == ".md" {
			c.page = name
		}
		texts = append(texts, c)
	})
	return texts
}

// walk visits the files of some kinds below the root, except those of the build and of tests.
func walk(t *testing.T, tree fs.FS, kinds string, found func(name, text string)) {
	t.Helper()
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		hidden := base != "." && base[0] == '.'
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (hidden || base == "testdata" || base == "node_modules"):
			return fs.SkipDir
		case entry.IsDir() || hidden || !slices.Contains(strings.Fields(kinds), path.Ext(name)):
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		found(name, string(text))
		return err
	}))
}

func oneSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// library is what can be cited.
type library struct {
	places  map[string]map[string]bool // by page, SPEC1 and SPEC2 among them
	anchors map[string]map[string]bool // valid targets of links, by page
	files   fs.FS
}

const protocolIndex = "docs/protocol/README.md"

func libraryOf(t *testing.T, tree fs.FS) library {
	t.Helper()
	l := library{places: map[string]map[string]bool{}, anchors: map[string]map[string]bool{}, files: tree}
	walk(t, tree, ".md", l.add)
	return l
}

// add reads the places of a page: its headings, and the first cells of its tables.
func (l library) add(name, text string) {
	l.places[name], l.anchors[name] = map[string]bool{}, map[string]bool{}
	page, header := name, ""
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "#"):
			heading := plain(strings.TrimLeft(line, "# "))
			l.addHeading(name, line, heading)
			page = name
			if name == protocolIndex && (strings.HasPrefix(heading, "SPEC") || heading == "Sources") {
				page = heading
				l.places[page] = map[string]bool{}
			}
		case !strings.HasPrefix(line, "| "):
		case i+1 < len(lines) && strings.HasPrefix(lines[i+1], "|--"):
			header = firstCell(line)
		default:
			l.addRow(page, header, firstCell(line))
		}
	}
}

var (
	anchorOf   = regexp.MustCompile(`<a id="([^"]+)"></a>`)
	numberOf   = regexp.MustCompile(`^(\d+(?:\.\d+)*)\.? `)
	notInSlugs = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

func (l library) addHeading(name, line, heading string) {
	l.places[name][heading] = true
	if n := numberOf.FindStringSubmatch(heading); n != nil {
		l.places[name][n[1]] = true
	}
	slug := notInSlugs.ReplaceAllString(strings.ToLower(heading), "")
	l.anchors[name][strings.ReplaceAll(slug, " ", "-")] = true
	if id := anchorOf.FindStringSubmatch(line); id != nil {
		l.anchors[name][id[1]] = true
	}
}

func (l library) addRow(page, header, cell string) {
	if header == "Row" {
		cell = "row " + cell
	}
	l.places[page][cell] = true
	for _, part := range strings.FieldsFunc(cell, func(r rune) bool { return r == ',' || r == ';' }) {
		l.places[page][strings.TrimSpace(part)] = true
	}
}

func firstCell(line string) string {
	cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
	return plain(cell)
}

// plain removes markup from a text.
func plain(text string) string {
	return strings.ReplaceAll(anchorOf.ReplaceAllString(text, ""), "`", "")
}

// pageOf finds the page that a name stands for, or "".
func (l library) pageOf(name string) string {
	for _, page := range []string{name, "docs/protocol/" + name, "docs/" + name, "docs/reference/" + name,
		"docs/guides/" + name} {
		if _, ok := l.places[page]; ok {
			return page
		}
	}
	return ""
}

func (l library) faults(texts []cites) (faults []string) {
	for _, c := range texts {
		for _, fault := range l.faultsOf(c) {
			faults = append(faults, c.at+": "+fault)
		}
	}
	return faults
}

func (l library) faultsOf(c cites) (faults []string) {
	for _, at := range citedPage.FindAllStringIndex(c.text, -1) {
		name := c.text[at[0]:at[1]]
		if page := l.pageOf(name); page == "" {
			faults = append(faults, name+" is no page")
		} else if place := l.missing(page, c.text[at[1]:]); place != "" {
			faults = append(faults, fmt.Sprintf("%s has no %q", name, place))
		}
	}
	for _, found := range citedOddly.FindAllString(c.text, -1) {
		faults = append(faults, found+": the page comes first, then a comma")
	}
	for _, found := range citedDecision.FindAllStringSubmatch(c.text, -1) {
		faults = append(faults, l.letterFaults(found[1])...)
	}
	for _, found := range citedSource.FindAllString(c.text, -1) {
		if !l.places["Sources"][found] {
			faults = append(faults, found+" is no source")
		}
	}
	return append(faults, l.linkFaults(c)...)
}

func (l library) letterFaults(letters string) (faults []string) {
	for _, letter := range regexp.MustCompile(`, | and `).Split(strings.TrimPrefix(letters, "("), -1) {
		if !l.anchors["docs/decisions.md"][letter] && !slices.Contains(strings.Fields(noLetters), letter) {
			faults = append(faults, "there is no decision "+letter)
		}
	}
	return faults
}

// linkFaults are the links of a page to missing files and headings.
func (l library) linkFaults(c cites) (faults []string) {
	if c.page == "" {
		return nil
	}
	for _, found := range citedLink.FindAllStringSubmatch(c.text, -1) {
		file, anchor, _ := strings.Cut(found[1], "#")
		to := c.page
		if file != "" {
			to = path.Join(path.Dir(c.page), file)
		}
		if strings.Contains(file, ":") {
			continue
		}
		if _, err := fs.Stat(l.files, to); err != nil || anchor != "" && !l.anchors[to][anchor] {
			faults = append(faults, found[1]+" leads nowhere")
		}
	}
	return faults
}

var (
	quotedPlace  = regexp.MustCompile(`^"([^"]+)"`)
	sectionWord  = regexp.MustCompile(`^sections? `)
	rowWord      = regexp.MustCompile(`^rows? `)
	barePlace    = regexp.MustCompile(`^[\w.\[\]/-]*\w`)
	isNamed      = regexp.MustCompile(`^[A-Z0-9]|_|\w\.\w`)
	nextPlace    = regexp.MustCompile(`^(?:, and |, | and | to )`)
	betweenRows  = regexp.MustCompile(`^\d`)
	startsAnew   = regexp.MustCompile(`^(?:SPEC\d|(?:docs/)?\w+\.md\b)`)
	endsInLetter = regexp.MustCompile(`^[\w]`)
)

// missing reads the places that a citation names after its page, and returns the first that the page does not have.
func (l library) missing(page, rest string) string {
	rest, ok := strings.CutPrefix(rest, ", ")
	row := false
	for first := true; ok; first = false {
		rest = sectionWord.ReplaceAllString(rest, "")
		if cut := rowWord.ReplaceAllString(rest, ""); cut != rest {
			rest, row = cut, true
		}
		var place string
		if place, rest = l.place(page, rest, row && betweenRows.MatchString(rest), first); place != "" {
			return place
		}
		sep := nextPlace.FindString(rest)
		rest, ok = rest[len(sep):], sep != ""
	}
	return ""
}

// place reads one place and returns the text after it, or the place if the page does not have it. After the first
// place a sentence may continue.
func (l library) place(page, rest string, row, first bool) (missing, left string) {
	if q := quotedPlace.FindStringSubmatch(rest); q != nil {
		if !l.places[page][plain(q[1])] {
			return q[1], ""
		}
		return "", rest[len(q[0]):]
	}
	prefix := ""
	if row {
		prefix = "row "
	}
	if known := l.longest(page, prefix, rest); known != "" {
		return "", rest[len(known):]
	}
	word := barePlace.FindString(rest)
	switch {
	case word == "", startsAnew.MatchString(rest), slices.Contains(strings.Fields(goesOn), word):
		return "", ""
	case first, isNamed.MatchString(word):
		return prefix + word, ""
	}
	return "", ""
}

// longest is the longest place of a page at the beginning of a text.
func (l library) longest(page, prefix, text string) (known string) {
	for place := range l.places[page] {
		place, ok := strings.CutPrefix(place, prefix)
		whole := ok && strings.HasPrefix(text, place) && !endsInLetter.MatchString(text[len(place):])
		if whole && len(place) > len(known) {
			known = place
		}
	}
	return known
}
