package main

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// shelf is a part of the navigation.
type shelf struct {
	name  string
	pages []string // documents of the repository, in the order of reading
}

// shelves hold every document; one that stands on none is a fault.
var shelves = []shelf{
	{"Start", []string{"README.md", "docs/guides/first-payment.md"}},
	{"Guides", in("docs/guides/", "embed receive-callbacks test-your-shop generate-a-client write-a-connector production "+
		"move-from-the-platform")},
	{"Reference", in("docs/reference/", "README signing checkout hosted-fields s2s-card s2s-apm callbacks errors")},
	{"Tables", in("docs/", "methods states errors options events figures")},
	{"How it works", in("docs/", "architecture reliability postgres decisions compatibility")},
	{"The platform's protocol", in("docs/protocol/",
		"README checkout hpf s2s_card s2s_apm callbacks lifecycle methods errors testdata")},
	{"The project", in("", "CHANGELOG CONTRIBUTING SECURITY")},
}

func in(folder, names string) (list []string) {
	for name := range strings.FieldsSeq(names) {
		list = append(list, folder+name+".md")
	}
	return list
}

// attachments are what documents show or offer beside the pages.
var attachments = map[string]string{
	"docs/rooms.svg": "rooms.svg", "docs/openapi.json": "openapi.json", "docs/api.txt": "api.txt", "LICENSE": "LICENSE.txt",
}

// place is where a document stands among the pages: docs/reference/README.md is reference/index.html.
func place(document string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(document, "docs/"), ".md")
	if base := path.Base(name); base == "README" {
		return path.Join(path.Dir(name), "index.html")
	}
	return strings.ToLower(name) + ".html"
}

// unplaced are the documents that stand on no shelf.
func unplaced(tree fs.FS) error {
	return fs.WalkDir(tree, "docs", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		for _, s := range shelves {
			if slices.Contains(s.pages, name) {
				return nil
			}
		}
		return fmt.Errorf("%s stands on no shelf of shelf.go", name)
	})
}
