package page

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
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

func loadAssets() assets {
	set := assets{served: map[string]servedFile{}, named: map[string]Asset{}}
	files, _ := fs.Glob(assetFiles, "assets/*")
	for _, file := range files {
		body, err := assetFiles.ReadFile(file)
		if err != nil {
			continue // cannot happen: the file is part of the program
		}
		name, ext := path.Base(file), path.Ext(file)
		hash, sum := sha256.Sum256(body), sha512.Sum384(body)
		served := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(hash[:6]) + ext
		set.served[served] = servedFile{kinds[ext], body}
		set.named[name] = Asset{served, "sha384-" + base64.StdEncoding.EncodeToString(sum[:])}
	}
	return set
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
