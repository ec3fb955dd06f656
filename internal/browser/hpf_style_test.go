package browser_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"
)

// hostileValues are what a page might try as the value of a property.
func hostileValues() []string {
	return []string{
		`url(https://evil.example/a.png)`, `URL("https://evil.example")`, `url (x)`, `u\72l(x)`, `\75rl(x)`, `url` + "\t(x)",
		`image(https://evil.example/a.png)`, `image-set("a.png" 1x)`, `-webkit-image-set(url(x) 1x)`,
		`cross-fade(url(x), red)`,
		`@import "https://evil.example/a.css"`, `import`, `red; background: url(x)`, `red } input { color: blue`, `red}`,
		`{`, `red;`,
		`expression(alert(1))`, `expression`, `behavior`, `-moz-binding`, `javascript:alert(1)`, `vbscript:x`,
		`data:text/css,x`,
		`attr(value)`, `attr(value px)`, `var(--x)`, `env(safe-area-inset-top)`, `calc(1px + 1px)`, `min(1px, 2px)`,
		`element(#card)`,
		`src("x")`, `format("woff")`, `counter(x)`, `paint(x)`, `linear-gradient(red, blue)`, `conic-gradient(red, blue)`,
		`/* x */ red`, `red /* x */`, `red/**/`, `red // x`, `<!-- red`, `</style><script>alert(1)</script>`,
		`red !important !important`, `!important`, `red !ie`, `red ! important;`,
		`"unclosed`, `'unclosed`, `"a" "b`, `"\22 "`, `"a;b"`, `"<"`, `"url(x)"`, `re\d`, `red\0`, "red\nurl(x)", "red\x00",
		`рed`, `＃fff`, `rgb(var(--x))`, `rgb(0,0,0);`, `rgb(url(x))`, `#ggg`, `#fff url(x)`, `Arial, url(x)`, `U+26`,
		`progid:x`, `[value]`,
		``, ` `, `,`, `red,`, strings.Repeat("a ", 101),
	}
}

func goodValues() []string {
	return []string{
		`red`, `#fff`, `#11223344`, `16px`, `1.5`, `.5em`, `-1px`, `100%`, `0 0 0 2px #1f8f73`, `rgb(0 0 0 / 50%)`,
		`rgba(1, 2, 3, .4)`, `hsl(120, 50%, 50%)`,
		`"Source Sans 3", Arial, sans-serif`, `'Open Sans'`, `system-ui, -apple-system, "Segoe UI"`,
		`italic 700 16px/1.5 Arial`, `opacity 120ms ease-in, color .2s cubic-bezier(.4, 0, .2, 1)`,
		`inherit`, `none`, `1px solid #ccc`, `inset 0 -2px 0 rgb(1,2,3)`, `uppercase`, `tabular-nums`, `red !important`,
		`1px solid #ccc!IMPORTANT`, `red ! important`,
	}
}

// testFieldsStyle: hostile styles are refused, and the documented ones work.
func testFieldsStyle(t *testing.T, b *chromium) {
	s, p := newFieldsSite(t), b.tab(t, desktop())
	p.open(s.base + "/sdk/frame/card.html?session=" + fieldsSession)
	passing := func(values []string) []string {
		list, err := json.Marshal(values)
		require.NoError(t, err)
		return read[[]string](p, string(list)+`.filter(function (value) {
			return hostedStyle.allowed("input", "color", value);
		})`)
	}
	require.Greater(t, len(hostileValues()), 40)
	require.Empty(t, passing(hostileValues()))
	require.Equal(t, goodValues(), passing(goodValues()))

	pair := func(selector, property string) bool {
		return read[bool](p, `hostedStyle.allowed(`+quote(selector)+`, `+quote(property)+`, "1px")`)
	}
	for _, property := range []string{
		"background", "background-image", "background:", "content", "position", "z-index", "behavior", "-moz-binding",
		"filter", "mask", "mask-image",
		"clip-path", "list-style-image", "border-image", "border-image-source", "cursor-x", "src", "--x", "animation",
		"animation-name", "all", "display", "top",
		"visibility", "transform", "-webkit-text-security", "font-feature-settings", "unicode-range", "", "color;x",
		"color:x", "padding}",
	} {
		require.False(t, pair("input", property), property)
	}
	for _, property := range []string{
		"color", "font-size", "font-family", "padding", "padding-left", "padding-inline-start", "border-radius",
		"border-bottom-width", "line-height", "letter-spacing", "box-shadow", "height", "transition", "opacity",
	} {
		require.True(t, pair("input", property), property)
	}
	for _, selector := range []string{
		`input[value^="4"]`, `input[value]`, `[value]`, `*`, `html`, `body *`, `body:focus`, `body::before`, `#card`,
		`input, *`, `input {} *`, `@import "x"; input`, `@font-face`, `:root`, `input:valid`, `input::selection`,
		`input::before`, `label`, `.sr`, `#relay`, `:has(input)`, `input:is([value="4"])`, `INPUT`, ` input`, `inp\75t`, ``,
		`__proto__`, `constructor`,
	} {
		require.False(t, pair(selector, "color"), selector)
	}
	for _, selector := range []string{
		"input", "::placeholder", "input:focus", ".valid", ".invalid", ".hosted-field-card-brand-logo", "body", "body:hover",
		":hover", ":focus", ":disabled", "input:hover",
		"input:disabled", "input::placeholder", "input:focus::placeholder", ".invalid:focus", "input.invalid:hover",
		".valid:hover:focus",
	} {
		require.True(t, pair(selector, "color"), selector)
	}
	require.True(t, pair(".hosted-field-card-brand-logo", "right"))
	p.quiet()

	t.Run("on a page", func(t *testing.T) {
		t.Parallel()
		s := newFieldsSite(t)
		p := s.pay(b, desktop(), "HostedFields",
			`, style: { input: { color: "rgb(1, 2, 3)", fontSize: "20px" }, "::placeholder": { color: "rgb(4, 5, 6)" },
				".hosted-field-card-brand-logo": { width: "50px" } }`)
		p.quiet()
		card := s.frame(p, "card")
		require.Equal(t, "rgb(1, 2, 3) 20px", read[string](card,
			`getComputedStyle(document.getElementById("card")).color + " " +
				getComputedStyle(document.getElementById("card")).fontSize`))
		require.Equal(t, "rgb(4, 5, 6)", read[string](card,
			`getComputedStyle(document.getElementById("card"), "::placeholder").color`))
		require.Equal(t, "50px", read[string](card, `getComputedStyle(logo).width`))
		require.Equal(t, "1234 1234 1234 1234", read[string](card, `document.getElementById("card").placeholder`))
	})
	t.Run("from right to left", func(t *testing.T) {
		t.Parallel()
		s := newFieldsSite(t)
		p := s.pay(b, phone(), `(document.documentElement.dir = "rtl", new HostedFields())`, "")
		card := s.frame(p, "card")
		require.Equal(t, "right ltr", read[string](card,
			`getComputedStyle(document.getElementById("card")).textAlign + " " +
				getComputedStyle(document.getElementById("card")).direction`))
		require.Equal(t, 12, card.number(`logo.getBoundingClientRect().left`), "the picture is at the other end")
		require.Equal(t, "right", read[string](s.frame(p, "cvv"),
			`getComputedStyle(document.getElementById("cvv")).textAlign`))
		p.typeInto("card", "4111111111111111")
		require.Equal(t, "4111 1111 1111 1111", read[string](card, `document.getElementById("card").value`))
		p.quiet()

		s = newFieldsSite(t)
		p = s.pay(b, phone(), `(document.documentElement.dir = "rtl", new HostedFields())`,
			`, style: { input: { textAlign: "left" }, ".hosted-field-card-brand-logo": { left: "auto", right: "9px" } }`)
		card = s.frame(p, "card")
		require.Equal(t, "left", read[string](card, `getComputedStyle(document.getElementById("card")).textAlign`),
			"the page's own looks win")
		require.Equal(t, 9, card.number(`innerWidth - logo.getBoundingClientRect().right`))
	})
	t.Run("dark page", func(t *testing.T) {
		t.Parallel()
		s := newFieldsSite(t)
		p := s.pay(b, desktop().dark(), `(document.documentElement.style.colorScheme = "dark",
			document.documentElement.style.background = "rgb(1, 2, 3)", new HostedFields())`, "")
		require.Equal(t, []byte{1, 2, 3}, p.pixel("#expiry iframe"), "the frame is see-through")
		p.quiet()
	})
	t.Run("hostile on a page", func(t *testing.T) {
		t.Parallel()
		s := newFieldsSite(t)
		p := s.pay(b, desktop(), warned, `, style: { input: { backgroundImage: "url(`+s.stranger+`/leak)",
			color: "red; } * { background: url(`+s.stranger+`/leak)", fontSize: "20px" },
			"input[value^='4']": { color: "red" } }`)
		require.Equal(t, "20px", read[string](s.frame(p, "card"),
			`getComputedStyle(document.getElementById("card")).fontSize`), "the rest holds")
		require.Equal(t, []string{"HostedFields: left out of the style, because it is not allowed: " +
			"input { backgroundImage }, input { color }, input[value^='4'] { color }"},
			read[[]string](p, `warnings`), "it is told once, for all fields")
		p.quiet()
		p.typeInto("card", "4")
		p.until(`log.includes('card input {"valid":false}')`)
		require.Empty(t, s.holding("stranger", "leak"))
	})
}

// warned is the library on a page that records the console.
const warned = `(window.warnings = [], console.warn = function (text) { warnings.push(text); }, HostedFields)`

// testFieldsLooks: states of fields, the body, important rules, and invalid styles.
func testFieldsLooks(t *testing.T, b *chromium) {
	s := newFieldsSite(t)
	p := s.pay(b, desktop(), warned, `, style: { body: { backgroundColor: "rgb(1, 2, 3)" },
		input: { color: "rgb(4, 5, 6) !important", width: "90px !important" }, ":focus": { fontSize: "31px" },
		"input:focus": { color: "red" }, ":hover": null, "input:disabled": 5,
		"::placeholder": { color: ["red"], opacity: null }, ".nobody": { color: "red" }, label: {}, __proto__: null }`)
	card := s.frame(p, "card")
	field := func(property string) string {
		return read[string](card, `getComputedStyle(document.getElementById("card")).`+property)
	}
	require.Equal(t, "rgb(1, 2, 3)", read[string](card, `getComputedStyle(document.body).backgroundColor`))
	p.typeInto("card", "4")
	require.Equal(t, "rgb(4, 5, 6)", field("color"), "what is important wins over a later selector")
	require.Equal(t, "31px", field("fontSize"))
	require.Equal(t, "1px", read[string](card, `getComputedStyle(document.getElementById("relay")).width`),
		"the field that is not seen stays unseen")
	require.Equal(t, []string{"HostedFields: left out of the style, because it is not allowed: " +
		":hover, input:disabled, ::placeholder { color }, ::placeholder { opacity }, .nobody { color }"},
		read[[]string](p, `warnings`))
	p.quiet()

	for _, style := range []string{
		`null`, `undefined`, `""`, `5`, `[]`, `function () {}`, `{ input: "" }`, `{ input: [] }`,
	} {
		s := newFieldsSite(t)
		p := s.pay(b, desktop(), warned, `, style: `+style)
		require.LessOrEqual(t, read[int](p, `warnings.length`), 1, style)
		p.quiet()
	}
}

// testFieldsMOTO: by mail and telephone a code may stay empty, and a typed one is still checked.
func testFieldsMOTO(t *testing.T, b *chromium) {
	for code, want := range map[string]string{"": "success", "123": "success", "12": "undefined"} {
		s := newFieldsSite(t)
		s.moto = true
		p := s.pay(b, desktop(), "HostedFields", "")
		require.Equal(t, "false", read[string](s.frame(p, "cvv"),
			`document.getElementById("cvv").getAttribute("aria-required")`))
		p.typeInto("card", "4111111111111111")
		p.typeInto("expiry", "0138")
		if code != "" {
			p.typeInto("cvv", code)
		}
		require.Equal(t, want, p.collect().Result)
		require.Len(t, s.kept(), map[string]int{"success": 1}[want])
	}
}

// pixel is the colour in the middle of an element, as it is on the screen.
func (p *tab) pixel(selector string) []byte {
	p.t.Helper()
	at := p.find(selector)
	p.painted("")
	shot := do(p, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	picture, err := png.Decode(bytes.NewReader(shot.Data))
	require.NoError(p.t, err)
	r, g, b, _ := picture.At(int(at.X*p.device.scale), int(at.Y*p.device.scale)).RGBA()
	return []byte{byte(r >> 8), byte(g >> 8), byte(b >> 8)}
}
