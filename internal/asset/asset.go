// Package asset names files by their content. A file's URL contains a part of its hash, so browsers may cache it
// for ever: a changed file has another name.
package asset

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// File is one file.
type File struct {
	URL       string // the name that it is served under, like "page.0123456789ab.css"; relative to its folder
	Integrity string // for the integrity attribute: "sha384-" and the hash in base64
	Kind      string // media type
	Body      []byte
}

// Version returns the part of the URL that changes with the content.
func (f File) Version() string {
	parts := strings.Split(f.URL, ".")
	return parts[1]
}

// Set is files by the names of their sources, and by the names they are served under.
type Set struct{ Named, Served map[string]File }

// NewSet returns an empty set.
func NewSet() Set { return Set{map[string]File{}, map[string]File{}} }

// kinds are the media types of served files, by the end of the name.
var kinds = map[string]string{
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".d.ts": "application/typescript; charset=utf-8",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".jpg":  "image/jpeg",
	".webp": "image/webp",
}

// split cuts a name at its first dot.
func split(name string) (stem, end string) {
	stem, end, _ = strings.Cut(name, ".")
	return stem, "." + end
}

// Add puts a file into the set, in place of one of the same name. It returns false for a name whose kind is not
// served.
func (s Set) Add(name string, body []byte) (File, bool) {
	f, ok := s.Serve(name, body)
	if ok {
		s.Named[name] = f
	}
	return f, ok
}

// Serve is Add for a file that is served but no longer named, such as one of an earlier release.
func (s Set) Serve(name string, body []byte) (File, bool) {
	stem, end := split(name)
	kind := kinds[end]
	if kind == "" {
		return File{}, false
	}
	hash, sum := sha256.Sum256(body), sha512.Sum384(body)
	f := File{
		URL:       stem + "." + hex.EncodeToString(hash[:6]) + end,
		Integrity: "sha384-" + base64.StdEncoding.EncodeToString(sum[:]), Kind: kind, Body: body,
	}
	s.Served[f.URL] = f
	return f, true
}

// Load adds every file of a folder that can be served, without its subfolders.
func (s Set) Load(from fs.FS, folder string) error {
	entries, err := fs.ReadDir(from, folder)
	if err != nil {
		return fmt.Errorf("assets: %w", err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		body, err := fs.ReadFile(from, path.Join(folder, entry.Name()))
		if err != nil {
			return fmt.Errorf("asset %s: %w", entry.Name(), err)
		}
		s.Add(entry.Name(), body)
	}
	return nil
}
