package page

import (
	"embed"
	"strings"
	"sync"
)

// countryFiles name the countries of ISO 3166-1 in every language, by its own order of letters, one
// "CODE name" a line. The names are those of the Unicode CLDR
// (copyright Unicode, Inc., under the Unicode License V3). A program that links the tables of
// golang.org/x/text for them would be 2.4 MB larger.
//
//go:embed countries
var countryFiles embed.FS

// Option is one choice of a list.
type Option struct {
	Value, Name string
	Chosen      bool
}

// countryLists reads the list of a language when it is first asked for.
var countryLists = listsOf(offered)

func listsOf(all []*Texts) map[string]func() []Option {
	lists := make(map[string]func() []Option, len(all))
	for _, t := range all {
		lists[t.Lang] = sync.OnceValue(func() []Option { return readCountries(t.Lang) })
	}
	return lists
}

func readCountries(lang string) (list []Option) {
	text, _ := countryFiles.ReadFile("countries/" + lang + ".txt") // a test finds every one
	for line := range strings.Lines(string(text)) {
		code, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		list = append(list, Option{Value: code, Name: name})
	}
	return list
}

// choose is a list with a blank first choice and the given one chosen.
func choose(list []Option, blank, value string) []Option {
	options := append(make([]Option, 0, len(list)+1), Option{Name: blank})
	for _, o := range list {
		o.Chosen = o.Value == value
		options = append(options, o)
	}
	return options
}

// among holds where a list has the value.
func among(list []Option, value string) bool {
	for _, o := range list {
		if o.Value == value {
			return true
		}
	}
	return false
}
