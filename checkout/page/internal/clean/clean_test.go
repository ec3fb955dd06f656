package clean

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, shown, lines, visible string }{
		{"plain", "Zoë & Co", "Zoë & Co", "Zoë & Co", "Zoë & Co"},
		{"turned", "a\u202egnp", "agnp", "agnp", "agnp"},
		{"isolates", "\u2066a\u2069", "a", "a", "a"},
		{"lines", " a\r\n b ", "a   b", "a\n b", " a   b "},
		{"controls", "a\x00b\x7f\u0085c", "ab c", "abc", "ab c"},
		{"a joiner", "a\u200db", "a\u200db", "a\u200db", "ab"},
		{"broken UTF-8", "a\xffb", "a\ufffdb", "a\ufffdb", "ab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.shown, Shown(c.text))
			require.Equal(t, c.lines, Lines(c.text))
			require.Equal(t, c.visible, Visible(c.text))
		})
	}
}
