package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// languages are those in which the states are checked: the first one, one with long words, and one that is written
// from right to left.
func languages() []string { return []string{"en", "de", "ar"} }

// direction is the way a language is written.
func direction(language string) string {
	if language == "ar" {
		return "rtl"
	}
	return "ltr"
}

// testStates: every state of the page in three languages is accessible, fits on a narrow phone and keeps to its own
// policy. Faults are collected, so that one run reports them all.
func testStates(t *testing.T, b *chromium) {
	for _, language := range languages() {
		for _, state := range append(states(), formStates()...) {
			t.Run(language+"/"+state.name, func(t *testing.T) {
				t.Parallel()
				d := phone()
				d.language, d.noScript = language, state.noScript
				s, p := newSite(t), b.tab(t, d)
				state.reach(s, p, language)
				assert.Equal(t, state.turn, p.turn(), p.where())
				if state.has != "" {
					assert.True(t, p.has(state.has), "no %s on %s", state.has, p.where())
				}
				p.inspect(state.name, language)
				p.widen()
				p.inspect(state.name, language)
				p.quiet()
			})
		}
	}
}

// inspect checks the open page.
func (p *tab) inspect(state, language string) {
	p.t.Helper()
	assert.Equal(p.t, language, read[string](p, `document.documentElement.lang`), "the language")
	assert.Equal(p.t, direction(language), read[string](p, `getComputedStyle(document.documentElement).direction`),
		"the direction")
	assert.NotEmpty(p.t, read[string](p, `document.title.trim()`), "the title")
	assert.LessOrEqual(p.t, p.overflow(), 0, "CSS pixels that lie outside %s", p.device.name)
	assert.Empty(p.t, read[[]string](p, cutOff), "text that is cut off on %s", p.device.name)
	p.shot(state, language)
	p.allowScripts()
	failing, told := p.axe()
	for _, v := range append(failing, told...) {
		assert.Fail(p.t, "axe on "+p.device.name+": "+v.String())
	}
}

// cutOff lists elements whose own text is wider than they are and cannot be scrolled. Text for screen readers only
// is left out.
const cutOff = `Array.from(document.body.querySelectorAll("*")).filter(function (e) {
	var own = Array.from(e.childNodes).some(function (n) { return n.nodeType === 3 && n.nodeValue.trim(); });
	var style = getComputedStyle(e), scrolls = /auto|scroll/.test(style.overflowX);
	return own && !scrolls && e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1 && style.overflowX !== "visible";
}).map(function (e) { return e.tagName.toLowerCase() + "#" + e.id + "." + e.className; })`

// widen turns the phone into a desktop screen, with the same page.
func (p *tab) widen() {
	p.t.Helper()
	d := desktop()
	p.device.name, p.device.width, p.device.height = d.name, d.width, d.height
	p.device.scale, p.device.touch = d.scale, d.touch
	p.device.noScript, p.device.language = false, ""
	p.emulate()
	p.until(`innerWidth === 1280`)
	read[float64](p, `new Promise(function (drawn) {
		requestAnimationFrame(function () { requestAnimationFrame(drawn); });
	})`, chromedp.EvalAwaitPromise)
}
