package browser_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// testFields: whatever a payer or the browser enters into the card fields is formatted as a payer would write it.
func testFields(t *testing.T, b *chromium) {
	for _, c := range []struct {
		name, field, text string
		typed             bool // otherwise pasted
		want              string
	}{
		{"number typed", numberField, testNumber, true, "4111 1111 1111 1111"},
		{"number pasted with dashes", numberField, "4111-1111-1111-1111", false, "4111 1111 1111 1111"},
		{"number pasted with other digits", numberField, "\u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661", false, "4111 1111 1111 1111"},
		{"number of Amex", numberField, "378282246310005", true, "3782 822463 10005"},
		{"month without a zero", expiryField, "1/30", true, "01/30"},
		{"whole year", expiryField, "01/2030", false, "01/30"},
		{"year first", expiryField, "2030-01", false, "01/30"},
		{"code", codeField, "12a3", true, "123"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, p := newSite(t), b.tab(t, desktop())
			p.open(s.session(s.request()))
			if c.typed {
				p.enter(c.field, c.text)
			} else {
				p.enter(c.field, "")
				p.paste(c.text)
			}
			require.Equal(t, c.want, read[string](p, `document.activeElement.value`))
			require.Equal(t, len(c.want), read[int](p, `document.activeElement.selectionStart`), "the caret is at the end")
			p.quiet()
		})
	}
	t.Run("caret in the middle", func(t *testing.T) {
		t.Parallel()
		s, p := newSite(t), b.tab(t, desktop())
		p.open(s.session(s.request()))
		p.enter(numberField, "411111111111111")
		read[bool](p, `document.activeElement.setSelectionRange(6, 6) === undefined`)
		p.typeText("2")
		require.Equal(t, "4111 1211 1111 1111", read[string](p, `document.activeElement.value`))
		require.Equal(t, 7, read[int](p, `document.activeElement.selectionStart`), "behind the digit that was typed")
	})
}
