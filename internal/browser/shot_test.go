package browser_test

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"
)

// shot writes a picture of the whole page to the directory in TOLLGATE_SHOTS, if there is one.
func (p *tab) shot(state, language string) {
	p.t.Helper()
	folder := os.Getenv("TOLLGATE_SHOTS")
	if folder == "" {
		return
	}
	require.NoError(p.t, os.MkdirAll(folder, 0o755))
	whole := p.device
	whole.height = max(whole.height, int64(p.number(`document.documentElement.scrollHeight`)))
	p.resize(whole) // on a page written from right to left a picture beyond the visible part is shifted
	picture := do(p, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	p.resize(p.device)
	name := strings.NewReplacer(", ", "-", " ",
		"-").Replace(strings.Join([]string{state, language, p.device.name, "png"}, "."))
	require.NoError(p.t, os.WriteFile(filepath.Join(folder, name), picture.Data, 0o644))
}
