package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed assets/reading.css
var style string

//go:embed assets/reading.js
var script []byte

//go:embed assets/page.html
var layout string

// paymentPage has the colours, as properties of :root for light and dark.
const paymentPage = "checkout/page/internal/static/assets/page.css"

// site is all pages, and the files beside them.
type site struct {
	documents []*document
	files     map[string][]byte
}

// read reads the documents of the repository.
func read(tree fs.FS) (*site, error) {
	s := &site{files: map[string][]byte{"reading.js": script}}
	for _, shelf := range shelves {
		for _, source := range shelf.pages {
			d, err := readDocument(tree, source, shelf.name)
			if err != nil {
				return nil, err
			}
			s.documents = append(s.documents, d)
		}
	}
	for name, to := range attachments {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		s.files[to] = text
	}
	colours, err := coloursOf(tree)
	if err != nil {
		return nil, err
	}
	s.files["reading.css"] = []byte(colours + style)
	return s, errors.Join(unplaced(tree), s.render(), s.index())
}

// root finds the properties of :root, also where dark mode replaces them.
var root = regexp.MustCompile(`(?m)^:root \{[^}]*\}|^@media \(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}\s*\}`)

func coloursOf(tree fs.FS) (string, error) {
	text, err := fs.ReadFile(tree, paymentPage)
	if err != nil {
		return "", err
	}
	found := root.FindAllString(string(text), -1)
	if len(found) != 2 {
		return "", fmt.Errorf("%s has %d sets of colours, not one for light and one for dark", paymentPage, len(found))
	}
	return strings.Join(found, "\n") + "\n", nil
}

// view is what the layout shows.
type view struct {
	Title    string
	Up       string // from the page to the folder
	Body     template.HTML
	Shelves  []shelfView
	Headings []heading
}

type shelfView struct {
	Name  string
	Pages []pageView
}

type pageView struct {
	Title, URL string
	Here       bool
}

func (s *site) render() error {
	page, err := template.New("page").Parse(layout)
	if err != nil {
		return err
	}
	for _, d := range s.documents {
		v := view{Title: d.title, Up: strings.Repeat("../", strings.Count(d.out, "/")), Body: d.body}
		for _, h := range d.headings {
			if h.Level == 2 {
				v.Headings = append(v.Headings, h)
			}
		}
		for _, other := range s.documents {
			if n := len(v.Shelves); n == 0 || v.Shelves[n-1].Name != other.shelf {
				v.Shelves = append(v.Shelves, shelfView{Name: other.shelf})
			}
			at := &v.Shelves[len(v.Shelves)-1]
			at.Pages = append(at.Pages, pageView{Title: other.title, URL: v.Up + other.out, Here: other == d})
		}
		var out bytes.Buffer
		if err := page.Execute(&out, v); err != nil {
			return err
		}
		s.files[d.out] = out.Bytes()
	}
	return nil
}

// found is a section as the search has it.
type found struct {
	URL, Shelf, Page, Heading, Text string
}

// index writes the sections as a script, which a page can load from a folder too.
func (s *site) index() error {
	var list []found
	for _, d := range s.documents {
		for i := range d.sections {
			section := &d.sections[i]
			f := found{URL: d.out, Shelf: d.shelf, Page: d.title, Text: lines(section.words.String())}
			if section.Level > 1 {
				f.URL, f.Heading = d.out+"#"+section.ID, section.Text
			}
			list = append(list, f)
		}
	}
	text, err := json.Marshal(list)
	s.files["index.js"] = []byte("globalThis.tollgateIndex = " + string(text) + ";\n")
	return err
}

// lines leaves one line of each paragraph, row and line of code.
func lines(text string) string {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			list = append(list, line)
		}
	}
	return strings.Join(list, "\n")
}

// write writes the pages into a folder.
func (s *site) write(folder string) error {
	for name, text := range s.files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
