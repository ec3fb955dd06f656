// Package static owns the stylesheet, scripts and pictures of the page, and which of them a host may replace.
package static

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"

	"github.com/tollgatepay/gateway/internal/asset"
	"github.com/tollgatepay/gateway/internal/cardui"
)

//go:embed assets
var assetFiles embed.FS

// assetName matches the name of a host's file, which is used in URLs. Scripts are not allowed, so that the
// inventory of scripts is complete for every host.
var assetName = regexp.MustCompile(`\A[A-Za-z0-9_-]+\.(css|svg|png|jpg|webp)\z`)

// Load returns our own files, replaced and extended by those of a host. own may be nil. The error names every file
// that cannot be served.
func Load(own fs.FS) (asset.Set, error) {
	set := asset.NewSet()
	err := errors.Join(set.Load(assetFiles, "assets"), set.Load(cardui.Files(), "."))
	if own == nil {
		return set, err
	}
	entries, err := fs.ReadDir(own, ".")
	if err != nil {
		return set, fmt.Errorf("assets: %w", err)
	}
	var faults []error
	for _, entry := range entries {
		faults = append(faults, replace(set, own, entry.Name()))
	}
	return set, errors.Join(faults...)
}

func replace(set asset.Set, own fs.FS, name string) error {
	if !assetName.MatchString(name) {
		return fmt.Errorf("asset %s: only .css, .svg, .png, .jpg and .webp files can be the host's own", name)
	}
	body, err := fs.ReadFile(own, name)
	if err != nil {
		return fmt.Errorf("asset %s: %w", name, err)
	}
	set.Add(name, body)
	return nil
}
