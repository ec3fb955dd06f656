package page

import (
	"crypto/sha256"
	"crypto/sha512"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
)

//go:embed assets
var assetFiles embed.FS

// Asset is one file of ours that a page loads.
type Asset struct {
	URL       string // relative to the page
	Integrity string // for the integrity attribute
}

// assets are the files by the name under which they are served, which carries a part of their hash: a
// changed file has a new name, so browsers may keep the old one for ever.
type assets struct {
	served map[string]servedFile
	named  map[string]Asset // by source name; URL is the served name
}

type servedFile struct {
	kind string
	body []byte
}

// kinds are the media types of what is served.
var kinds = map[string]string{
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".jpg":  "image/jpeg",
	".webp": "image/webp",
}

// assetName is what the name of a host's file may be: it stands in addresses.
var assetName = regexp.MustCompile(`\A[A-Za-z0-9_-]+(\.[a-z0-9]+)\z`)

// loadAssets are our own files with those of a host in their place and beside them. Own may be nil. The
// error names every file that cannot be served; scripts are among them, so that the inventory of scripts
// holds for every host.
func loadAssets(own fs.FS) (assets, error) {
	set := assets{served: map[string]servedFile{}, named: map[string]Asset{}}
	files, _ := fs.Glob(assetFiles, "assets/*")
	for _, file := range files {
		if body, err := assetFiles.ReadFile(file); err == nil { // the file is part of the program
			set.add(path.Base(file), body)
		}
	}
	if own == nil {
		return set, nil
	}
	entries, err := fs.ReadDir(own, ".")
	if err != nil {
		return set, fmt.Errorf("assets: %w", err)
	}
	var faults []error
	for _, entry := range entries {
		faults = append(faults, set.replace(own, entry.Name()))
	}
	return set, errors.Join(faults...)
}

func (set assets) replace(own fs.FS, name string) error {
	ext := assetName.FindStringSubmatch(name)
	if ext == nil || kinds[ext[1]] == "" || ext[1] == ".js" {
		return fmt.Errorf("asset %s: only .css, .svg, .png, .jpg and .webp files can be the host's own", name)
	}
	body, err := fs.ReadFile(own, name)
	if err != nil {
		return fmt.Errorf("asset %s: %w", name, err)
	}
	set.add(name, body)
	return nil
}

func (set assets) add(name string, body []byte) {
	ext := path.Ext(name)
	hash, sum := sha256.Sum256(body), sha512.Sum384(body)
	served := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(hash[:6]) + ext
	set.served[served] = servedFile{kinds[ext], body}
	set.named[name] = Asset{served, "sha384-" + base64.StdEncoding.EncodeToString(sum[:])}
}

// asset serves one file. Pictures are given a policy of their own, since an SVG that is opened by
// itself is a document.
func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	file, ok := p.assets.served[r.PathValue("file")]
	if !ok {
		secure(w.Header())
		plain(w, http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(file.body)
}
