package texts

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// languages are the texts by the names that requests use, in lower case: the codes of SPEC1,
// billing_address.language, where Spanish is "sp", and what the same languages are called elsewhere.
var languages = map[string]*Texts{
	"en": &english, "sp": &spanish, "ar": &arabic, "az": &azerbaijani, "fr": &french, "nb": &norwegian,
	"zh": &simplifiedChinese, "zh-tw": &traditionalChinese, "kk": &kazakh, "de": &german, "it": &italian,
	"hr": &croatian, "cs": &czech, "hu": &hungarian, "pl": &polish, "pt": &portuguese, "ro": &romanian,
	"ja": &japanese, "nl": &dutch, "bg": &bulgarian, "ru": &russian,

	"es": &spanish, "no": &norwegian, "nn": &norwegian,
	"zh-hant": &traditionalChinese, "zh-hk": &traditionalChinese, "zh-mo": &traditionalChinese,
}

// offered are the languages that a browser may choose from. The first is what a matcher answers where
// nothing fits, without confidence.
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

// maxTag and maxAccept bound what is looked at of a name and of Accept-Language, in bytes.
const maxTag, maxAccept = 35, 1024

// All are the texts of every language.
func All() []*Texts { return slices.Clone(offered) }

// For picks the language: what the request asked for, else what the mapping says, else what the browser prefers by its
// Accept-Language, else English. An unknown name means English, as SPEC1 says of the request, and ends the search.
// Browser reports whether Accept-Language had a say.
func For(asked, mapping, accept string) (t *Texts, browser bool) {
	for _, name := range []string{asked, mapping} {
		if name = strings.TrimSpace(name); name != "" {
			return named(name), false
		}
	}
	return liked(accept), true
}

// named is the language of a name in any case. A name that says more than we know, like es-MX, is cut
// from its end until we know it.
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

// liked is the first language of Accept-Language, by its weights, that the payer will surely understand.
// The matcher's guesses of less confidence are wrong more often than English is: it takes Ukrainian for
// Kazakh.
func liked(accept string) *Texts {
	if len(accept) > maxAccept {
		return &english
	}
	var known []string // one tag that is none would spoil the list
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
