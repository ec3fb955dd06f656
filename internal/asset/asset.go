// Package asset names files by what is in them. A file is served under a name that carries a part of its hash, so
// browsers may keep it for ever: one that changes has another name.
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

// Version is the part of the URL that changes with the content.
func (f File) Version() string {
	parts := strings.Split(f.URL, ".")
	return parts[1]
}

// Set are files by the names of their sources, and by those they are served under.
type Set struct{ Named, Served map[string]File }

// NewSet makes an empty one.
func NewSet() Set { return Set{map[string]File{}, map[string]File{}} }

// kinds are the media types of what is served, by the end of a name.
var kinds = map[string]string{
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".d.ts": "application/typescript; charset=utf-8",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".jpg":  "image/jpeg",
	".webp": "image/webp",
}

// split takes the end off a name: all of it that begins with the first point.
func split(name string) (stem, end string) {
	stem, end, _ = strings.Cut(name, ".")
	return stem, "." + end
}

// Add puts a file into the set, in the place of one of the same name. It reports false for a name that tells no
// kind of file to be served.
func (s Set) Add(name string, body []byte) (File, bool) {
	f, ok := s.Serve(name, body)
	if ok {
		s.Named[name] = f
	}
	return f, ok
}

// Serve is Add for a file that is served and no longer named, as that of an earlier release.
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

// Load adds every file of a folder that can be served, and leaves out what lies below it.
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
