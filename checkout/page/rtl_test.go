package page_test

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// in returns an action whose request asked for a language.
func in(language string, next gateway.NextAction) gateway.NextAction {
	next.Language = language
	return next
}

// attributes returns those of the first element with the given one.
func attributes(t *testing.T, page, key, value string) map[string]string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	for n := range root.Descendants() {
		found := map[string]string{}
		for _, a := range n.Attr {
			found[a.Key] = a.Val
		}
		if n.Type == html.ElementNode && found[key] == value {
			return found
		}
	}
	require.Fail(t, "no element", "%s=%q", key, value)
	return nil
}

// On a page from right to left, digits still run from left to right.
func TestRightToLeft(t *testing.T) {
	t.Parallel()
	next := in("ar", formAction())
	next.Methods = []gateway.MethodChoice{
		card(),
		{Code: "p", Name: "Bank transfer", Kind: methods.KindDetails, Prompts: []store.Prompt{
			{Name: "code", Label: "Bank code", Pattern: "[0-9]{4}"}, {Name: "email", Label: "E-mail"},
			{Name: "phone", Label: "Phone number"}, {Name: "holder", Label: "Account holder"},
		}},
	}
	body := bodyOf(show(t, next))
	require.Contains(t, body, `<html lang="ar" dir="rtl">`)
	for _, id := range []string{"card_number", "expiry", "cvv", "ask-1-0", "ask-1-1", "ask-1-2"} {
		require.Equal(t, "ltr", attributes(t, body, "id", id)["dir"], id)
	}
	for _, id := range []string{"name", "ask-1-3", "until"} {
		require.Equal(t, "auto", attributes(t, body, "id", id)["dir"], id)
	}
	require.Equal(t, "rtl", attributes(t, body, "value", "1284.50 EUR")["dir"])
	require.Contains(t, body, ">\u200f1,284.50\u00a0€</data>")
	require.Contains(t, body, ">ادفع \u2068\u200f1,284.50\u00a0€\u2069</button>", "the amount is isolated")
	require.Contains(t, body, "<bdi>تحويل مصرفي</bdi>")
	require.Contains(t, body, ">رمز البنك</label>")
	require.NotContains(t, body, "Bank code")
	require.Equal(t, "رقم البطاقة غير صالح", attributes(t, body, "id", "card_number")["data-error"])
}

func TestLeftToRightHasNoMarks(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "de", "ja", "ru"} {
		body := bodyOf(show(t, in(language, formAction())))
		require.Contains(t, body, ` dir="ltr">`)
		require.False(t, strings.ContainsAny(body, "\u2066\u2067\u2068\u2069\u200e\u200f"), language)
	}
}

func TestWhatIsShownInArabic(t *testing.T) {
	t.Parallel()
	body := bodyOf(show(t, in("ar", showAction(&store.Display{QR: "K:PR", Until: noon.Add(time.Minute),
		Details: []store.Detail{
			{Label: "Account number", Value: "RS35 2600"}, {Label: "To do", Value: "Confirm the payment in your app"},
			{Label: "Reference", Value: "Card"}, {Label: "IBAN", Value: "https://bank.example/"},
		}}))))
	require.Contains(t, body, `<dt>رقم الحساب</dt><dd><bdi class="value">RS35 2600</bdi>`)
	require.Contains(t, body, `<bdi class="value">أكِّد الدفع في تطبيقك</bdi>`)
	require.Contains(t, body, `<bdi class="value whole">Card</bdi>`, "a value is not a word of ours")
	require.Contains(t, body, `<dt>IBAN</dt><dd><bdi class="whole"><a class="value"`)
	require.Contains(t, body, `<pre class="value" dir="ltr"`)
	require.Equal(t, "auto", attributes(t, body, "id", "until")["dir"])
}

func TestLanguageOfEveryAnswer(t *testing.T) {
	t.Parallel()
	const vary = "Accept-Language"
	kind := func(kind gateway.ActionKind) gateway.NextAction {
		return with(func(t *gateway.NextAction) { t.Kind = kind })
	}
	german := func(next gateway.NextAction) *kernel { return &kernel{next: in("DE", next)} }
	for _, c := range []struct {
		name                 string
		k                    *kernel
		method, target, body string
		accept, lang, vary   string
		has                  string
	}{
		{"request", german(formAction()), "GET", "/auth/" + token, "", "fr", "de", "", "Kartennummer"},
		{"Spanish as SPEC1 calls it", &kernel{next: in("sp", formAction())}, "GET", "/auth/" + token, "", "fr", "es", "", "Número de tarjeta"},
		{"mapping", &kernel{next: with(func(t *gateway.NextAction) { t.Default = "ja" })}, "GET", "/auth/" + token, "", "fr", "ja", "", "カード番号"},
		{"browser", &kernel{next: formAction()}, "GET", "/auth/" + token, "", "xx, fr;q=0.9", "fr", vary, "Numéro de carte"},
		{"nobody", &kernel{next: formAction()}, "GET", "/auth/" + token, "", "", "en", vary, "Card number"},
		{"faults", german(formAction()), "POST", "/auth/" + token, "attempt=2", "fr", "de", "", "Ungültige Kartennummer"},
		{"wait", german(kind(gateway.ActionPoll)), "GET", "/auth/" + token, "", "fr", "de", "", "Ihre Zahlung wird bearbeitet"},
		{"ask", german(askAction()), "GET", "/auth/" + token, "", "fr", "de", "", "Noch ein Schritt"},
		{"show", german(codeAction()), "GET", "/auth/" + token, "", "fr", "de", "", "Noch etwa 5 Minuten"},
		{"result", german(left(gateway.ReturnPaid)), "GET", "/auth/" + token, "", "fr", "de", "", "Zahlung abgeschlossen"},
		{"failure of a known session", german(kind("?")), "GET", "/auth/" + token, "", "fr", "de", "", "Etwas ist schiefgegangen"},
		{"unknown link", german(formAction()), "GET", "/auth/other", "", "fr", "fr", vary, "Page introuvable"},
		{"returned", german(formAction()), "GET", "/return/" + token, "", "fr", "fr", vary, "Merci"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := call(c.k, c.method, c.target, c.body, "Accept-Language", c.accept)
			require.Equal(t, c.lang, w.Header().Get("Content-Language"))
			require.Equal(t, c.vary, w.Header().Get("Vary"))
			require.Contains(t, bodyOf(w), `<html lang="`+c.lang+`" dir="ltr">`)
			require.Contains(t, bodyOf(w), c.has)
		})
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, language, declined, has, not string }{
		{"of the platform", "de", "Not paid in time", "Es wurde nicht rechtzeitig bezahlt.", "Not paid"},
		{"declined", "de", "Declined by processing.", "Die Zahlung wurde abgelehnt.", "Declined"},
		{"of an acquirer", "de", "stolen card", "Die Zahlung wurde abgelehnt.", "stolen"},
		{"English", "en", "The acquirer could not be reached", "<strong>The acquirer could not be reached.</strong>", "Declined"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			next := in(c.language, formAction())
			next.Declined = c.declined
			require.Contains(t, bodyOf(show(t, next)), c.has)
			require.NotContains(t, bodyOf(show(t, next)), c.not)
		})
	}
	again := in("de", askAction())
	again.PromptedAgain = true
	require.Contains(t, bodyOf(show(t, again)), "Ihre Angabe wurde nicht angenommen. Bitte versuchen Sie es noch einmal.")
}

func TestOwnTemplatesKnowTheLanguage(t *testing.T) {
	t.Parallel()
	own := fstest.MapFS{}
	for _, name := range page.TemplateNames() {
		own[name] = &fstest.MapFile{Data: []byte(`{{define "content"}}{{.Lang}} {{.Dir}} {{.T.Lang}} {{.T.Number}}{{end}}`)}
	}
	own["layout.html"] = &fstest.MapFile{Data: []byte(`{{template "content" .}}`)}
	w := httptest.NewRecorder()
	h := page.Handler(&kernel{next: in("ar", formAction())}, page.Options{Templates: own})
	h.ServeHTTP(w, httptest.NewRequest("GET", "/auth/"+token, nil))
	require.Equal(t, "ar rtl ar رقم البطاقة", bodyOf(w))
}

// The scripts take every text from the page: none of their strings is a sentence.
func TestScriptsHaveNoWords(t *testing.T) {
	t.Parallel()
	literal := regexp.MustCompile(`"[^"\n]*"|'[^'\n]*'`)
	sentence := regexp.MustCompile(`[A-Za-z]{2,} [A-Za-z]{2,}|[.!?]["']$`)
	for _, next := range []gateway.NextAction{formAction(), methodAction(applePay()), codeAction()} {
		found := 0
		for line := range strings.Lines(strings.Join(scriptsOf(t, next), "\n")) {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			for _, text := range literal.FindAllString(line, -1) {
				found++
				if text != `"use strict"` {
					require.NotRegexp(t, sentence, text)
				}
			}
		}
		require.Greater(t, found, 20)
	}
}
