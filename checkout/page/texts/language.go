package texts

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// languages are the texts by the names of requests, in lower case: the codes of SPEC1, billing_address.language,
// where Spanish is "sp", and other names of the same languages.
var languages = map[string]*Texts{
	"en": &english, "sp": &spanish, "ar": &arabic, "az": &azerbaijani, "fr": &french, "nb": &norwegian,
	"zh": &simplifiedChinese, "zh-tw": &traditionalChinese, "kk": &kazakh, "de": &german, "it": &italian,
	"hr": &croatian, "cs": &czech, "hu": &hungarian, "pl": &polish, "pt": &portuguese, "ro": &romanian,
	"ja": &japanese, "nl": &dutch, "bg": &bulgarian, "ru": &russian,

	"es": &spanish, "no": &norwegian, "nn": &norwegian,
	"zh-hant": &traditionalChinese, "zh-hk": &traditionalChinese, "zh-mo": &traditionalChinese,
}

// offered are the languages that a browser may choose from. The matcher returns the first one, without confidence,
// when none fits.
var offered = []*Texts{
	&english, &spanish, &arabic, &azerbaijani, &french, &norwegian, &simplifiedChinese, &traditionalChinese, &kazakh,
	&german, &italian, &croatian, &czech, &hungarian, &polish, &portuguese, &romanian, &japanese, &dutch, &bulgarian,
	&russian,
}

var matcher = newMatcher(offered)

func newMatcher(offered []*Texts) language.Matcher {
	tags := make([]language.Tag, len(offered))
	for i, t := range offered {
		tags[i] = language.MustParse(t.Lang)
	}
	return language.NewMatcher(tags)
}

// maxTag and maxAccept are how many bytes of a name and of Accept-Language are read.
const maxTag, maxAccept = 35, 1024

// All returns the texts of every language.
func All() []*Texts { return slices.Clone(offered) }

// For selects the language: what the request asked for, else the mapping's, else what the browser prefers by its
// Accept-Language, else English. An unknown name means English, as SPEC1 says of the request, and ends the search.
// browser reports whether Accept-Language was used.
func For(asked, mapping, accept string) (t *Texts, browser bool) {
	for _, name := range []string{asked, mapping} {
		if name = strings.TrimSpace(name); name != "" {
			return named(name), false
		}
	}
	return liked(accept), true
}

// named returns the language of a name in any letter case. A longer name, like es-MX, is shortened from its end
// until it is known.
func named(name string) *Texts {
	if len(name) > maxTag {
		return &english
	}
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	for name != "" {
		if t, ok := languages[name]; ok {
			return t
		}
		name = name[:max(strings.LastIndexByte(name, '-'), 0)]
	}
	return &english
}

// liked returns the first language of Accept-Language, by its weights, that the payer will surely understand. The
// matcher's guesses of less confidence are wrong more often than English is: it suggests Ukrainian for Kazakh.
func liked(accept string) *Texts {
	if len(accept) > maxAccept {
		return &english
	}
	var known []string // one invalid tag would spoil the list
	for part := range strings.SplitSeq(accept, ",") {
		if _, _, err := language.ParseAcceptLanguage(part); err == nil {
			known = append(known, part)
		}
	}
	tags, _, err := language.ParseAcceptLanguage(strings.Join(known, ","))
	if err != nil {
		return &english
	}
	for _, tag := range tags {
		if _, i, sure := matcher.Match(tag); sure >= language.High {
			return offered[i]
		}
	}
	return &english
}
