package sim

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// buildable is a module without its history and without files that no build reads.
type buildable struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (b buildable) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(b.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		hidden := strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"
		irregular := !e.IsDir() && !e.Type().IsRegular()
		return hidden || irregular || path.Ext(e.Name()) == ".test"
	}), err
}
