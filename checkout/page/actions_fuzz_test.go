package page_test

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// everyAction returns one action of each kind of page.
func everyAction() []gateway.NextAction {
	kind := func(kind gateway.ActionKind) gateway.NextAction {
		return with(func(t *gateway.NextAction) { t.Kind = kind })
	}
	forward := with(func(t *gateway.NextAction) {
		t.Kind, t.Redirect = gateway.ActionRedirect, &store.Redirect{Method: "POST", URL: "https://acs.example/",
			Params: []store.RedirectParam{{Name: "a", Value: "b"}}}
	})
	leave := with(func(t *gateway.NextAction) {
		t.Kind, t.URL, t.Target = gateway.ActionReturn, "https://shop.example/?x=", "_top"
	})
	declined := with(func(t *gateway.NextAction) { t.Declined = "An acquirer's words" })
	again := with(func(t *gateway.NextAction) { *t = askAction(); t.PromptedAgain = true })
	return []gateway.NextAction{
		formAction(), kind(gateway.ActionPoll), forward, leave, left(gateway.ReturnPaid), choiceAction(),
		methodAction(papara()),
		codeAction(), askAction(),
		declined, again, fieldAction(), transferAction(), payoutAction(), savedAction(),
	}
}

// FuzzTurns writes a text into every field of a merchant or an acquirer, on every page. Elements, attributes and
// scripts are those of the page with a plain text, nothing changes the direction of the text that is read, and no
// header has a second line.
func FuzzTurns(f *testing.F) {
	turns := everyAction()
	for i, text := range hostile {
		f.Add(uint8(i), text)
	}
	for i := range turns {
		f.Add(uint8(i), `"'><svg/onload=alert(1)>{{.}}`+"\u202e\r\nA: b")
	}
	plain := map[int]string{}
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		i := int(n) % len(turns)
		if plain[i] == "" {
			plain[i] = skeleton(t, bodyOf(show(t, fill(turns[i], "Plain"))))
		}
		w := show(t, fill(turns[i], "P"+text))
		require.Equal(t, 200, w.Code)
		require.True(t, plain[i] == skeleton(t, bodyOf(w)), "another page")
		require.NotContains(t, readable(t, bodyOf(w)), "\u202e")
		requireCleanHeaders(t, w.Header())
	})
}

// FuzzTyped does the same for what a payer types: it is shown again as text, and a card number never is.
func FuzzTyped(f *testing.F) {
	next := transferAction()
	next.Methods = fieldAction().Methods
	for _, text := range hostile {
		f.Add(text, text)
	}
	f.Add("4111111111111111", "4111 1111 1111 1111")
	f.Add("x", "4111-1111-1111-1111 123")
	submit := func(t *testing.T, name, other string) string {
		form := fieldForm()
		for _, field := range next.Methods[0].Fields {
			form.Set("payer.card."+field.Path, other)
		}
		for field, value := range map[string]string{"amount": other, "payee_card": name, "name": name, "expiry": other,
			"card_number": name + "+", "saved": "0"} {
			form.Set(field, value)
		}
		w := call(&kernel{next: next}, "POST", "/auth/"+token, form.Encode())
		require.Equal(t, 422, w.Code)
		requireCleanHeaders(t, w.Header())
		return bodyOf(w)
	}
	plain := ""
	f.Fuzz(func(t *testing.T, name, other string) {
		if plain == "" {
			plain = drawn(t, submit(t, "+", "+"))
		}
		body := submit(t, name, other)
		if !mayBeCountry(other) { // it is selected again in its list
			require.True(t, plain == drawn(t, body), "another page")
		}
		require.NotContains(t, readable(t, body), "\u202e")
		for _, typed := range []string{name, other} {
			digits := strings.NewReplacer(" ", "", "-", "").Replace(typed)
			if _, err := store.ParsePAN(digits); err == nil && len(digits) > 13 {
				require.False(t, strings.Contains(body, typed) || strings.Contains(body, digits), "a card number is shown again")
			}
		}
	})
}

// mayBeCountry reports whether a text has two letters without its invisible characters.
func mayBeCountry(text string) bool {
	seen := 0
	for _, r := range text {
		if r > ' ' && r < unicode.MaxASCII {
			seen++
		}
	}
	return seen == 2
}

var langOf = regexp.MustCompile(`<html lang="([A-Za-z-]+)" dir="(ltr|rtl)"`)

// FuzzAcceptLanguage names any language in the request, the mapping and the browser's header. The page is in one
// of the available languages, says so in its lang attribute and in Content-Language, and repeats no name.
func FuzzAcceptLanguage(f *testing.F) {
	for _, text := range []string{"de", "sp", "zh-TW", "xx", `"><script>`, "en\r\nSet-Cookie: a=b", strings.Repeat("a-",
		600), "*", "de;q=0, fr;q=0.5", "\x00", "\u202e", "ar", "*;q=1e9", "en-US-x-evil"} {
		f.Add(text, "", "")
		f.Add("", text, "")
		f.Add("", "", text)
	}
	var known []string
	for _, name := range []string{"en", "sp", "ar", "az", "fr", "nb", "zh", "zh-tw", "kk", "de", "it", "hr", "cs", "hu",
		"pl", "pt", "ro", "ja", "nl", "bg", "ru"} {
		known = append(known, langOf.FindStringSubmatch(call(&kernel{next: in(name, formAction())}, "GET", "/auth/"+token,
			"").Body.String())[1])
	}
	require.Len(f, slices.Compact(slices.Sorted(slices.Values(known))), 21)
	f.Fuzz(func(t *testing.T, asked, mapping, accept string) {
		next := formAction()
		next.Language, next.Default = asked, mapping
		w := call(&kernel{next: next}, "GET", "/auth/"+token, "", "Accept-Language", accept)
		require.Equal(t, 200, w.Code)
		found := langOf.FindStringSubmatch(bodyOf(w))
		require.NotNil(t, found)
		require.Contains(t, known, found[1])
		require.Equal(t, []string{found[1]}, w.Header().Values("Content-Language"))
		requireCleanHeaders(t, w.Header())
		for _, text := range []string{asked, mapping, accept} {
			if len(text) > 40 {
				require.NotContains(t, bodyOf(w), text)
				require.NotContains(t, bodyOf(w), url.QueryEscape(text))
			}
		}
	})
}
