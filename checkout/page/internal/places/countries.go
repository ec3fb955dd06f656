// Package places owns the names of countries in each language, and of the states that an address needs.
package places

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

// countryFiles name the countries of ISO 3166-1 in every language, in its alphabetical order, one "CODE name" per
// line. The names are those of the Unicode CLDR (copyright Unicode, Inc., under the Unicode License V3). A program
// that links the tables of golang.org/x/text for them would be 2.4 MB larger.
//
//go:embed countries
var countryFiles embed.FS

// Place is a country by its code of ISO 3166-1, or a state by that of ISO 3166-2 without the country.
type Place struct{ Code, Name string }

// Countries returns all countries in a language, which is named by its BCP 47 tag; none in an unknown one.
func Countries(lang string) []Place {
	if list, ok := countryLists()[lang]; ok {
		return list()
	}
	return nil
}

// countryLists reads the list of a language at its first use.
var countryLists = sync.OnceValue(func() map[string]func() []Place {
	files, _ := countryFiles.ReadDir("countries") // embedded, so it exists
	lists := make(map[string]func() []Place, len(files))
	for _, file := range files {
		lang := strings.TrimSuffix(file.Name(), ".txt")
		lists[lang] = sync.OnceValue(func() []Place { return readCountries(lang) })
	}
	return lists
})

func readCountries(lang string) (list []Place) {
	text, _ := countryFiles.ReadFile("countries/" + lang + ".txt")
	for line := range strings.Lines(string(text)) {
		code, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		list = append(list, Place{Code: code, Name: name})
	}
	return list
}

// Has reports whether a list has the code.
func Has(list []Place, code string) bool {
	return slices.ContainsFunc(list, func(p Place) bool { return p.Code == code })
}
