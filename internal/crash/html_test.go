package crash

import (
	"html"
	"net/url"
	"regexp"
)

// htmlForm is a form with its hidden fields.
type htmlForm struct {
	target string
	fields url.Values
}

var (
	actions = regexp.MustCompile(`<form[^>]* action="([^"]*)"`)
	hiddens = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
	links   = regexp.MustCompile(`id="forward" href="([^"]*)"`)
)

func formOf(page string) htmlForm {
	f := htmlForm{fields: url.Values{}}
	if found := actions.FindStringSubmatch(page); found != nil {
		f.target = html.UnescapeString(found[1])
	}
	for _, m := range hiddens.FindAllStringSubmatch(page, -1) {
		f.fields.Set(m[1], html.UnescapeString(m[2]))
	}
	return f
}

func field(page, name string) string { return formOf(page).fields.Get(name) }

// linkOf returns the link of a page without a form.
func linkOf(page string) string {
	if found := links.FindStringSubmatch(page); found != nil {
		return html.UnescapeString(found[1])
	}
	return ""
}
