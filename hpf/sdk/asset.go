package sdk

import (
	"crypto/sha256"
	"crypto/sha512"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var files embed.FS

// libraryName is the file that merchants' pages load.
const libraryName = "hosted-fields.js"

// asset is one file by the name under which it is served, which carries a part of its hash: a changed file
// has a new name, so browsers may keep the old one for ever.
type asset struct {
	URL       string // relative to its folder
	Integrity string // for the integrity attribute
	kind      string
	body      []byte
}

// assets are the files by their source names and by the names they are served under.
type assets struct{ named, served map[string]asset }

// loadAssets reads what is in assets, and in assets/released the libraries of earlier releases: each has the
// name that it had, since the name is made of the content.
func loadAssets(from fs.FS) assets {
	set := assets{map[string]asset{}, map[string]asset{}}
	names, _ := fs.Glob(from, "assets/*")
	for _, name := range names {
		if body, err := fs.ReadFile(from, name); err == nil { // a file; it is part of the program
			if a, ok := set.add(path.Base(name), body); ok {
				set.named[path.Base(name)] = a
			}
		}
	}
	released, _ := fs.Glob(from, "assets/released/*.js")
	for _, name := range released {
		if body, err := fs.ReadFile(from, name); err == nil {
			set.add(libraryName, body)
		}
	}
	return set
}

// add serves a file under the name that its content gives it.
func (set assets) add(name string, body []byte) (a asset, ok bool) {
	kind, ext := mediaType(name)
	if kind == "" {
		return asset{}, false
	}
	hash, sum := sha256.Sum256(body), sha512.Sum384(body)
	a = asset{
		URL:       strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(hash[:6]) + ext,
		Integrity: "sha384-" + base64.StdEncoding.EncodeToString(sum[:]), kind: kind, body: body,
	}
	set.served[a.URL] = a
	return a, true
}

// mediaType is empty for what is no asset.
func mediaType(name string) (kind, ext string) {
	switch {
	case strings.HasSuffix(name, ".d.ts"):
		return "application/typescript; charset=utf-8", ".d.ts"
	case strings.HasSuffix(name, ".js"):
		return "text/javascript; charset=utf-8", ".js"
	case strings.HasSuffix(name, ".css"):
		return "text/css; charset=utf-8", ".css"
	case strings.HasSuffix(name, ".svg"):
		return "image/svg+xml", ".svg"
	}
	return "", ""
}

// How long browsers may keep a file. The plain name of the library moves on with the gateway.
const (
	forEver   = "public, max-age=31536000, immutable"
	forMoment = "public, max-age=300"
)

// library serves what pages of other origins load. It is no secret and the same for everybody, so any
// origin may read it: browsers check the integrity attribute only then.
func (f *fields) library(w http.ResponseWriter, r *http.Request) {
	name, keep := r.PathValue("file"), forMoment
	a, ok := f.assets.named[name]
	if !ok {
		a, ok = f.assets.served[name]
		keep = forEver
	}
	if !ok || !strings.HasPrefix(name, "hosted-fields.") {
		missing(w)
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", "*")
	a.serve(w, r, keep, "cross-origin")
}

// part serves a file of the frames.
func (f *fields) part(w http.ResponseWriter, r *http.Request) {
	a, ok := f.assets.served[r.PathValue("file")]
	if !ok || strings.HasPrefix(a.URL, "hosted-fields.") {
		missing(w)
		return
	}
	a.serve(w, r, forEver, "same-origin")
}

// serve gives every file a policy of its own, since an SVG that is opened by itself is a document.
func (a asset) serve(w http.ResponseWriter, r *http.Request, keep, readers string) {
	h := w.Header()
	h.Set("Cache-Control", keep)
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("Content-Type", a.kind)
	h.Set("Cross-Origin-Resource-Policy", readers)
	h.Set("ETag", `"`+a.Integrity[len("sha384-"):]+`"`)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Header.Get("If-None-Match") == h.Get("ETag") {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(a.body)
}
