package browser_test

import (
	"math"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// spot is the middle of an element on the screen. Hit means that a finger there reaches the element. Frame means that
// the element is a page in the page.
type spot struct {
	X, Y  float64
	Found bool
	Hit   bool
	Frame bool
}

// find scrolls an element into view, as a payer does.
func (p *tab) find(selector string) spot {
	p.t.Helper()
	at := read[spot](p, `(function () {
		var e = document.querySelector(`+quote(selector)+`);
		if (!e) { return {Found: false}; }
		e.scrollIntoView({block: "center", behavior: "instant"});
		var box = e.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
		var top = document.elementFromPoint(x, y), label = e.labels && e.labels[0];
		return {
			X: x, Y: y, Found: true, Frame: e.nodeName === "IFRAME",
			Hit: e === top || e.contains(top) || Boolean(label && label.contains(top))
		};
	})()`)
	require.True(p.t, at.Found, "no %s on %s", selector, p.where())
	require.True(p.t, at.Hit, "%s is covered on %s", selector, p.where())
	return at
}

// press presses an element with the mouse or a finger. A frame is pressed with the mouse: Chromium 148 moves the finger
// that it plays by the position of a frame of another process twice, so that it misses what is in it.
func (p *tab) press(selector string) { p.pressTimes(selector, 1) }

// pressTimes is press as fast as a hand can.
func (p *tab) pressTimes(selector string, times int) {
	p.t.Helper()
	at := p.find(selector)
	for i := range times {
		var tap chromedp.Action[chromedp.Void]
		if p.device.touch && times == 1 && !at.Frame && !p.last.near(at) {
			tap = chromedp.TapXY(at.X, at.Y)
		} else {
			tap = chromedp.MouseClickXY(at.X, at.Y, chromedp.ClickCount(i+1))
		}
		p.act(tap)
	}
	p.last = at
}

// near reports whether touching one spot after the other would be a double tap, which the browser may take as a
// gesture to enlarge the page.
func (s spot) near(other spot) bool { return s.Found && math.Hypot(s.X-other.X, s.Y-other.Y) < 100 }

// enter puts the caret into a field and types.
func (p *tab) enter(selector, text string) {
	p.t.Helper()
	p.press(selector)
	p.until(`document.activeElement === document.querySelector(` + quote(selector) + `)`)
	p.typeText(text)
}

// typeText types one character after the other, wherever the caret is.
func (p *tab) typeText(text string) {
	p.t.Helper()
	p.act(chromedp.KeyEvent(text))
}

// paste puts a text in at once.
func (p *tab) paste(text string) {
	p.t.Helper()
	do(p, input.InsertText, input.InsertTextParams{Text: text})
}
