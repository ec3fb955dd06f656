package page

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"

	"github.com/google/uuid"
)

//go:embed templates
var templateFiles embed.FS

// layout is the template around every page; it executes the template "content" of the page.
const layout = "layout.html"

// The pages.
const (
	pageForm    = "form.html"
	pageForward = "forward.html"
	pageShow    = "show.html"
	pageAsk     = "ask.html"
	pageWait    = "wait.html"
	pageLeave   = "leave.html"
	pageResult  = "result.html"
	pageProblem = "problem.html"
)

// TemplateNames returns the files that Options.Templates must have: the layout, which calls the template
// "content" and may call "head", and the pages, which define them.
func TemplateNames() []string {
	return []string{layout, pageForm, pageForward, pageShow, pageAsk, pageWait, pageLeave, pageResult, pageProblem}
}

// DefaultTemplates returns the built-in templates, as a start for a host's own.
func DefaultTemplates() fs.FS {
	files, err := fs.Sub(templateFiles, "templates")
	if err != nil {
		panic(err) // cannot happen: the name is a valid path
	}
	return files
}

// templates are the parsed pages by name.
type templates map[string]*template.Template

// parseTemplates reads all pages, and reports everything that is missing or wrong at once.
func parseTemplates(files fs.FS) (templates, error) {
	frame, err := parseFile(template.New(""), files, layout)
	faults := []error{err}
	parsed := templates{}
	for _, name := range TemplateNames()[1:] {
		base := template.New("")
		if err == nil {
			base = template.Must(frame.Clone()) // a template that was never executed can be cloned
		}
		view, fault := parseFile(base, files, name)
		if fault == nil && err == nil && view.Lookup("content") == nil {
			fault = fmt.Errorf("template %s: defines no \"content\"", name)
		}
		faults, parsed[name] = append(faults, fault), view
	}
	return parsed, errors.Join(faults...)
}

// parseForms reads the templates of single forms (decision bn).
func parseForms(forms map[string]fs.FS) (map[string]templates, error) {
	parsed := map[string]templates{}
	var faults []error
	for id, files := range forms {
		own, err := uuid.Parse(id)
		if err != nil || own.String() != id {
			faults = append(faults, fmt.Errorf("Options.Forms: %q is no UUID in lower case", id))
			continue
		}
		if files == nil {
			faults = append(faults, fmt.Errorf("Options.Forms[%s]: no templates", id))
			continue
		}
		views, err := parseTemplates(files)
		if err != nil {
			faults = append(faults, fmt.Errorf("Options.Forms[%s]: %w", id, err))
		}
		parsed[id] = views
	}
	return parsed, errors.Join(faults...)
}

func parseFile(into *template.Template, files fs.FS, name string) (*template.Template, error) {
	text, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("template %s: missing", name)
	}
	if err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return into.New(name).Parse(string(text))
}

// render executes a page into memory, so that a fault never sends half a page.
func (t templates) render(name string, view *View) ([]byte, error) {
	var page bytes.Buffer
	err := t[name].ExecuteTemplate(&page, layout, view)
	return page.Bytes(), err
}
