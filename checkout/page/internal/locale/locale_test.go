package locale

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDays(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)
	want := map[string]string{
		"en": "March 1, 2027", "es": "1 de marzo de 2027", "ar": "1 مارس 2027", "az": "1 mart 2027", "fr": "1 mars 2027",
		"nb": "1. mars 2027", "zh-Hans": "2027年3月1日", "zh-Hant-TW": "2027年3月1日", "kk": "2027\u202fж. 1 наурыз",
		"de": "1. März 2027",
		"it": "1 marzo 2027", "hr": "1. ožujka 2027.", "cs": "1. března 2027", "hu": "2027. március 1.", "pl": "1 marca 2027",
		"pt": "1 de março de 2027", "ro": "1 martie 2027", "ja": "2027年3月1日", "nl": "1 maart 2027",
		"bg": "1 март 2027\u202fг.", "ru": "1 марта 2027\u202fг.",
	}
	require.Len(t, want, len(locales))
	for lang := range locales {
		require.Equal(t, want[lang], of(lang).Day(at), lang)
	}
}
