package shop

import (
	"embed"
	"html/template"
	"io/fs"
	"path"
	"strings"
	"time"
)

//go:embed templates
var templateFiles embed.FS

//go:embed assets
var assetFiles embed.FS

var words = template.FuncMap{
	"clock": func(t time.Time) string { return t.UTC().Format("15:04:05") },
	"parts": strings.Fields,
	"stamp": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
}

// parseViews reads every template together with the layout.
func parseViews() (map[string]*template.Template, error) {
	views := map[string]*template.Template{}
	names, err := fs.Glob(templateFiles, "templates/*.html")
	for _, name := range names {
		if base := path.Base(name); base != "layout.html" && err == nil {
			views[base], err = template.New("").Funcs(words).ParseFS(templateFiles, "templates/layout.html", name)
		}
	}
	return views, err
}

// policyFor returns the content policy. Forms may also lead to the payment page: browsers apply form-action to the
// redirect after a post.
func policyFor(public string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"form-action 'self' " + public + "; base-uri 'none'; frame-ancestors 'none'"
}

// kinds are the media types of the files.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}
