package texts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// specified are the codes of SPEC1, billing_address.language, with the lang attribute of each.
var specified = map[string]string{
	"en": "en", "sp": "es", "ar": "ar", "az": "az", "fr": "fr", "nb": "nb", "zh": "zh-Hans", "zh-TW": "zh-Hant-TW",
	"kk": "kk",
	"de": "de", "it": "it", "hr": "hr", "cs": "cs", "hu": "hu", "pl": "pl", "pt": "pt", "ro": "ro", "ja": "ja", "nl": "nl",
	"bg": "bg", "ru": "ru",
}

func TestSpecifiedLanguages(t *testing.T) {
	t.Parallel()
	require.Len(t, specified, 21)
	for code, lang := range specified {
		for _, name := range []string{code, strings.ToUpper(code), strings.ToLower(code), " " + code + " "} {
			texts, browser := For(name, "", "hu")
			require.Equal(t, lang, texts.Lang, name)
			require.False(t, browser)
			texts, _ = For("", name, "hu")
			require.Equal(t, lang, texts.Lang, name)
		}
		texts, browser := For("", "", lang)
		require.Equal(t, lang, texts.Lang)
		require.True(t, browser)
		require.Contains(t, offered, texts)
	}
}

func TestChoiceOfLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, asked, mapping, accept, want string }{
		{"request before all", "de", "fr", "it", "de"},
		{"mapping before browser", "", "fr", "it", "fr"},
		{"browser last", "", "", "it", "it"},
		{"nobody", "", "", "", "en"},
		{"unknown request is English", "xx", "fr", "it", "en"},
		{"unknown mapping is English", "", "xx", "it", "en"},
		{"blank request", " ", "fr", "it", "fr"},
		{"a word for a code", "german", "fr", "it", "en"},
		{"header in the request", "de, fr;q=0.5", "", "", "en"},
		{"far too long", strings.Repeat("de-", 10_000), "", "", "en"},

		{"sp", "sp", "", "", "es"},
		{"SP", "SP", "", "", "es"},
		{"es", "es", "", "", "es"},
		{"es-MX", "es-MX", "", "", "es"},
		{"no", "no", "", "", "nb"},
		{"nn", "nn", "", "", "nb"},
		{"nb-NO", "nb_NO", "", "", "nb"},
		{"zh", "zh", "", "", "zh-Hans"},
		{"zh-CN", "zh-CN", "", "", "zh-Hans"},
		{"zh-Hans", "zh-Hans-HK", "", "", "zh-Hans"},
		{"zh-TW", "ZH-tw", "", "", "zh-Hant-TW"},
		{"zh-Hant", "zh-Hant", "", "", "zh-Hant-TW"},
		{"zh-Hant-HK", "zh-Hant-HK", "", "", "zh-Hant-TW"},
		{"zh-HK", "zh-HK", "", "", "zh-Hant-TW"},
		{"pt-BR", "pt-BR", "", "", "pt"},
		{"en-GB", "en-GB", "", "", "en"},
		{"Ukrainian is not Kazakh", "uk", "", "", "en"},

		{"by weight", "", "", "de;q=0.2, fr;q=0.9", "fr"},
		{"without weight is 1", "", "", "de;q=0.9, fr", "fr"},
		{"nothing is refused", "", "", "de;q=0, fr;q=0.1", "fr"},
		{"only refused", "", "", "de;q=0", "en"},
		{"any", "", "", "*", "en"},
		{"unknown first", "", "", "ko, hi;q=0.9, ro;q=0.3", "ro"},
		{"made up first", "", "", "xx, de;q=0.5", "de"},
		{"broken first", "", "", "?!, de;q=0.5", "de"},
		{"broken weight", "", "", "fr;q=x, de;q=0.5", "de"},
		{"Ukrainian browser", "", "", "uk, ru;q=0.8, en;q=0.7", "ru"},
		{"Ukrainian only", "", "", "uk", "en"},
		{"Swedish has no near kin here", "", "", "sv-SE, sv;q=0.9, en;q=0.8", "en"},
		{"region", "", "", "de-AT, de;q=0.9, en;q=0.8", "de"},
		{"Mexico", "", "", "es-MX", "es"},
		{"sp is no name in a browser", "", "", "sp", "en"},
		{"Norway", "", "", "no", "nb"},
		{"Nynorsk", "", "", "nn-NO, nn;q=0.9, en;q=0.5", "nb"},
		{"Hong Kong", "", "", "zh-HK", "zh-Hant-TW"},
		{"Hant", "", "", "zh-Hant", "zh-Hant-TW"},
		{"Taiwan", "", "", "zh-TW, zh;q=0.9, en;q=0.8", "zh-Hant-TW"},
		{"China", "", "", "zh-CN, zh;q=0.9, en;q=0.8", "zh-Hans"},
		{"Arabic", "", "", "ar-EG", "ar"},
		{"too long to look at", "", "", "de," + strings.Repeat("x", 2000), "en"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			texts, browser := For(c.asked, c.mapping, c.accept)
			require.Equal(t, c.want, texts.Lang)
			require.Equal(t, strings.TrimSpace(c.asked) == "" && c.mapping == "", browser)
		})
	}
}

func FuzzLanguage(f *testing.F) {
	f.Add("de", "fr", "it, *;q=0.1")
	f.Add("", "", "a-a-a-a-a,,;q=,;")
	f.Add("", "", "en;q=NaN")
	f.Fuzz(func(t *testing.T, asked, mapping, accept string) {
		texts, _ := For(asked, mapping, accept)
		require.Contains(t, offered, texts)
	})
}
