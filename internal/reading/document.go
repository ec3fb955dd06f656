package main

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// document is one page.
type document struct {
	source, out string // in the repository, and in the folder of pages
	shelf       string
	title       string
	headings    []heading
	sections    []section
	body        template.HTML
}

type heading struct {
	Level    int
	ID, Text string
}

// section is what the search finds: the text below a heading.
type section struct {
	heading
	words strings.Builder
}

// repository is where a link leads that names a file without a page.
const repository = "https://github.com/tollgatepay/gateway/blob/main/"

// readDocument renders a document of the repository.
func readDocument(tree fs.FS, source, shelf string) (*document, error) {
	code, err := fs.ReadFile(tree, source)
	if err != nil {
		return nil, err
	}
	d := &document{source: source, out: place(source), shelf: shelf}
	markdown := goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(html.WithUnsafe()))
	root := markdown.Parser().Parse(text.NewReader(code), parser.WithContext(parser.NewContext(parser.WithIDs(&slugs{}))))
	if err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			return ast.WalkContinue, d.visit(tree, n, code)
		}
		return ast.WalkContinue, nil
	}); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, code, root); err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	body := diagram.ReplaceAllString(out.String(), "<details><summary>The diagram as text</summary>$0</details>")
	body = strings.NewReplacer("<table>", `<div class="wide" tabindex="0"><table>`, "</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`).Replace(body)
	body = long.ReplaceAllString(cut(cut(body, dotted, "."), second, "_"), `<code class="long">$1</code>`)
	d.body = template.HTML(body) // made from our own documents
	return d, nil
}

// Names in tables that may go on in another line: behind a dot at the beginning of a row, behind a low line in the
// second column. What is too long for any line is broken anywhere.
var (
	long   = regexp.MustCompile(`<code>([^<]*[^<\s]{25}[^<]*)</code>`)
	dotted = regexp.MustCompile(`<tr>\n<td[^>]*><code>\w+(?:\[?\]?\.\w+)+`)
	second = regexp.MustCompile(`<tr>\n<td[^>]*>\w+</td>\n<td[^>]*><code>\w+`)
)

// cut lets the browser break the names that an expression finds, behind a mark.
func cut(body string, names *regexp.Regexp, mark string) string {
	return names.ReplaceAllStringFunc(body, func(found string) string {
		head, name, _ := strings.Cut(found, "<code>")
		return head + "<code><span>" + strings.ReplaceAll(name, mark, mark+"</span><wbr><span>") + "</span>"
	})
}

// diagram finds the diagrams, which the repository's page draws; the table beside each says the same.
var diagram = regexp.MustCompile(`(?s)<pre><code class="language-mermaid">.*?</pre>`)

// visit collects headings and words, and turns links to documents into links to pages.
func (d *document) visit(tree fs.FS, n ast.Node, code []byte) (err error) {
	switch n := n.(type) {
	case *ast.Heading:
		id, _ := n.AttributeString("id")
		slug, _ := id.([]byte)
		h := heading{Level: n.Level, ID: string(slug), Text: plain(n, code)}
		if n.Level == 1 && d.title == "" {
			d.title = h.Text
		} else {
			d.headings = append(d.headings, h)
		}
		d.sections = append(d.sections, section{heading: h})
	case *ast.Link:
		n.Destination, err = d.moved(tree, n.Destination)
	case *ast.Image:
		n.Destination, err = d.moved(tree, n.Destination)
	case *ast.Text:
		if _, ok := n.Parent().(*ast.Heading); !ok {
			d.say(n.Segment.Value(code))
		}
	case *ast.Paragraph, *ast.TextBlock, *extast.TableHeader, *extast.TableRow:
		d.say([]byte("\n"))
	case *extast.TableCell:
		if n.PreviousSibling() != nil {
			d.say([]byte("·"))
		}
		n.SetAttributeString("data-label", []byte(column(n, code)))
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		d.say(append([]byte("\n"), n.Lines().Value(code)...))
	}
	return err
}

// column is the head of a cell's column: narrow screens show it beside the cell.
func column(cell *extast.TableCell, code []byte) string {
	at := cell.Parent().Parent().FirstChild().FirstChild()
	for before := cell.PreviousSibling(); before != nil && at != nil; before = before.PreviousSibling() {
		at = at.NextSibling()
	}
	if at == nil {
		return ""
	}
	return plain(at, code)
}

// say adds words to the section that is read.
func (d *document) say(words []byte) {
	if last := len(d.sections) - 1; last >= 0 {
		d.sections[last].words.Write(words)
		d.sections[last].words.WriteByte(' ')
	}
}

func plain(n ast.Node, code []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(t.Segment.Value(code))
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// moved is where a link of the document leads among the pages.
func (d *document) moved(tree fs.FS, link []byte) ([]byte, error) {
	target, fragment, _ := strings.Cut(string(link), "#")
	if target == "" || strings.Contains(target, ":") {
		return link, nil
	}
	name := path.Join(path.Dir(d.source), target)
	entry, err := fs.Stat(tree, name)
	if err != nil {
		return nil, fmt.Errorf("a link leads nowhere: %s", link)
	}
	to, kept := attachments[name]
	switch {
	case kept:
	case path.Ext(name) == ".md" && !entry.IsDir():
		to = place(name)
	default:
		return []byte(repository + name), nil
	}
	to = strings.Repeat("../", strings.Count(d.out, "/")) + to
	if fragment != "" {
		to += "#" + fragment
	}
	return []byte(to), nil
}

// slugs names headings as the repository's page does.
type slugs struct{ taken map[string]int }

func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	if s.taken == nil {
		s.taken = map[string]int{}
	}
	slug := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
			return r
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(string(util.UnescapePunctuations(value)))))
	n := s.taken[slug]
	s.taken[slug]++
	if n > 0 {
		slug = fmt.Sprintf("%s-%d", slug, n)
	}
	return []byte(slug)
}

func (s *slugs) Put([]byte) {}
