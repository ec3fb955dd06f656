package sdk

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"

	"github.com/tollgatepay/gateway/internal/asset"
	"github.com/tollgatepay/gateway/internal/cardui"
)

//go:embed assets
var files embed.FS

// libraryName is the file that merchants' pages load.
const libraryName = "hosted-fields.js"

// ourAssets returns the files of this package, and the rules and pictures that all card fields share.
func ourAssets() asset.Set {
	set := loadAssets(files)
	_ = set.Load(cardui.Files(), ".") // the files are embedded
	return set
}

// loadAssets reads assets, and the libraries of earlier releases in assets/released. Each keeps its name, because
// the name has the hash of the content.
func loadAssets(from fs.FS) asset.Set {
	set := asset.NewSet()
	_ = set.Load(from, "assets") // the folder is embedded
	released, _ := fs.Glob(from, "assets/released/*.js")
	for _, name := range released {
		if body, err := fs.ReadFile(from, name); err == nil {
			set.Serve(libraryName, body)
		}
	}
	return set
}

// How long browsers may cache a file. The plain name of the library changes its content with the gateway.
const (
	forEver   = "public, max-age=31536000, immutable"
	forMoment = "public, max-age=300"
)

// library serves the files that pages of other origins load. They are not secret and the same for all, so any
// origin may read them: only then do browsers check the integrity attribute.
func (f *fields) library(w http.ResponseWriter, r *http.Request) {
	name, keep := r.PathValue("file"), forMoment
	a, ok := f.assets.Named[name]
	if !ok {
		a, ok = f.assets.Served[name]
		keep = forEver
	}
	if !ok || !strings.HasPrefix(name, "hosted-fields.") {
		missing(w)
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", "*")
	serve(w, r, a, keep, "cross-origin")
}

// part serves a file of the frames.
func (f *fields) part(w http.ResponseWriter, r *http.Request) {
	a, ok := f.assets.Served[r.PathValue("file")]
	if !ok || strings.HasPrefix(a.URL, "hosted-fields.") {
		missing(w)
		return
	}
	serve(w, r, a, forEver, "same-origin")
}

// serve gives every file its own policy, because an SVG that is opened directly is a document.
func serve(w http.ResponseWriter, r *http.Request, a asset.File, keep, readers string) {
	h := w.Header()
	h.Set("Cache-Control", keep)
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("Content-Type", a.Kind)
	h.Set("Cross-Origin-Resource-Policy", readers)
	h.Set("ETag", `"`+a.Integrity[len("sha384-"):]+`"`)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Header.Get("If-None-Match") == h.Get("ETag") {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(a.Body)
}
