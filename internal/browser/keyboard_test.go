package browser_test

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// tabTo presses Tab until an element has the focus, which must be visible there.
func (p *tab) tabTo(selector string) {
	p.t.Helper()
	for range 30 {
		if read[bool](p, `document.activeElement !== null && document.activeElement.matches(`+quote(selector)+`)`) {
			seen := read[bool](p, `(function () {
				var e = document.activeElement;
				return [e].concat(Array.from(e.labels || [])).some(function (e) {
					var style = getComputedStyle(e);
					return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== "none";
				});
			})()`)
			require.True(p.t, seen, "the focus on %s cannot be seen", selector)
			return
		}
		p.typeText(kb.Tab)
	}
	require.Fail(p.t, "Tab never comes to "+selector, p.where())
}

// testKeyboard: only keys, from the form to the shop.
func testKeyboard(t *testing.T, b *chromium) {
	fill := func(p *tab, expiry string) {
		p.tabTo(numberField)
		p.typeText(testNumber)
		p.tabTo(expiryField)
		p.typeText(expiry)
		p.tabTo(codeField)
		p.typeText("123")
	}
	t.Run("card, sent with Enter", func(t *testing.T) {
		t.Parallel()
		s, p := newSite(t), b.tab(t, desktop())
		p.open(s.session(s.request()))
		fill(p, "01/38")
		p.leave(func() { p.typeText(kb.Enter) })
		p.onward()
		p.arrived(s, "success")
	})
	t.Run("faults, then 3-D Secure", func(t *testing.T) {
		t.Parallel()
		s, p := newSite(t), b.tab(t, desktop().without())
		p.open(s.session(s.request()))
		p.tabTo(payButton)
		p.leave(func() { p.typeText(" ") })
		p.focused(numberField) // the first fault
		require.Equal(t, "true", read[string](p, `document.activeElement.getAttribute("aria-invalid")`))
		fill(p, "05/2038")
		p.leave(func() { p.typeText(kb.Enter) })
		p.tabTo(goOn)
		p.leave(func() { p.typeText(kb.Enter) })
		p.tabTo(confirm)
		p.leave(func() { p.typeText(" ") })
		p.tabTo(`button`)
		p.leave(func() { p.typeText(kb.Enter) })
		p.arrived(s, "success")
		require.Equal(t, store.Settled, s.payment().Status)
	})
	t.Run("copying", func(t *testing.T) {
		t.Parallel()
		s, p := newSite(t), b.tab(t, desktop())
		p.open(s.ready("en", by("sepa", "EUR"), submits(methods.Card{})))
		p.tabTo(`.copy`)
		value := read[string](p, `document.activeElement.closest("dd").querySelector(".value").textContent`)
		require.NotEmpty(t, value)
		p.typeText(kb.Enter)
		p.until(`document.activeElement.textContent === document.querySelector("#show").dataset.copied`)
		p.tabTo(`.copy`)
		read[bool](p, `(function () {
			var field = document.createElement("textarea");
			document.body.append(field);
			field.focus();
			return true;
		})()`)
		do(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown,
			Commands: []string{"paste"}})
		require.Equal(t, value, read[string](p, `document.activeElement.value`))
		p.quiet()
	})
	t.Run("a choice of methods", func(t *testing.T) {
		t.Parallel()
		s, p := newSite(t), b.tab(t, desktop())
		r := s.request()
		r.Methods = []string{"paypal", "card"}
		p.open(s.session(r))
		p.tabTo(`input[type="radio"]`)
		p.typeText(kb.ArrowDown)
		require.Equal(t, "card", read[string](p, `document.activeElement.value`))
		fill(p, "01/38")
		p.tabTo(payButton)
		p.leave(func() { p.typeText(" ") })
		p.arrived(s, "success")
		require.Equal(t, 1, s.booked())
	})
	t.Run("faults without leaving the page", func(t *testing.T) {
		t.Parallel()
		s, p := newSite(t), b.tab(t, desktop())
		p.open(s.session(s.request()))
		fill(p, "13/38")
		p.typeText(kb.Enter)
		p.focused(expiryField)
		require.Equal(t, "true", read[string](p, `document.activeElement.getAttribute("aria-invalid")`))
		require.NotEmpty(t, read[string](p, `document.querySelector("[aria-live]").textContent`))
		require.Zero(t, s.booked())
	})
}
