package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
)

func TestPay(t *testing.T) {
	t.Parallel()
	k := &kernel{next: formAction()}
	form := goodForm()
	form.Set("browser_javascript_enabled", "true")
	form.Set("browser_color_depth", "24")
	form.Set("browser_timezone_offset", "-120")
	form.Set("browser_screen_width", "wide")
	form.Set("browser_language", "de-CH\r\nX")
	w := call(k, "POST", "/auth/"+token, form.Encode(), "Accept", "text/html", "User-Agent", "Probe/1",
		"Accept-Language", "fr-CA;q=0.9, en")
	require.Equal(t, http.StatusSeeOther, w.Code)
	require.Equal(t, "./"+token, w.Header().Get("Location"))
	require.Len(t, k.paid, 1)
	got := k.paid[0]
	require.Equal(t, 2, got.Attempt)
	require.Equal(t, "4111111111111111", got.Card.PAN.Digits())
	require.Equal(t, "123", got.Card.Code.Digits())
	require.Equal(t, "01/2038", fmt.Sprint(got.Card.Expiry))
	require.Equal(t, "Zoë O'Neil-Müller", got.Card.Holder)
	require.Equal(t, "192.0.2.1", got.IP)
	require.Equal(t, map[string]string{
		"javascript_enabled": "true", "color_depth": "24", "timezone_offset": "-120",
		"user_agent": "Probe/1", "accept_headers": "text/html", "language": "fr-CA",
	}, got.Browser)
}

func TestPayFields(t *testing.T) {
	t.Parallel()
	const number, expiry, code, name = "Invalid card number", "The expiration date of card is expired and not valid.",
		"Invalid security code", "The name on card field " +
			"(must contain first and last name; hyphen, apostrophe, diacritics allowed)"
	for _, c := range []struct {
		name, field, value, fault string
	}{
		{"spaces", "card_number", "4111 1111 1111 1111", ""},
		{"dashes of all kinds", "card_number", "4111-1111–1111—1111", ""},
		{"Arabic digits", "card_number", "٤١١١ ١١١١ ١١١١ ١١١١", ""},
		{"full-width digits", "card_number", "4111111111111111", ""},
		{"bidi marks", "card_number", "\u200e4111\u202a1111\u20661111\u206911\ufeff11", ""},
		{"fourteen digits", "card_number", "36227206271667", ""},
		{"Luhn", "card_number", "4111111111111112", number},
		{"thirteen digits", "card_number", "4222222222222", number},
		{"twenty digits", "card_number", "41111111111111111111", number},
		{"letters", "card_number", "4111x11111111111", number},
		{"blank", "card_number", "", number},

		{"tight", "expiry", "0138", ""},
		{"one digit", "expiry", "1/38", ""},
		{"four digits", "expiry", "01/2038", ""},
		{"dash", "expiry", "01-38", ""},
		{"spaces", "expiry", " 01 / 38 ", ""},
		{"ISO", "expiry", "2038-01", ""},
		{"tight ISO", "expiry", "203801", ""},
		{"tight long", "expiry", "012038", ""},
		{"foreign digits", "expiry", "٠١/٣٨", ""},
		{"this month", "expiry", "03/26", ""},
		{"last month", "expiry", "02/26", expiry},
		{"month 13", "expiry", "13/38", expiry},
		{"month 0", "expiry", "00/38", expiry},
		{"too far", "expiry", "01/77", expiry},
		{"blank", "expiry", "", "Expiry date is required."},
		{"nothing that is seen", "expiry", " \u200e", "Expiry date is required."},
		{"a word", "expiry", "soon", expiry},

		{"four digits", "cvv", "1234", ""},
		{"foreign digits", "cvv", "۱۲۳", ""},
		{"two digits", "cvv", "12", code},
		{"five digits", "cvv", "12345", code},
		{"letters", "cvv", "12a", code},
		{"blank", "cvv", "", code},

		{"diacritics", "name", "Łukasz Żółć", ""},
		{"another script", "name", "محمد علي", ""},
		{"initial", "name", "J. R. Ewing", ""},
		{"more spaces", "name", "  Ann \t Lee ", ""},
		{"one word", "name", "Ann", name},
		{"a word of signs", "name", "Ann -", name},
		{"digits", "name", "Ann Lee2", name},
		{"200 characters", "name", strings.Repeat("a", 99) + " " + strings.Repeat("b", 100), ""},
		{"201 characters", "name", strings.Repeat("a", 100) + " " + strings.Repeat("b", 100), name},
		{"markup", "name", "Ann <b>Lee", name},
		{"blank", "name", "", name},
	} {
		t.Run(c.field+" "+c.name, func(t *testing.T) {
			t.Parallel()
			k, form := &kernel{next: formAction()}, goodForm()
			form.Set(c.field, c.value)
			w := call(k, "POST", "/auth/"+token, form.Encode())
			if c.fault == "" {
				require.Equal(t, 303, w.Code, bodyOf(w))
				require.Len(t, k.paid, 1)
				return
			}
			body := bodyOf(w)
			require.Equal(t, http.StatusUnprocessableEntity, w.Code)
			require.Empty(t, k.paid)
			require.Contains(t, body, fmt.Sprintf(`<p class="error" id="%s-error">%s</p>`, c.field, c.fault))
			require.Contains(t, body, fmt.Sprintf(`<a href="#%s">%s</a>`, c.field, c.fault))
			require.Equal(t, 1, strings.Count(body, `aria-invalid="true"`))
			require.Equal(t, 1, strings.Count(body, " autofocus"))
		})
	}
}

func TestNeverEchoesTheCard(t *testing.T) {
	t.Parallel()
	form := goodForm()
	form.Set("cvv", "98765")
	form.Set("expiry", "11/24")
	body := bodyOf(call(&kernel{next: formAction()}, "POST", "/auth/"+token, form.Encode()))
	require.Contains(t, body, `value="11/24"`)
	require.Contains(t, body, `value="Zoë O&#39;Neil-Müller"`)
	for _, secret := range []string{"4111", "98765"} {
		require.NotContains(t, body, secret)
	}
	for _, field := range []string{"expiry", "name"} { // typed into the wrong field
		form.Set(field, "5555 4444 3333 1111")
		body = bodyOf(call(&kernel{next: formAction()}, "POST", "/auth/"+token, form.Encode()))
		require.NotContains(t, body, "5555")
	}
}

func TestPayStartsNothing(t *testing.T) {
	t.Parallel()
	good := goodForm().Encode()
	for _, c := range []struct {
		name, body string
		next       gateway.NextAction
		header     []string
		status     int
	}{
		{"used attempt", strings.Replace(good, "attempt=2", "attempt=1", 1), formAction(), nil, 303},
		{"no attempt", strings.Replace(good, "attempt=2", "", 1), formAction(), nil, 303},
		{"paid meanwhile", good, left(gateway.ReturnPaid), nil, 303},
		{"another site", good, formAction(), []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a neighbour", good, formAction(), []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"another origin", good, formAction(), []string{"Origin", "https://evil.example"}, 403},
		{"a null origin", good, formAction(), []string{"Origin", "null"}, 403},
		{"too long", good + "&x=" + strings.Repeat("a", 64<<10), formAction(), nil, 413},
		{"not a form", "%zz", formAction(), nil, 400},
		{"JSON", `{"card_number":"4111111111111111"}`, formAction(), []string{"Content-Type", "application/json"}, 303},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &kernel{next: c.next}
			w := call(k, "POST", "/auth/"+token, c.body, c.header...)
			require.Equal(t, c.status, w.Code)
			require.Empty(t, k.paid)
			require.NotContains(t, bodyOf(w), "evil")
		})
	}
}

func TestOwnOriginMayPay(t *testing.T) {
	t.Parallel()
	for _, header := range [][]string{nil, {"Sec-Fetch-Site", "same-origin"}, {"Origin", "http://example.com"}} {
		k := &kernel{next: formAction()}
		require.Equal(t, 303, call(k, "POST", "/auth/"+token, goodForm().Encode(), header...).Code)
		require.Len(t, k.paid, 1)
	}
}

func TestCardInQueryIsIgnored(t *testing.T) {
	t.Parallel()
	k := &kernel{next: formAction()}
	w := call(k, "POST", "/auth/"+token+"?"+goodForm().Encode(), "attempt=2")
	require.Equal(t, 422, w.Code)
	require.Empty(t, k.paid)
}

func TestKernelRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		err    error
		status int
		has    string
	}{
		{"a field", gateway.ErrInvalid.Fields(gateway.Fault{Path: "card_number", Text: "no"}), 422, `id="card_number-error">Invalid card number<`},
		{"an expiry", gateway.ErrInvalid.Fields(gateway.Fault{Path: "card_exp_year", Text: "no"}), 422, `id="expiry-error">The expiration`},
		{"a code", gateway.ErrInvalid.Fields(gateway.Fault{Path: "card_cvv2", Text: "no"}), 422, `id="cvv-error">Invalid security code<`},
		{"a name", gateway.ErrInvalid.Fields(gateway.Fault{Path: "holder", Text: "no"}), 422, `id="name-error">The name`},
		{"the route", gateway.ErrNoMID, 422, "This payment cannot be made with this card."},
		{"the link", gateway.ErrNoSession, 404, "Page not found"},
		{"shutting down", gateway.ErrUnavailable, 500, "Something went wrong"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &kernel{next: formAction(), payErr: c.err}
			w := call(k, "POST", "/auth/"+token, goodForm().Encode())
			require.Equal(t, c.status, w.Code)
			require.Contains(t, bodyOf(w), c.has)
			require.NotContains(t, bodyOf(w), "4111")
		})
	}
}

func TestLeave(t *testing.T) {
	t.Parallel()
	k := &kernel{next: formAction()}
	w := call(k, "POST", "/auth/"+token+"/cancel", "")
	require.Equal(t, 303, w.Code)
	require.Equal(t, "../"+token, w.Header().Get("Location"))
	require.Equal(t, 1, k.left)
	w = call(k, "POST", "/auth/"+token+"/cancel", "", "Sec-Fetch-Site", "cross-site")
	require.Equal(t, 403, w.Code)
	require.Contains(t, bodyOf(w), `href="../../auth/`+token+`"`)
	require.Contains(t, bodyOf(w), `href="../../page/assets/page.`)
	require.Equal(t, 303, call(k, "GET", "/auth/"+token+"/cancel", "").Code)
	require.Equal(t, 1, k.left)
	k.leaveErr = gateway.ErrInternal
	require.Equal(t, 303, call(k, "POST", "/auth/"+token+"/cancel", "").Code)
}

func TestReturn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, method, query, body, url string
		status                         int
		location                       string
		params                         map[string][]string
	}{
		{"by GET", "GET", "?PaRes=x", "", "https://pay.example/auth/t", 303, "https://pay.example/auth/t", map[string][]string{"PaRes": {"x"}}},
		{"by POST", "POST", "?MD=1", "cres=a%2Bb&MD=2", "../auth/t", 303, "../auth/t", map[string][]string{"cres": {"a+b"}, "MD": {"2", "1"}}},
		{"odd URL is escaped", "GET", "", "", "https://shop.example/ü?a b=ü", 303, "https://shop.example/%C3%BC?a%20b=%C3%BC", map[string][]string{}},
		{"without a target", "GET", "", "", "", 200, "", map[string][]string{}},
		{"script", "GET", "", "", "javascript:alert(1)", 500, "", map[string][]string{}},
		{"CR LF", "GET", "", "", "https://shop.example/\r\nX: y", 500, "", map[string][]string{}},
		{"no scheme", "GET", "", "", "//evil.example/x", 500, "", map[string][]string{}},
		{"backslash", "GET", "", "", `/\evil.example`, 500, "", map[string][]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &kernel{backURL: c.url}
			w := call(k, c.method, "/return/"+token+c.query, c.body, "Sec-Fetch-Site", "cross-site", "Origin",
				"https://acs.example")
			require.Equal(t, c.status, w.Code)
			require.Equal(t, c.location, w.Header().Get("Location"))
			require.Equal(t, []methods.Return{{Method: c.method, Params: c.params}}, k.returned)
		})
	}
	k := &kernel{backURL: "/x"}
	require.Equal(t, 200, call(k, "HEAD", "/return/"+token, "").Code)
	require.Equal(t, 413, call(k, "POST", "/return/"+token, "a="+strings.Repeat("a", 64<<10)).Code)
	require.Empty(t, k.returned)
}

func TestNotify(t *testing.T) {
	t.Parallel()
	k := &kernel{}
	w := call(k, "POST", "/notify/"+token+"?a=1", "raw & body", "X-Sign", "s", "Origin", "https://acquirer.example")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "OK\n", bodyOf(w))
	require.Len(t, k.notes, 1)
	require.Equal(t, "POST", k.notes[0].Method)
	require.Equal(t, "raw & body", string(k.notes[0].Body))
	require.Equal(t, []string{"1"}, k.notes[0].Query["a"])
	require.Equal(t, []string{"s"}, k.notes[0].Header["X-Sign"])
	require.Equal(t, 200, call(k, "GET", "/notify/"+token, "").Code)
	require.Equal(t, 200, call(k, "HEAD", "/notify/"+token, "").Code)
	require.Equal(t, 413, call(k, "POST", "/notify/"+token, strings.Repeat("a", 64<<10+1)).Code)
	require.Len(t, k.notes, 2)
	k.noteErr = gateway.ErrInvalid
	require.Equal(t, 400, call(k, "POST", "/notify/"+token, "x").Code)
}

// Without a script the page sends what the headers have.
func TestBrowserWithoutScript(t *testing.T) {
	t.Parallel()
	k := &kernel{next: formAction()}
	call(k, "POST", "/auth/"+token, goodForm().Encode(), "Accept", "text/html;q=0.9", "User-Agent", "Probe/1",
		"Accept-Language", "de-CH, en;q=0.5", "Sec-CH-UA-Platform", `"Linux"`)
	require.Len(t, k.paid, 1)
	require.Equal(t, map[string]string{
		"javascript_enabled": "false", "user_agent": "Probe/1", "accept_headers": "text/html;q=0.9", "language": "de-CH",
		"platform": "Linux",
	}, k.paid[0].Browser)
}

// With a script the page sends all ten.
func TestTenBrowserAttributes(t *testing.T) {
	t.Parallel()
	script := strings.Join(scriptsOf(t, formAction()), "")
	k, form := &kernel{next: formAction()}, goodForm()
	for name, value := range map[string]string{
		"javascript_enabled": "true", "java_enabled": "false", "language": "de", "platform": "Linux x86_64",
		"color_depth": "24", "screen_width": "1920", "screen_height": "1080", "timezone_offset": "-60",
	} {
		require.Contains(t, script, name+": ")
		require.Contains(t, bodyOf(show(t, formAction())), `name="browser_`+name+`"`)
		form.Set("browser_"+name, value)
	}
	call(k, "POST", "/auth/"+token, form.Encode(), "Accept", "text/html", "User-Agent", "Probe/1")
	require.Len(t, k.paid[0].Browser, 10)
}
