package browser_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// testEyes: payers who enlarge the page four times, or use their own colours.
func testEyes(t *testing.T, b *chromium) {
	zoomed, forced, dark := desktop(), desktop(), phone()
	zoomed.name, zoomed.width, zoomed.height, zoomed.scale = "zoom of 400", 320, 200, 4
	forced.name, forced.media = "forced colours", map[string]string{"forced-colors": "active"}
	dark.name, dark.media = "dark", map[string]string{"prefers-color-scheme": "dark"}
	for _, d := range []device{zoomed, forced, dark} {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s, p := newSite(t), b.tab(t, d)
			p.open(s.session(s.request()))
			require.LessOrEqual(t, p.overflow(), 0)
			if forced := d.media["forced-colors"]; forced != "" {
				require.True(t, read[bool](p, `matchMedia("(forced-colors: active)").matches`))
				for _, selector := range []string{numberField, expiryField, codeField, payButton} {
					require.True(t, p.bordered(selector), "%s has no border where its colours are gone", selector)
				}
			}
			p.shot("form", "en")
			failing, _ := p.axe()
			require.Empty(t, failing)
			p.pay("01/2038")
			p.arrived(s, "success")
			require.Equal(t, 1, s.booked())
			p.quiet()
		})
	}
}

// bordered reports whether an element, or the box around it, has its own edge.
func (p *tab) bordered(selector string) bool {
	p.t.Helper()
	return read[bool](p, `(function () {
		var e = document.querySelector(`+quote(selector)+`);
		return [e, e.parentElement].some(function (e) {
			var style = getComputedStyle(e);
			return style.borderBottomStyle !== "none" && parseFloat(style.borderBottomWidth) > 0;
		});
	})()`)
}
