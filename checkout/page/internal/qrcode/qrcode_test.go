package qrcode

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The picture has twice the resolution, and every module has whole pixels.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content string
		side          int
	}{
		{"short", "K:PR|V:01", 261},
		{"long", strings.Repeat("a", 2900), 370},
		{"as much as fits with less redundancy", strings.Repeat("a", 2953), 370},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, ok := Of(c.content)
			require.True(t, ok)
			picture, err := png.Decode(bytes.NewReader(code.PNG()))
			require.NoError(t, err)
			require.Equal(t, 2*code.Side(), picture.Bounds().Dx())
			require.Equal(t, c.side, code.Side())
		})
	}
	_, ok := Of(strings.Repeat("a", 2954))
	require.False(t, ok, "no QR code holds it")
}
